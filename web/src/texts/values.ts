// Numbers, dates, sizes and names in the person's locale. Dates are in the zone of the device.
import { language, locale } from './language'

const numbers = new Map<string, Intl.NumberFormat>()
const dates = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than a hundred uses of it. */
const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const key = locale.value + JSON.stringify(options)
  const known = numbers.get(key) ?? new Intl.NumberFormat(locale.value, options)
  numbers.set(key, known)
  return known
}

const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = locale.value + JSON.stringify(options)
  const known = dates.get(key) ?? new Intl.DateTimeFormat(locale.value, options)
  dates.set(key, known)
  return known
}

export const showNumber = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  numberFormat(options).format(value)

/** `12 345` as `12K`: where there is little room. */
export const showShortNumber = (value: number): string =>
  numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value)

export const showPercent = (share: number): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: 0 }).format(share)

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export const showBytes = (bytes: number): string => {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1000)))
  const options = {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  } as const
  return numberFormat(options).format(bytes / 1000 ** step)
}

export type Moment = string | number | Date

/** Browsers take 30 February for 2 March. */
const isOfNoCalendar = (value: Moment): boolean => {
  const [, year, month, day] = (typeof value === 'string' && /^(\d{4})-(\d\d)-(\d\d)/.exec(value)) || []
  return (
    day !== undefined && new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)
  )
}

/** Undefined for what is no date. */
export const momentOf = (value: Moment): Date | undefined => {
  const date = value instanceof Date ? value : new Date(value)
  return Number.isNaN(date.getTime()) || isOfNoCalendar(value) ? undefined : date
}

const shown = (value: Moment, options: Intl.DateTimeFormatOptions): string => {
  const date = momentOf(value)
  return date === undefined ? String(value) : dateFormat(options).format(date)
}

export const showDate = (value: Moment): string => shown(value, { dateStyle: 'medium' })
export const showTime = (value: Moment): string => shown(value, { timeStyle: 'short' })
export const showDateTime = (value: Moment): string => shown(value, { dateStyle: 'medium', timeStyle: 'short' })
/** Without the year: for axes and lists of one year. */
export const showDay = (value: Moment): string => shown(value, { day: 'numeric', month: 'short' })

/** A day has no zone: noon of it is that day everywhere. What is no day is shown as it was sent. */
export const showDayOf = (text: string): string => {
  const noon = /^\d{4}-\d\d-\d\d$/.test(text) ? momentOf(`${text}T12:00:00`) : undefined
  return noon === undefined ? text : showDate(noon)
}

/** A time of day, `10:00` or `10:00:00`; what is none is shown as it was sent. */
export const showTimeOf = (text: string): string => {
  const moment = momentOf(`2000-01-01T${text}`)
  return moment === undefined ? text : showTime(moment)
}

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
  ['week', 4.348],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
]

/** "5 minutes ago", "in 2 days", "yesterday". */
export const showRelative = (value: Moment, now: number = Date.now()): string => {
  const date = momentOf(value)
  if (date === undefined) return String(value)
  const format = new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' })
  let amount = (date.getTime() - now) / 1000
  for (const [unit, size] of steps) {
    if (Math.abs(Math.round(amount)) < size) return format.format(Math.round(amount), unit)
    amount /= size
  }
  return showDate(value)
}

/** Of what has happened. Clocks differ, and that of the page stands still for seconds: it is never said to come. */
export const showAgo = (value: Moment, now: number = Date.now()): string => {
  const date = momentOf(value)
  return showRelative(date === undefined ? value : Math.min(date.getTime(), now), now)
}

/** "30 days", "12 hours": the largest unit that it has two of. */
export const showSpan = (seconds: number): string => {
  const [unit, size] =
    seconds >= 172_800
      ? (['day', 86_400] as const)
      : seconds >= 7200
        ? (['hour', 3600] as const)
        : (['minute', 60] as const)
  return numberFormat({ style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 }).format(seconds / size)
}

/** Names sort as the language sorts, and `2` before `10`. */
export const compareTexts = (a: string, b: string): number =>
  a.localeCompare(b, language.value, { numeric: true, sensitivity: 'base' })
