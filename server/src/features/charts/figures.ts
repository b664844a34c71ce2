// From counts to what a page shows, for a field by itself.
import { budgets } from '../../budgets.js'
import {
  type ChartField,
  counted,
  countText,
  type Figure,
  numberText,
  shareText,
  timeSpans,
  type ValueLabels,
  valueLabels,
} from '../../formats/charts/index.js'
import type { Db } from '../../platform/db/index.js'
import { type Counts, countChoices, countValues, type Limits, type Spread, spreadOf } from '../aggregation/index.js'
import { groupFigure } from './group-figures.js'
import { type Look, mostBars, noAnswer, shareOr, takesSeveral, unitsOf } from './look.js'
import type { Subject } from './subject.js'

/** Rows that somebody may read. */
const tableLimits: Limits = { rows: 100, bytes: 100_000 }
/** Days are short and few: there is a year of them in 365. */
const dayLimits: Limits = { rows: 10_000, bytes: 400_000 }

interface Bar {
  readonly label: string
  readonly count: number
}

interface Bars {
  readonly bars: readonly Bar[]
  readonly total: number
  /** What a share is a share of: whoever did not answer is told apart. */
  readonly of: number
  readonly heading: string
  readonly unit: Look['unit']
}

/** One series of counts, with the table of the same. */
const simpleFigure = (
  { bars, total, of, heading, unit }: Bars,
  rest: Pick<Figure, 'direction' | 'isContinuous' | 'notes' | 'facts'>,
  tableRows: readonly Bar[] = bars,
): Figure => ({
  ...rest,
  categories: bars.map(({ label }) => label),
  series: [{ name: heading, values: bars.map(({ count }) => shareOr(count, of, unit)) }],
  isStacked: false,
  measure: unit === 'percent' ? 'share' : 'count',
  total,
  of,
  table: {
    headings: [heading, 'Count', 'Share'],
    words: 1,
    rows: tableRows.map(({ label, count }) => [label, countText(count), shareText(count, of)]),
    places: tableRows.map((bar) => bars.indexOf(bar)),
  },
})

/** Choices in the order of the form, other values as texts. */
const inOrder = ({ placeOf }: ValueLabels, rows: Counts['rows'], order: Look['order']): Counts['rows'] => {
  const answered = [...rows].reverse()
  if (order === 'count') return answered
  const compared = (a: string | null, b: string | null): number =>
    placeOf(a) - placeOf(b) || (a ?? '').localeCompare(b ?? '', 'en', { numeric: true })
  return answered.sort(([a], [b]) => compared(a, b))
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

/** No answer is no bar: it is told below, and shares are of those who answered. */
const categoryFigure = (labels: ValueLabels, field: ChartField, given: Counts, { order, unit, by }: Look): Figure => {
  const counts = { ...given, rows: given.rows.filter(([value]) => value !== null) }
  const of = counts.total - counts.unanswered
  const barOf = ([value, count]: readonly [string | null, number]): Bar => ({
    label: labels.text(value, budgets.charts.wordCharacters) ?? noAnswer,
    count,
  })
  const kept = new Set(inOrder(labels, counts.rows, 'count').slice(0, mostBars))
  const rows = inOrder(labels, counts.rows, order).map((row) => ({ bar: barOf(row), isBar: kept.has(row) }))
  return simpleFigure(
    {
      bars: rows.filter(({ isBar }) => isBar).map(({ bar }) => bar),
      total: counts.total,
      of,
      heading: field.label,
      unit,
    },
    {
      direction: 'across',
      isContinuous: false,
      notes: [
        ...(takesSeveral(field) && by === 'choice' ? [severalNote] : []),
        ...without(counts.unanswered, field, 'answer'),
        ...othersNotes(counts, mostBars),
      ],
      facts: [],
    },
    rows.map(({ bar }) => bar),
  )
}

const severalNote = 'Several choices could be taken, so that shares may add up to more than 100%.'

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
  const { step, isWhole } = spread
  // Of decimals, 9.5 is between 5 and 10: a range that ends with 9 would not hold it.
  const labelOf = (from: number): string => {
    if (step === null || (isWhole && step === 1)) return numberText(from)
    return `${numberText(from)} – ${isWhole ? numberText(from + step - 1) : `<${numberText(from + step)}`}`
  }
  const bars = withGaps(spread).map(([from, count]) => ({ label: labelOf(from), count }))
  const facts = [
    ['answers', countText(spread.numbers)] as const,
    ...(['mean', 'median', 'min', 'max'] as const).map((name) => [name, numberText(spread[name])] as const),
  ]
  const total = spread.numbers + spread.texts + spread.unanswered
  return simpleFigure(
    { bars, total, of: spread.numbers, heading: field.label, unit },
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
    { bars, total, of: dated, heading: field.label, unit },
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
  const isByChoice = takesSeveral(field) && look.by === 'choice'
  const counts = await (isByChoice ? countChoices : countValues)(db, population, field, tableLimits)
  const asked = [{ field, values: counts.rows.map(([value]) => value) }]
  const labelsOf = await valueLabels(subject.shape, subject.fields.hasChoices, asked)
  return categoryFigure(labelsOf(field), field, counts, look)
}
