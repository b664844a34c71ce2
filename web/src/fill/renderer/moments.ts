// Moments between the form, which keeps them with an offset, and the browser's control, which knows none.

const two = (n: number): string => String(n).padStart(2, '0')

/** `2026-03-05T14:30`, as it was here; empty where it is no moment. */
export const toLocal = (text: string): string => {
  const at = new Date(text)
  if (text === '' || Number.isNaN(at.getTime())) return ''
  const year = String(at.getFullYear()).padStart(4, '0')
  return `${year}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** `2026-03-05T14:30:00.000+03:00`, as phones write it. */
export const fromLocal = (local: string): string => {
  const at = new Date(local)
  if (local === '' || Number.isNaN(at.getTime())) return ''
  const minutes = -at.getTimezoneOffset()
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
  return `${local.slice(0, 16)}:00.000${offset}`
}
