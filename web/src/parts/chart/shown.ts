// From a figure to what a chart shows: bars, the same numbers as a table, and sentences on what the bars leave out. Pure: words
// come from whoever asks.
import type { Drawing } from '@sheaf/server/drawing'
import type { CountFigure, Figure, NumberFigure, PairFigure, SumFigure } from '@/api/figures'
import { dayBars, type Span } from './days'

export interface ShownWords {
  valueLabel(value: string): string
  groupLabel(value: string): string
  /** Of the start of a span. */
  dayLabel(day: string, span: Span): string
  number(value: number): string
  percent(share: number): string
  readonly answer: string
  readonly count: string
  readonly share: string
  readonly noAnswer: string
  readonly otherGroups: string
  readonly sum: string
  readonly mean: string
  readonly records: string
}

export interface ShownLook {
  readonly unit: 'count' | 'percent'
  /** Of a number by groups. */
  readonly of: 'mean' | 'sum'
}

export interface Shown {
  readonly drawing: Drawing
  readonly headings: readonly string[]
  /** As numbers where they are: they are shown by the locale, and written as they are into a file. */
  readonly rows: readonly (readonly (string | number)[])[]
  /** Records or entries that have an answer, and that have none; undefined where groups tell it. */
  readonly answered: number | undefined
  readonly unanswered: number
  /** Values that are not shown, and how often they were given. */
  readonly left: { readonly values: number; readonly count: number }
  readonly takesSeveral: boolean
  /** Of dates. */
  readonly span: Span | undefined
  readonly missedDates: number
  /** Texts that are all different are no chart. */
  readonly isAllDifferent: boolean
}

/** Bars that can be told apart. */
const mostBars = 30
/** Colours that can be told apart. */
const mostGroups = 8

const shareOr = (count: number, of: number, { unit }: ShownLook): number =>
  unit === 'percent' ? (of === 0 ? 0 : count / of) : count

const plain: Pick<Shown, 'left' | 'takesSeveral' | 'span' | 'missedDates' | 'isAllDifferent'> = {
  left: { values: 0, count: 0 },
  takesSeveral: false,
  span: undefined,
  missedDates: 0,
  isAllDifferent: false,
}

interface Bars {
  readonly bars: readonly (readonly [label: string, count: number])[]
  readonly of: number
  readonly direction: Drawing['direction']
  readonly isContinuous?: boolean
}

const simple = ({ bars, of, direction, isContinuous = false }: Bars, words: ShownWords, look: ShownLook) => ({
  drawing: {
    direction,
    categories: bars.map(([label]) => label),
    series: [{ name: words.count, values: bars.map(([, count]) => shareOr(count, of, look)) }],
    isStacked: false,
    isContinuous,
    measure: look.unit === 'percent' ? ('share' as const) : ('count' as const),
  },
  headings: [words.answer, words.count, words.share],
  rows: bars.map(([label, count]) => [label, count, words.percent(of === 0 ? 0 : count / of)]),
})

const ofValues = (figure: CountFigure, words: ShownWords, look: ShownLook): Shown => {
  const of = figure.total - figure.unanswered
  const kept = figure.rows.slice(0, mostBars)
  const cut = figure.rows.slice(mostBars)
  const most = figure.rows[0]?.[1] ?? 0
  const values = figure.rows.length + figure.others.values
  return {
    ...plain,
    ...simple(
      { bars: kept.map(([value, count]) => [words.valueLabel(value), count]), of, direction: 'across' },
      words,
      look,
    ),
    answered: of,
    unanswered: figure.unanswered,
    left: {
      values: cut.length + figure.others.values,
      count: cut.reduce((sum, [, count]) => sum + count, 0) + figure.others.count,
    },
    takesSeveral: figure.kind === 'choices',
    isAllDifferent: figure.kind === 'values' && most === 1 && values > 8,
  }
}

/** The same bars over time, whatever the days are of. */
const ofDays = (figure: CountFigure, words: ShownWords, look: ShownLook): Shown => {
  const { span, starts, counts, missed } = dayBars(figure.rows)
  const dated = counts.reduce((sum, count) => sum + count, 0)
  const bars = starts.map((start, place) => [words.dayLabel(start, span), counts[place] ?? 0] as const)
  const shown = simple({ bars, of: dated, direction: 'up' }, words, look)
  return {
    ...plain,
    ...shown,
    rows: shown.rows.filter(([, count]) => count !== 0),
    answered: dated,
    unanswered: Math.max(0, figure.total - dated - missed - figure.others.count),
    left: figure.others,
    span,
    missedDates: missed,
  }
}

/** Empty ranges between others are drawn, too: a gap says something. */
export const withGaps = ({ ranges, step }: NumberFigure['spread']): (readonly [number, number])[] => {
  const [first, last] = [ranges[0]?.[0], ranges.at(-1)?.[0]]
  if (step === null || first === undefined || last === undefined) return [...ranges]
  const places = Math.round((last - first) / step) + 1
  if (!(places <= 100)) return [...ranges]
  const counts = new Map(ranges.map(([from, count]) => [Math.round((from - first) / step), count]))
  return Array.from({ length: places }, (_, place) => [first + place * step, counts.get(place) ?? 0])
}

const ofNumbers = (figure: NumberFigure, words: ShownWords, look: ShownLook): Shown => {
  const { spread } = figure
  const { step, isWhole } = spread
  const labelOf = (from: number): string => {
    if (step === null || (isWhole && step === 1)) return words.number(from)
    return `${words.number(from)}–${isWhole ? words.number(from + step - 1) : `<${words.number(from + step)}`}`
  }
  const bars = withGaps(spread).map(([from, count]) => [labelOf(from), count] as const)
  const shown = simple({ bars, of: spread.numbers, direction: 'up', isContinuous: step !== null }, words, look)
  return {
    ...plain,
    ...shown,
    rows: shown.rows.filter(([, count]) => count !== 0),
    answered: spread.numbers,
    unanswered: figure.unanswered,
  }
}

const totals = (entries: Iterable<readonly [string | null, number]>): [string | null, number][] => {
  const counts = new Map<string | null, number>()
  for (const [name, count] of entries) counts.set(name, (counts.get(name) ?? 0) + count)
  // No answer comes last.
  return [...counts].sort(([a, few], [b, many]) => Number(a === null) - Number(b === null) || many - few)
}

const ofPairs = (figure: PairFigure, words: ShownWords, look: ShownLook): Shown => {
  const label = (name: string | null, of: (value: string) => string) => (name === null ? words.noAnswer : of(name))
  const values = totals(figure.rows.map(([value, , count]) => [value, count] as const)).slice(0, mostBars)
  const groups = totals(figure.rows.map(([, group, count]) => [group, count] as const))
  const shownGroups = groups.length > mostGroups ? groups.slice(0, mostGroups - 1) : groups
  const place = new Map(shownGroups.map(([group], index) => [group, index]))
  const line = new Map(values.map(([value], index) => [value, index]))
  const names = shownGroups.map(([group]) => label(group, words.groupLabel))
  if (groups.length > shownGroups.length) names.push(words.otherGroups)
  const cells = values.map(() => names.map(() => 0))
  for (const [value, group, count] of figure.rows) {
    const cell = cells[line.get(value) ?? -1]
    if (cell === undefined) continue
    const at = place.get(group) ?? names.length - 1
    cell[at] = (cell[at] ?? 0) + count
  }
  const categories = values.map(([value]) => label(value, words.valueLabel))
  const sumOf = (index: number) => values[index]?.[1] ?? 0
  return {
    ...plain,
    drawing: {
      direction: 'across',
      categories,
      series: names.map((name, at) => ({
        name,
        values: cells.map((cell, index) => shareOr(cell[at] ?? 0, sumOf(index), look)),
      })),
      isStacked: true,
      isContinuous: false,
      measure: look.unit === 'percent' ? 'share' : 'count',
    },
    headings: [words.answer, ...names],
    rows: categories.map((category, index) => [category, ...(cells[index] ?? [])]),
    answered: undefined,
    unanswered: 0,
    left: figure.others,
  }
}

const isDay = (value: string | null): boolean => value !== null && /^\d{4}-\d{2}-\d{2}$/.test(value)

const ofSums = (figure: SumFigure, words: ShownWords, look: ShownLook): Shown => {
  const all = figure.rows.filter(([, , numbers]) => numbers > 0)
  const isTime = all.length > 0 && all.every(([group]) => group === null || isDay(group))
  const rows = isTime ? all.slice(-mostBars) : all.toSorted((a, b) => b[1] - a[1]).slice(0, mostBars)
  const label = (group: string | null) => {
    if (group === null) return words.noAnswer
    return isTime ? words.dayLabel(group, 'day') : words.groupLabel(group)
  }
  return {
    ...plain,
    drawing: {
      direction: isTime ? 'up' : 'across',
      categories: rows.map(([group]) => label(group)),
      series: [
        {
          name: look.of === 'sum' ? words.sum : words.mean,
          values: rows.map((row) => (look.of === 'sum' ? row[3] : row[4])),
        },
      ],
      isStacked: false,
      isContinuous: false,
      measure: 'mean',
    },
    headings: [words.answer, words.records, words.sum, words.mean],
    rows: rows.map(([group, records, , sum, mean]) => [label(group), records, sum ?? 0, mean ?? 0]),
    answered: undefined,
    unanswered: 0,
    left: { values: all.length - rows.length + figure.others.values, count: figure.others.count },
  }
}

export const shownOf = (figure: Figure, words: ShownWords, look: ShownLook): Shown => {
  if (figure.kind === 'numbers') return ofNumbers(figure, words, look)
  if (figure.kind === 'pairs') return ofPairs(figure, words, look)
  // Places are a map, not bars.
  if (figure.kind === 'places') return ofValues({ ...figure, kind: 'values', rows: [] }, words, look)
  if (figure.kind === 'sums') return ofSums(figure, words, look)
  return figure.kind === 'days' ? ofDays(figure, words, look) : ofValues(figure, words, look)
}
