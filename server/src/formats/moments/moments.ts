// Dates and times that people write, brought to one form: UTC with microseconds, which PostgreSQL reads.

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/

const zoneMinutes = (zone: string | undefined): number => {
  if (zone === undefined || zone === 'Z') return 0
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  if (Number(hours) > 15 || Number(minutes) > 59) return Number.NaN
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** `2020-08-31T10:00:00.000000Z`, or undefined for what is no date of the calendar. No zone is UTC, no time midnight. */
export const momentOf = (text: string): string | undefined => {
  const match = pattern.exec(text.trim())
  if (match === null) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = match
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // The built-in parser rolls the 30th of February over to March.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(8, 10) !== day) return undefined
  const utc = local - zoneMinutes(zone) * 60_000
  const written = Number.isNaN(utc) ? '' : new Date(utc).toISOString()
  return /^(?!0000)\d{4}-/.test(written) ? `${written.slice(0, 19)}.${fraction.padEnd(6, '0')}Z` : undefined
}

/** The day of a date or of a date with a time, as it stands there; undefined for what is none. */
export const dayOf = (text: string): string | undefined =>
  momentOf(text) === undefined ? undefined : text.trim().slice(0, 10)

const zone = /(?:Z|[+-]\d\d:?\d\d)$/

/** A point in time as callers name one: with its zone, because they and the server may be in different ones. Undefined for what is no
 * date of the calendar, and beyond the years of four digits, which no client reads. */
export const zonedTime = (text: string): Date | undefined => {
  const written = text.toUpperCase()
  const moment = zone.test(written) && written.includes(':') ? momentOf(written) : undefined
  return moment === undefined ? undefined : new Date(moment)
}

/** For the schema of a field. */
export const zonedTimeFault = (text: string): string | undefined =>
  zonedTime(text) === undefined ? 'Enter a time with its zone, like 2026-01-10T14:00:00Z.' : undefined
