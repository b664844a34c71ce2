// Dates and times as people and spreadsheets write them, in ISO 8601.

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const dayOf = (year: string | undefined, month: string | number | undefined, day: string | undefined): Day => ({
  year: Number(year),
  month: Number(month),
  day: Number(day),
})

const monthNumber = (name: string | undefined): number => months.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
const daysIn = ({ year, month }: Day): number =>
  month === 2 ? (isLeapYear(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

const isOfCalendar = (day: Day): boolean =>
  day.month >= 1 && day.month <= 12 && day.day >= 1 && day.day <= daysIn(day) && day.year >= 1

const withSlashes = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/

/** With slashes the month comes first, unless it cannot be one, or the column says otherwise; with dots the day does. */
const slashed = (first: string, second: string, year: string, isDayFirst: boolean): Day =>
  isDayFirst || Number(first) > 12 ? dayOf(year, second, first) : dayOf(year, first, second)

const datePatterns: readonly [RegExp, (match: RegExpExecArray, isDayFirst: boolean) => Day][] = [
  [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/, ([, year, , month, day]) => dayOf(year, month, day)],
  [/^(\d{4})(\d\d)(\d\d)$/, ([, year, month, day]) => dayOf(year, month, day)],
  [withSlashes, ([, first, , second, year], isDayFirst) => slashed(first ?? '', second ?? '', year ?? '', isDayFirst)],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, ([, day, month, year]) => dayOf(year, month, day)],
  [/^(\d{1,2})[ -]([A-Za-z]{3,9})[ -](\d{4})$/, ([, day, month, year]) => dayOf(year, monthNumber(month), day)],
  [/^([A-Za-z]{3,9}) (\d{1,2}),? (\d{4})$/, ([, month, day, year]) => dayOf(year, monthNumber(month), day)],
]

const padded = (number: number, length = 2): string => String(number).padStart(length, '0')

const isoDay = (text: string, isDayFirst: boolean): string | undefined => {
  for (const [pattern, read] of datePatterns) {
    const match = pattern.exec(text)
    if (match === null) continue
    const day = read(match, isDayFirst)
    return isOfCalendar(day) ? `${padded(day.year, 4)}-${padded(day.month)}-${padded(day.day)}` : undefined
  }
  return undefined
}

const timePattern = /^(\d{1,2}):(\d\d)(?::(\d\d)(\.\d{1,9})?)?\s*(?:([ap]m)\s*)?(Z|[+-]\d\d(?::?\d\d)?)?$/i

interface Time {
  readonly text: string
  /** '' where none is given. */
  readonly zone: string
}

const isoTime = (given: string): Time | undefined => {
  const match = timePattern.exec(given)
  if (match === null) return undefined
  const [, hourText, minute = '', second = '00', fraction = '', half = '', zone = ''] = match
  const hour = hourOf(Number(hourText), half.toLowerCase())
  if (hour === undefined || Number(minute) > 59 || Number(second) > 59) return undefined
  return { text: `${padded(hour)}:${minute}:${second}${fraction}`, zone: zone.toUpperCase() }
}

const hourOf = (hour: number, half: string): number | undefined => {
  if (half === '') return hour <= 23 ? hour : undefined
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

/** What is no date gives undefined. */
export interface Moment {
  /** `2013-01-31`. */
  readonly date: string
  /** `2013-01-31T10:00:00+00:00`; without a zone it is UTC, without a time midnight. */
  readonly dateTime: string
  readonly isZoned: boolean
}

/** The time starts behind the first T, or behind the blank before the first colon. */
const dayAndTime = (text: string): [day: string, time: string | undefined] => {
  const mark = text.slice(1).search(/[T\s]\d{1,2}:\d\d/) + 1
  if (mark === 0) return [text, undefined]
  const before = text.slice(0, mark)
  return [text[mark] === 'T' ? before : before.trimEnd(), text.slice(mark + 1)]
}

export interface MomentRules {
  /** With slashes. */
  readonly isDayFirst?: boolean
  /** Where none is given. */
  readonly zone?: string
}

export const momentOf = (
  text: string,
  { isDayFirst = false, zone = '+00:00' }: MomentRules = {},
): Moment | undefined => {
  const [day, time] = dayAndTime(text)
  const date = isoDay(day, isDayFirst)
  if (date === undefined) return undefined
  const clock = time === undefined ? { text: '00:00:00', zone: '' } : isoTime(time)
  if (clock === undefined) return undefined
  return { date, dateTime: `${date}T${clock.text}${clock.zone === '' ? zone : clock.zone}`, isZoned: clock.zone !== '' }
}

export const timeOf = (text: string, { zone = '' }: MomentRules = {}): string | undefined => {
  const time = isoTime(text)
  return time === undefined ? undefined : `${time.text}${time.zone === '' ? zone : time.zone}`
}

/** Which of the two comes first, where a text can mean one order only: `13/02/2020`, `02/13/2020`. */
export const orderOf = (text: string): 'day' | 'month' | undefined => {
  if (text.length > longestClock) return undefined
  const [, first, , second] = withSlashes.exec(dayAndTime(text)[0]) ?? []
  const isMonth = (number: string | undefined) => Number(number) >= 1 && Number(number) <= 12
  if (first === undefined || isMonth(first) === isMonth(second)) return undefined
  return isMonth(first) ? 'month' : 'day'
}

/** What a clock on the wall shows, whatever the zone: a day and a time, or a time alone. */
export interface WallClock {
  /** Since the beginning of 1970, or of the day. */
  readonly milliseconds: number
  /** '' where none is given. */
  readonly zone: string
  readonly offsetMs: number
}

const minuteMs = 60_000
const longestClock = 100

const offsetOf = (zone: string): number => {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs
}

/** Undefined for a day without a time, and for what is neither. */
export const wallClockOf = (text: string, isDayFirst = false): WallClock | undefined => {
  if (text.length > longestClock) return undefined
  const [day, time] = dayAndTime(text)
  const clock = isoTime(time ?? text)
  const date = time === undefined ? undefined : isoDay(day, isDayFirst)
  if (clock === undefined || (time !== undefined && date === undefined)) return undefined
  const [hours = '', minutes = '', seconds = ''] = clock.text.split(':')
  const inDay = (Number(hours) * 60 + Number(minutes)) * minuteMs + Math.round(Number(seconds) * 1000)
  const milliseconds = inDay + (date === undefined ? 0 : Date.parse(`${date}T00:00:00Z`))
  return { milliseconds, zone: clock.zone, offsetMs: offsetOf(clock.zone) }
}
