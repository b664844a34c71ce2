// Days put together to as many bars as can be told apart: days, weeks, months or years, whichever is the shortest that fits.

export type Span = 'day' | 'week' | 'month' | 'year'

export interface DayBars {
  readonly span: Span
  /** The first day of each, `2026-01-31`, without gaps. */
  readonly starts: readonly string[]
  readonly counts: readonly number[]
  /** What is no day of a calendar. */
  readonly missed: number
}

const dayMilliseconds = 86_400_000
/** As many bars as a chart has room for. */
const mostBars = 62

const timeOf = (day: string): number => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return time
}
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The first of a month. `Date.UTC` would take the years before 100 for those of the last century. */
const firstOf = (year: number, month: number): number => {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 1)
  return date.getTime()
}

/** The start of the span that a day is in. Weeks begin on Monday. */
const startOf = (time: number, span: Span): number => {
  const date = new Date(time)
  if (span === 'day') return time
  if (span === 'week') return time - ((date.getUTCDay() + 6) % 7) * dayMilliseconds
  return firstOf(date.getUTCFullYear(), span === 'year' ? 0 : date.getUTCMonth())
}

const nextOf = (time: number, span: Span): number => {
  const date = new Date(time)
  if (span === 'day') return time + dayMilliseconds
  if (span === 'week') return time + 7 * dayMilliseconds
  return span === 'month'
    ? firstOf(date.getUTCFullYear(), date.getUTCMonth() + 1)
    : firstOf(date.getUTCFullYear() + 1, 0)
}

const lengths: readonly (readonly [Span, number])[] = [
  ['day', 1],
  ['week', 7],
  ['month', 30.4],
]

export const spanFor = (days: number): Span => lengths.find(([, length]) => days / length <= mostBars)?.[0] ?? 'year'

/** `from` and `to` widen what is shown beyond the days that have counts. */
export const dayBars = (
  rows: readonly (readonly [string, number])[],
  { from, to, span: asked }: { from?: string; to?: string; span?: Span } = {},
): DayBars => {
  const dated = rows.map(([day, count]) => [timeOf(day), count] as const)
  const known = dated.filter(([time]) => !Number.isNaN(time))
  const missed = dated.filter(([time]) => Number.isNaN(time)).reduce((sum, [, count]) => sum + count, 0)
  const edges = [from, to].flatMap((day) => (day === undefined ? [] : [timeOf(day)]))
  const times = [...known.map(([time]) => time), ...edges]
  if (times.length === 0) return { span: 'day', starts: [], counts: [], missed }
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
  const span = asked ?? spanFor((last - first) / dayMilliseconds + 1)
  const counted = new Map<number, number>()
  for (const [time, count] of known) {
    const start = startOf(time, span)
    counted.set(start, (counted.get(start) ?? 0) + count)
  }
  const starts: number[] = []
  // A wrong date may be centuries away: then only what has counts is shown.
  const most = 400
  for (let time = startOf(first, span); time <= last && starts.length <= most; time = nextOf(time, span))
    starts.push(time)
  const shown = starts.length > most ? [...counted.keys()].sort((a, b) => a - b).slice(-most) : starts
  return { span, starts: shown.map(textOf), counts: shown.map((start) => counted.get(start) ?? 0), missed }
}
