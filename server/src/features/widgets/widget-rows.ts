// Rows of a widget, made of what was counted. What has no value has no row.
import type { ChartField, ShownValue } from '../../formats/charts/index.js'
import type { GroupCount, GroupSum, ValueCount } from '../aggregation/index.js'

export type Row = Record<string, unknown>

/** A column, by the name that the widget gives it. */
export interface Named {
  readonly name: string
  readonly field: ChartField
}

/** A group is shown by its labels. */
export interface Group extends Named {
  shown(value: string): ShownValue
}

/** Where a question has the name of something that a row holds anyway, it steps aside. */
const keyOf = ({ name }: Named, ...taken: string[]): string => (taken.includes(name) ? `${name}_` : name)

/** What is no number comes last. */
const numberIn = (text: string): number => {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Ascending: numbers as numbers, everything else as text. */
const byValue =
  <T>({ field }: Named, pick: (item: T) => string) =>
  (first: T, second: T): number => {
    const [one, other] = [pick(first), pick(second)]
    const difference = field.dataType === 'numeric' ? numberIn(one) - numberIn(other) : 0
    return difference || compareTexts(one, other)
  }

const isAnswered = (row: ValueCount): row is readonly [string, number] => row[0] !== null

/** `{"count": 2, "age": "21"}` */
export const valueRows = (column: Named, counts: readonly ValueCount[]): Row[] =>
  counts
    .filter(isAnswered)
    .sort(byValue(column, ([value]) => value))
    .map(([value, count]) => ({ count, [keyOf(column, 'count')]: value }))

interface AnsweredCount {
  readonly value: string
  readonly groups: readonly [string]
  readonly count: number
}

interface AnsweredSum {
  readonly groups: readonly [string]
  readonly count: number
  readonly answers: number
  readonly sum: number
  readonly mean: number
}

/** `{"sex": ["Male"], "count": 2, "sum": 43, "mean": 21.5}` */
export const summedRows = (group: Group, sums: readonly GroupSum[]): Row[] => {
  const answered = sums.filter(({ groups: [of], sum }) => of != null && sum !== null) as AnsweredSum[]
  return answered.sort(byValue(group, ({ groups: [of] }) => of)).map(({ groups: [of], count, sum, mean }) => ({
    [keyOf(group, 'count', 'sum', 'mean')]: group.shown(of),
    count,
    sum,
    mean,
  }))
}

/** `{"sex": "m", "items": [{"fruits": ["Apple"], "count": 1}]}` */
export const groupedRows = (column: Named, group: Group, counts: readonly GroupCount[]): Row[] => {
  const items = new Map<string, Row[]>()
  const answered = counts.filter(({ value, groups: [of] }) => value !== null && of != null) as AnsweredCount[]
  for (const { value, groups, count } of answered.sort(byValue(group, ({ groups: [of] }) => of))) {
    const known = items.get(value) ?? []
    known.push({ [keyOf(group, 'count')]: group.shown(groups[0]), count })
    items.set(value, known)
  }
  return [...items]
    .sort(byValue(column, ([value]) => value))
    .map(([value, rows]) => ({ [keyOf(column, 'items')]: value, items: rows }))
}
