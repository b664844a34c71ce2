// Days on a time axis: in days, weeks, months, quarters, years or longer, so that there are never too many, and without
// gaps between the first and the last.

export type TimeUnit = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'decade' | 'century'

export interface TimeSpan {
  readonly unit: TimeUnit
  /** First day of each, in order. */
  readonly starts: readonly string[]
  readonly labels: readonly string[]
  /** Which of them a day is in; -1 for what is no day. */
  placeOf(day: string): number
}

const dayMilliseconds = 86_400_000
const mostSpans = 60

const months: Readonly<Partial<Record<TimeUnit, number>>> = {
  month: 1,
  quarter: 3,
  year: 12,
  decade: 120,
  century: 1200,
}
const units: readonly TimeUnit[] = ['day', 'week', 'month', 'quarter', 'year', 'decade', 'century']

/** Days since 1970; undefined for a text that is no day of the calendar. */
const numberOf = (day: string): number | undefined => {
  const time = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) return undefined
  return time / dayMilliseconds
}

/** Which day, week (from Monday), month and so on it is, counted from one to the next. */
const indexOf = (number: number, unit: TimeUnit): number => {
  if (unit === 'day') return number
  // 1970 began on a Thursday.
  if (unit === 'week') return Math.floor((number + 3) / 7)
  const date = new Date(number * dayMilliseconds)
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / (months[unit] ?? 1))
}

const startOf = (index: number, unit: TimeUnit): string => {
  const date = new Date(0)
  if (unit === 'day') date.setTime(index * dayMilliseconds)
  else if (unit === 'week') date.setTime((index * 7 - 3) * dayMilliseconds)
  else date.setUTCFullYear(0, index * (months[unit] ?? 1), 1)
  return date.toISOString().slice(0, 10)
}

const labelOf = (start: string, unit: TimeUnit): string => {
  const [year = '', month = ''] = start.split('-')
  switch (unit) {
    case 'day':
    case 'week':
      return start
    case 'month':
      return `${year}-${month}`
    case 'quarter':
      return `${year} Q${Math.ceil(Number(month) / 3)}`
    case 'year':
      return year
    case 'decade':
    case 'century':
      return `${year}–${String(Number(year) + (unit === 'decade' ? 9 : 99)).padStart(4, '0')}`
  }
}

/** `least`: none is shorter. */
export const timeSpans = (days: readonly string[], least: TimeUnit = 'day'): TimeSpan => {
  const numbers = days.map(numberOf).filter((number) => number !== undefined)
  const [first, last] = numbers.reduce(([low, high], one) => [Math.min(low, one), Math.max(high, one)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number])
  const lengthIn = (unit: TimeUnit): number => indexOf(last, unit) - indexOf(first, unit) + 1
  if (numbers.length === 0) return { unit: least, starts: [], labels: [], placeOf: () => -1 }
  const unit = units.slice(units.indexOf(least)).find((one) => lengthIn(one) <= mostSpans) ?? 'century'
  const from = indexOf(first, unit)
  const starts = Array.from({ length: lengthIn(unit) }, (_, place) => startOf(from + place, unit))
  return {
    unit,
    starts,
    labels: starts.map((start) => labelOf(start, unit)),
    placeOf: (day) => {
      const number = numberOf(day)
      return number === undefined ? -1 : indexOf(number, unit) - from
    },
  }
}
