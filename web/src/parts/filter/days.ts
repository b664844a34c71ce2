// Days of the person's zone as text, and the moments at which they begin.

const two = (number: number): string => String(number).padStart(2, '0')

export const dayOf = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

const partsOf = (day: string): [number, number, number] => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return [year, month, date]
}

/** So many days later; over months, leap days and changes of the clock. */
export const dayAfter = (day: string, days: number): string => {
  const [year, month, date] = partsOf(day)
  return dayOf(new Date(year, month - 1, date + days))
}

export const startOfDay = (day: string): string => {
  const [year, month, date] = partsOf(day)
  return new Date(year, month - 1, date).toISOString()
}

export const endOfDay = (day: string): string => startOfDay(dayAfter(day, 1))

/** The day that begins at this moment; null where none does. */
export const dayIn = (moment: unknown): string | null => {
  if (typeof moment !== 'string') return null
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return null
  const day = dayOf(date)
  return startOfDay(day) === date.toISOString() ? day : null
}

export type Preset = 'today' | 'yesterday' | 'last7' | 'last30' | 'thisMonth' | 'lastMonth' | 'thisYear'

export const presets: readonly Preset[] = [
  'today',
  'yesterday',
  'last7',
  'last30',
  'thisMonth',
  'lastMonth',
  'thisYear',
]

export const daysOf = (preset: Preset, now: Date = new Date()): { readonly from: string; readonly to: string } => {
  const today = dayOf(now)
  const [year, month] = partsOf(today)
  switch (preset) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: dayAfter(today, -1), to: dayAfter(today, -1) }
    case 'last7':
      return { from: dayAfter(today, -6), to: today }
    case 'last30':
      return { from: dayAfter(today, -29), to: today }
    case 'thisMonth':
      return { from: dayOf(new Date(year, month - 1, 1)), to: today }
    case 'lastMonth':
      return { from: dayOf(new Date(year, month - 2, 1)), to: dayOf(new Date(year, month - 1, 0)) }
    case 'thisYear':
      return { from: dayOf(new Date(year, 0, 1)), to: today }
  }
}
