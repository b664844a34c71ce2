// Statistics of numeric questions, and counts by any field.
import { budgets } from '../../budgets.js'
import { type ChartField, valueLabels } from '../../formats/charts/index.js'
import type { Db } from '../../platform/db/index.js'
import { countValues, fitting, type Statistics, statisticsOf, type ValueCount } from '../aggregation/index.js'
import type { Subject } from '../charts/index.js'
import { notNumeric, unknownField } from './stats.errors.js'

/** What JSON cannot say is not known. */
const known = (number: number | undefined): number | null =>
  number === undefined || !Number.isFinite(number) ? null : number

const hundredths = (number: number | null): number | null => (number === null ? null : Math.round(number * 100) / 100)

/** Half of what the numbers of a computer lose in a subtraction is not shown. */
const difference = (max: number | null, min: number | null): number | null =>
  max === null || min === null ? null : known(Number((max - min).toPrecision(15)))

const whole = (found: Statistics | undefined) => {
  const [max, min] = [known(found?.max), known(found?.min)]
  return {
    mean: hundredths(known(found?.mean)),
    median: known(found?.median),
    mode: known(found?.mode),
    max,
    min,
    range: difference(max, min),
  }
}

type Figures = Partial<ReturnType<typeof whole>>

const methods: Readonly<Record<string, (all: ReturnType<typeof whole>) => Figures>> = {
  mean: ({ mean }) => ({ mean }),
  median: ({ median }) => ({ median }),
  mode: ({ mode }) => ({ mode }),
  range: ({ max, min, range }) => ({ max, min, range }),
}

const numericOf = (subject: Subject, name: string): Map<string, ChartField> => {
  if (name === '') return new Map([...subject.questions].filter(([, { dataType }]) => dataType === 'numeric'))
  const field = subject.find(name)
  if (field?.source.kind !== 'answer') throw unknownField()
  if (field.dataType !== 'numeric') throw notNumeric()
  return new Map([[name, field]])
}

/** A calculation may be a text: it is shown where it gave numbers, or where it is asked for. */
const isShown = ({ type }: ChartField, found: Statistics | undefined, isAsked: boolean): boolean =>
  isAsked || type !== 'calculate' || found !== undefined

export interface StatsAsked {
  readonly field: string
  readonly method: string
}

/** Fields are found before anything is counted: what is wrong is said at once. */
export const statsOf = (subject: Subject, { field, method }: StatsAsked) => {
  const fields = numericOf(subject, field)
  const pick = Object.hasOwn(methods, method) ? methods[method] : undefined
  return async (db: Db): Promise<Record<string, Figures>> => {
    const found = fields.size === 0 ? [] : await statisticsOf(db, subject.population, [...fields.values()])
    const entries = [...fields].map(([name, one], place) => ({ name, field: one, found: found[place] }))
    return Object.fromEntries(
      entries
        .filter((entry) => isShown(entry.field, entry.found, field !== ''))
        .map((entry) => [entry.name, pick?.(whole(entry.found)) ?? whole(entry.found)]),
    )
  }
}

/** No answer last. */
const byValue = ([a]: readonly [string | null, number], [b]: readonly [string | null, number]): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a < b ? -1 : Number(a > b)
}

export const countsBy = (subject: Subject, group: string, name: string) => {
  const field = subject.find(group)
  if (field === undefined) throw unknownField()
  // Both are in a row: who asks for the name of the count gets it beside the count.
  const key = name === 'count' ? 'count_' : name
  return async (db: Db): Promise<object[]> => {
    const counted = await countValues(db, subject.population, field)
    const asked = [{ field, values: counted.rows.map(([value]) => value) }]
    const { text, lengthOf } = (await valueLabels(subject.shape, subject.fields.hasChoices, asked))(field)
    const lists = [{ counted, lengthOf: ([value]: ValueCount) => lengthOf(value) }]
    const [{ rows } = counted] = await fitting(lists, budgets.charts.labelCharacters, ([, count]) => count)
    return [...rows].sort(byValue).map(([value, count]) => ({ [key]: text(value) ?? null, count }))
  }
}
