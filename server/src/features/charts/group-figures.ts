// From counts and sums by groups to what a page shows.
import { budgets } from '../../budgets.js'
import {
  type ChartField,
  counted,
  countText,
  type Figure,
  type Labelled,
  numberText,
  shareText,
  timeSpans,
  type ValueLabels,
  valueLabels,
} from '../../formats/charts/index.js'
import type { Db } from '../../platform/db/index.js'
import {
  countGroups,
  type GroupCount,
  type GroupSum,
  type Limits,
  type Others,
  sumGroups,
} from '../aggregation/index.js'
import { groupingOf } from './grouping.js'
import { type Look, mostBars, noAnswer, shareOr } from './look.js'
import type { Subject } from './subject.js'

/** Colours that can be told apart. */
const mostSeries = 8
const mostRows = 100
const limits: Limits = { rows: 5000, bytes: 500_000 }
const between = ' · '

interface Charted {
  readonly field: ChartField
  readonly groups: readonly ChartField[]
}

type LabelsOf = (field: ChartField) => ValueLabels

const textIn = (labels: ValueLabels | undefined, value: string | null | undefined): string =>
  labels?.text(value ?? null, budgets.charts.wordCharacters) ?? noAnswer

const sumBy = <T>(things: readonly T[], keyOf: (thing: T) => string, amountOf: (thing: T) => number) => {
  const sums = new Map<string, number>()
  for (const thing of things) sums.set(keyOf(thing), (sums.get(keyOf(thing)) ?? 0) + amountOf(thing))
  return sums
}

/** Names by how much there is of each; those beyond the limit are put together, or left out. */
const largest = (sums: ReadonlyMap<string, number>, most: number): string[] =>
  [...sums.entries()]
    // Whoever did not answer is told apart, behind all others.
    .sort(([x, a], [y, b]) => Number(x === noAnswer) - Number(y === noAnswer) || b - a)
    .slice(0, most)
    .map(([name]) => name)

const leftOut = (rows: number, others: Others): string[] => {
  const missing = Math.max(0, rows - mostRows) + others.values
  return missing === 0 ? [] : [`The table leaves out ${counted(missing, 'combination', 'combinations')}.`]
}

interface Cell {
  readonly category: string
  readonly series: string
  readonly amount: number
}

/** Amounts of each series in each category. */
const seriesOf = (cells: readonly Cell[], categories: readonly string[], names: readonly string[]) => {
  const places = new Map(categories.map((name, place) => [name, place]))
  const values = new Map(names.map((name) => [name, categories.map((): number | null => null)]))
  for (const { category, series, amount } of cells) {
    const place = places.get(category)
    const row = values.get(series)
    if (place !== undefined && row !== undefined) row[place] = (row[place] ?? 0) + amount
  }
  return names.map((name) => ({ name, values: values.get(name) ?? [] }))
}

const otherSeries = 'Others'

/** Of a month its first day. */
const firstDay = (time: string | null | undefined): string => (time?.length === 7 ? `${time}-01` : (time ?? ''))

const countFigure = (
  labelsOf: LabelsOf,
  field: ChartField,
  group: ChartField,
  { rows, others: left }: { rows: readonly GroupCount[]; others: Others },
  { unit }: Look,
): Figure => {
  const [own, others] = [field, group].map(labelsOf)
  const total = rows.reduce((sum, { count }) => sum + count, 0) + left.count
  const isTime = group.dataType === 'time_based'
  const spans = timeSpans(isTime ? rows.map(({ groups: [time] }) => firstDay(time)) : [], group.period)
  const cells = rows.map(({ value, groups: [by = null], count }) => {
    const name = textIn(own, value)
    const other = isTime ? (spans.labels[spans.placeOf(firstDay(by))] ?? noAnswer) : textIn(others, by)
    const [category, series] = isTime ? [other, name] : [name, other]
    return { category, series, count, amount: shareOr(count, total, unit) }
  })
  const amountOf = ({ amount }: Cell) => amount
  const byCategory = sumBy(cells, ({ category }) => category, amountOf)
  const undated = byCategory.has(noAnswer) ? [noAnswer] : []
  const categories = isTime ? [...spans.labels, ...undated] : largest(byCategory, mostBars)
  const bySeries = sumBy(cells, ({ series }) => series, amountOf)
  const named = largest(bySeries, bySeries.size > mostSeries ? mostSeries - 1 : mostSeries)
  const known = new Set(named)
  const placesIn = (names: readonly string[]) => new Map(names.map((name, place) => [name, place]))
  const [categoryPlaces, seriesPlaces] = [placesIn(categories), placesIn(named)]
  const placeOf = ({ category, series }: Cell) =>
    (categoryPlaces.get(category) ?? -1) * 1000 + (seriesPlaces.get(series) ?? -1)
  const inOrder = [...cells].sort((a, b) => placeOf(a) - placeOf(b)).slice(0, mostRows)
  const gathered = cells.map((cell) => (known.has(cell.series) ? cell : { ...cell, series: otherSeries }))
  return {
    direction: isTime ? 'up' : 'across',
    categories,
    series: seriesOf(gathered, categories, bySeries.size > mostSeries ? [...named, otherSeries] : named),
    isStacked: true,
    isContinuous: false,
    measure: unit === 'percent' ? 'share' : 'count',
    total,
    of: total,
    table: {
      headings: [...(isTime ? [group, field] : [field, group]).map(({ label }) => label), 'Count', 'Share'],
      words: 2,
      rows: inOrder.map(({ category, series, count }) => [category, series, countText(count), shareText(count, total)]),
      places: inOrder.map(({ category }) => categoryPlaces.get(category) ?? -1),
    },
    notes: [
      ...(isTime && spans.unit !== (group.period ?? 'day') ? [`Each bar is a ${spans.unit}.`] : []),
      ...(!isTime && byCategory.size > mostBars
        ? [`The chart shows the ${mostBars} most frequent of ${countText(byCategory.size)} values.`]
        : []),
      ...leftOut(rows.length, left),
    ],
    facts: [],
  }
}

/** Times in their order, and behind them what has none; of more than there is room for, the last ones. */
const mostTimes = 60
const latest = (sums: ReadonlyMap<string, number>): string[] => {
  const times = [...sums.keys()].filter((name) => name !== noAnswer).sort()
  return [...times.slice(-mostTimes), ...(sums.has(noAnswer) ? [noAnswer] : [])]
}

/** The mean of a number: bars beside each other, since means do not add up. */
const meanFigure = (
  labelsOf: LabelsOf,
  { field, groups }: Charted,
  { rows, others }: { rows: readonly GroupSum[]; others: Others },
): Figure => {
  const labels = groups.map(labelsOf)
  const named = rows.map(({ groups: values, ...sums }) => ({
    ...sums,
    names: labels.map((one, place) => textIn(one, values[place])),
  }))
  const nameOf = (names: readonly string[]) => names.slice(1).join(between) || field.label
  const cells = named.flatMap(({ names, mean }) =>
    mean === null ? [] : [{ category: names[0] ?? '', series: nameOf(names), amount: mean }],
  )
  const weight = ({ count }: { count: number }) => count
  const bySeries = sumBy(named, ({ names }) => nameOf(names), weight)
  const byCategory = sumBy(named, ({ names }) => names[0] ?? '', weight)
  const isTime = groups[0]?.dataType === 'time_based'
  const categories = isTime ? latest(byCategory) : largest(byCategory, mostBars)
  const shown = largest(bySeries, mostSeries)
  const total = named.reduce((sum, { count }) => sum + count, 0) + others.count
  const placeOf = (names: readonly string[]) => categories.indexOf(names[0] ?? '')
  const inOrder = [...named].sort((a, b) => placeOf(a.names) - placeOf(b.names)).slice(0, mostRows)
  return {
    direction: isTime ? 'up' : 'across',
    categories,
    series: seriesOf(cells, categories, shown),
    isStacked: false,
    isContinuous: false,
    measure: 'mean',
    total,
    of: total,
    table: {
      headings: [...groups.map(({ label }) => label), 'Count', 'Answers', 'Sum', 'Mean'],
      words: groups.length,
      rows: inOrder.map(({ names, count, answers, sum, mean }) => [
        ...names,
        countText(count),
        countText(answers),
        numberText(sum),
        numberText(mean),
      ]),
      places: inOrder.map(({ names }) => placeOf(names)),
    },
    notes: [
      `Bars show the mean of ${field.label}.`,
      ...(byCategory.size > categories.length || bySeries.size > mostSeries
        ? [`The chart shows the ${isTime ? 'latest' : 'largest'} groups alone.`]
        : []),
      ...leftOut(rows.length, others),
    ],
    facts: [],
  }
}

export const groupFigure = async (db: Db, subject: Subject, charted: Charted, look: Look): Promise<Figure> => {
  const { field, groups } = charted
  const { population, shape, fields } = subject
  const groupsIn = (rows: readonly { readonly groups: readonly (string | null)[] }[]): Labelled[] =>
    groups.map((group, place) => ({ field: group, values: rows.map((row) => row.groups[place] ?? null) }))
  if (groupingOf(field, groups) === 'sums') {
    const sums = await sumGroups(db, population, field, groups, limits)
    return meanFigure(await valueLabels(shape, fields.hasChoices, groupsIn(sums.rows)), charted, sums)
  }
  const [group] = groups as [ChartField]
  const counts = await countGroups(db, population, field, [group], limits)
  const asked = [{ field, values: counts.rows.map(({ value }) => value) }, ...groupsIn(counts.rows)]
  return countFigure(await valueLabels(shape, fields.hasChoices, asked), field, group, counts, look)
}
