// From counts to what a page shows, for a field by itself.
import {
  type ChartField,
  counted,
  countText,
  type Figure,
  numberText,
  shareText,
  timeSpans,
  valueLabels,
} from '../../formats/charts/index.js'
import type { Db } from '../../platform/db/index.js'
import { type Counts, countValues, type Limits, type Spread, spreadOf } from '../aggregation/index.js'
import { groupFigure } from './group-figures.js'
import { type Look, mostBars, noAnswer, shareOr, unitsOf } from './look.js'
import type { Subject } from './subject.js'

/** Rows that somebody may read. */
const tableLimits: Limits = { rows: 100, bytes: 100_000 }
/** Days are short and few: there is a year of them in 365. */
const dayLimits: Limits = { rows: 10_000, bytes: 400_000 }

interface Bar {
  readonly label: string
  readonly count: number
}

/** One series of counts, with the table of the same. */
const simpleFigure = (
  { bars, total, heading, unit }: { bars: readonly Bar[]; total: number; heading: string; unit: Look['unit'] },
  rest: Pick<Figure, 'direction' | 'isContinuous' | 'notes' | 'facts'>,
  tableRows: readonly Bar[] = bars,
): Figure => ({
  ...rest,
  categories: bars.map(({ label }) => label),
  series: [{ name: heading, values: bars.map(({ count }) => shareOr(count, total, unit)) }],
  isStacked: false,
  measure: unit === 'percent' ? 'share' : 'count',
  total,
  table: {
    headings: [heading, 'Count', 'Share'],
    words: 1,
    rows: tableRows.map(({ label, count }) => [label, countText(count), shareText(count, total)]),
    places: tableRows.map((bar) => bars.indexOf(bar)),
  },
})

/** Choices in the order of the form, other values as texts; no answer last. */
const inOrder = (field: ChartField, rows: Counts['rows'], order: Look['order']): Counts['rows'] => {
  const frequent = [...rows].reverse()
  const answered = frequent.filter(([value]) => value !== null)
  const missing = frequent.filter(([value]) => value === null)
  if (order === 'count') return [...answered, ...missing]
  const choices = field.source.kind === 'answer' ? (field.source.places[0].choices ?? []) : []
  const places = new Map(choices.map(({ name }, place) => [name, place]))
  const placeOf = (value: string | null): number => places.get(value ?? '') ?? choices.length
  const compared = (a: string | null, b: string | null): number =>
    placeOf(a) - placeOf(b) || (a ?? '').localeCompare(b ?? '', 'en', { numeric: true })
  return [...answered.sort(([a], [b]) => compared(a, b)), ...missing]
}

const othersNotes = ({ rows, others }: Counts, bars: number): string[] => {
  const values = rows.length + others.values
  return [
    ...(values > bars ? [`The chart shows the ${bars} most frequent of ${countText(values)} different values.`] : []),
    ...(others.values > 0
      ? [
          `The table leaves out ${counted(others.values, 'rare or very long value', 'rare or very long values')}, given ${counted(others.count, 'time', 'times')} together.`,
        ]
      : []),
  ]
}

const categoryFigure = (subject: Subject, field: ChartField, counts: Counts, { order, unit }: Look): Figure => {
  const { text } = valueLabels(field, subject.shape, subject.fields.hasChoices)
  const barOf = ([value, count]: readonly [string | null, number]): Bar => ({ label: text(value) ?? noAnswer, count })
  const kept = new Set(inOrder(field, counts.rows, 'count').slice(0, mostBars))
  const rows = inOrder(field, counts.rows, order).map((row) => ({ bar: barOf(row), isBar: kept.has(row) }))
  return simpleFigure(
    { bars: rows.filter(({ isBar }) => isBar).map(({ bar }) => bar), total: counts.total, heading: field.label, unit },
    { direction: 'across', isContinuous: false, notes: othersNotes(counts, mostBars), facts: [] },
    rows.map(({ bar }) => bar),
  )
}

const without = (count: number, field: ChartField, what: string): string[] => {
  const [one, many] = unitsOf(field)
  return count === 0 ? [] : [`${counted(count, `${one} has`, `${many} have`)} no ${what}.`]
}

/** Empty ranges between others are drawn too: a gap says something. */
const withGaps = ({ ranges, step }: Spread): (readonly [number, number])[] => {
  const [first, last] = [ranges[0]?.[0], ranges.at(-1)?.[0]]
  if (step === null || first === undefined || last === undefined) return [...ranges]
  const places = Math.round((last - first) / step) + 1
  // Numbers too far from each other for arithmetic are shown as they are.
  if (!(places <= 100)) return [...ranges]
  const counts = new Map(ranges.map(([from, count]) => [Math.round((from - first) / step), count]))
  return Array.from({ length: places }, (_, place) => [first + place * step, counts.get(place) ?? 0])
}

const numberNotes = (spread: Spread, field: ChartField): string[] => [
  ...without(spread.unanswered, field, 'answer'),
  ...(spread.texts > 0 ? [`${counted(spread.texts, 'answer is', 'answers are')} no number.`] : []),
]

const numberFigure = (field: ChartField, spread: Spread, { unit }: Look): Figure => {
  const isWhole = spread.step !== null && spread.step >= 1 && Number.isInteger(spread.step)
  const labelOf = (from: number): string => {
    if (spread.step === null || spread.step === 1) return numberText(from)
    return `${numberText(from)} – ${isWhole ? numberText(from + spread.step - 1) : `<${numberText(from + spread.step)}`}`
  }
  const bars = withGaps(spread).map(([from, count]) => ({ label: labelOf(from), count }))
  const facts = (['mean', 'median', 'min', 'max'] as const).map((name) => [name, numberText(spread[name])] as const)
  const total = spread.numbers + spread.texts + spread.unanswered
  return simpleFigure(
    { bars, total, heading: field.label, unit },
    {
      direction: 'up',
      isContinuous: spread.step !== null,
      notes: numberNotes(spread, field),
      facts: spread.numbers === 0 ? [] : facts,
    },
    bars.filter(({ count }) => count > 0),
  )
}

const timeFigure = (field: ChartField, { rows, total }: Counts, { unit }: Look): Figure => {
  const spans = timeSpans(rows.map(([day]) => day ?? ''))
  const counts = spans.starts.map(() => 0)
  let missed = 0
  for (const [day, count] of rows) {
    const place = spans.placeOf(day ?? '')
    if (place === -1) missed += count
    else counts[place] = (counts[place] ?? 0) + count
  }
  const bars = spans.labels.map((label, place) => ({ label, count: counts[place] ?? 0 }))
  const dated = counts.reduce((sum, count) => sum + count, 0)
  return simpleFigure(
    { bars, total, heading: field.label, unit },
    {
      direction: 'up',
      isContinuous: false,
      notes: [
        ...(spans.unit === 'day' ? [] : [`Each bar is a ${spans.unit}.`]),
        ...without(total - dated - missed, field, 'date'),
        ...(missed > 0 ? [`${counted(missed, 'date is', 'dates are')} not in the calendar.`] : []),
      ],
      facts: [],
    },
    bars.filter(({ count }) => count > 0),
  )
}

/** What a calculation gives may be a text. */
const isSpread = ({ numbers, texts }: Spread): boolean => numbers > 0 || texts === 0

export const figureOf = async (
  db: Db,
  subject: Subject,
  { field, groups }: { field: ChartField; groups: readonly ChartField[] },
  look: Look,
): Promise<Figure> => {
  const { population } = subject
  if (groups.length > 0) return groupFigure(db, subject, { field, groups }, look)
  if (field.dataType === 'time_based') {
    return timeFigure(field, await countValues(db, population, field, dayLimits), look)
  }
  if (field.dataType === 'numeric') {
    const spread = await spreadOf(db, population, field)
    if (isSpread(spread)) return numberFigure(field, spread, look)
  }
  return categoryFigure(subject, field, await countValues(db, population, field, tableLimits), look)
}
