// What a key is worth now, in a word.
import type { DeviceKey } from '@/api/keys'

export type KeyState = 'works' | 'expired' | 'revoked' | 'stopped'

export const keyStateOf = (key: Pick<DeviceKey, 'revoked_at' | 'expires_at' | 'stopped_at'>, now: number): KeyState => {
  if (key.revoked_at !== null) return 'revoked'
  if (key.stopped_at !== null) return 'stopped'
  return key.expires_at !== null && Date.parse(key.expires_at) <= now ? 'expired' : 'works'
}

/** The end of a day that somebody chose, where they are; undefined for none. */
export const endOfDay = (day: string): string | undefined => {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  return new Date(year, month - 1, date, 23, 59, 59).toISOString()
}

/** The day of a moment, as a field for days takes it. */
export const dayOf = (moment: string | null): string => {
  if (moment === null) return ''
  const date = new Date(moment)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
