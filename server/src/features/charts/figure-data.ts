// What charts are drawn from by those who know the form: values as records hold them, numbers as ranges. A page of many
// charts asks for a few at a time, so each is bounded.
import { type ChartField, repeatsAround } from '../../formats/charts/index.js'
import { takingTurns } from '../../formats/turns/index.js'
import type { Db } from '../../platform/db/index.js'
import {
  type Counts,
  countChoices,
  countFields,
  countGroups,
  countValues,
  type Limits,
  type Others,
  type Population,
  type Spread,
  spreadOf,
  sumGroups,
} from '../aggregation/index.js'
import { type Grouping, groupingOf } from './grouping.js'
import { takesSeveral } from './look.js'

/** Each is a pass over the records, or a part of one. */
export const mostFigures = 30

const valueLimits: Limits = { rows: 60, bytes: 20_000 }
const dayLimits: Limits = { rows: 4_000, bytes: 100_000 }
const pairLimits: Limits = { rows: 1_500, bytes: 100_000 }

interface Common {
  /** Records, or entries of the repeat that the field stands in. */
  readonly total: number
  readonly unanswered: number
}

export type FieldFigure =
  /** The most frequent first; of a question that takes several, each choice. */
  | (Common & {
      readonly kind: 'values' | 'choices' | 'days'
      readonly rows: readonly (readonly [string, number])[]
      readonly others: Others
    })
  | (Common & { readonly kind: 'numbers'; readonly spread: Spread })
  /** Longitude, latitude and how many: put together within a hundredth of a degree, which tells a village and no house. */
  | (Common & {
      readonly kind: 'places'
      readonly rows: readonly (readonly [number, number, number])[]
      readonly others: Others
    })
  /** How often each value comes with each group. */
  | {
      readonly kind: 'pairs'
      readonly rows: readonly (readonly [string | null, string | null, number])[]
      readonly others: Others
    }
  /** A number added up for each group: the group, records, numbers among them, their sum and mean. */
  | {
      readonly kind: 'sums'
      readonly rows: readonly (readonly [string | null, number, number, number | null, number | null])[]
      readonly others: Others
    }

const answered = (row: readonly [string | null, number]): row is readonly [string, number] => row[0] !== null

const countedFigure = (kind: 'values' | 'choices' | 'days', counts: Counts): FieldFigure => ({
  kind,
  rows: counts.rows.filter(answered).reverse(),
  others: counts.others,
  total: counts.total,
  unanswered: counts.unanswered,
})

const groupedFigure = async (
  db: Db,
  population: Population,
  field: ChartField,
  { group, grouping }: { group: ChartField; grouping: Grouping },
): Promise<FieldFigure> => {
  if (grouping === 'sums') {
    const { rows, others } = await sumGroups(db, population, field, [group], pairLimits)
    const listed = rows.map((row) => [row.groups[0] ?? null, row.count, row.answers, row.sum, row.mean] as const)
    return { kind: 'sums', rows: listed, others }
  }
  const { rows, others } = await countGroups(db, population, field, [group], pairLimits)
  return { kind: 'pairs', rows: rows.map((row) => [row.value, row.groups[0] ?? null, row.count]), others }
}

/** Undefined where the field cannot be grouped by it. */
const possibleGrouping = (field: ChartField, group: ChartField | undefined) => {
  if (group === undefined) return undefined
  try {
    return { group, grouping: groupingOf(field, [group]) }
  } catch {
    return undefined
  }
}

/** What a calculation gives may be a text. */
const numberFigure = async (db: Db, population: Population, field: ChartField): Promise<FieldFigure | undefined> => {
  const spread = await spreadOf(db, population, field)
  if (spread.numbers === 0 && spread.texts > 0) return undefined
  const total = spread.numbers + spread.texts + spread.unanswered
  return { kind: 'numbers', spread, total, unanswered: spread.unanswered }
}

const placeLimits: Limits = { rows: 5_000, bytes: 300_000 }

const isWithin = (value: number, most: number): boolean => Number.isFinite(value) && Math.abs(value) <= most

const placesFigure = (counts: Counts): FieldFigure => {
  const cells = new Map<string, readonly [number, number, number]>()
  for (const [text, count] of counts.rows.filter(answered)) {
    const [latitude = Number.NaN, longitude = Number.NaN] = text
      .split(' ', 2)
      .map((part) => Math.round(Number(part) * 100) / 100)
    if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) continue
    const key = `${longitude} ${latitude}`
    cells.set(key, [longitude, latitude, (cells.get(key)?.[2] ?? 0) + count])
  }
  const { others, total, unanswered } = counts
  return { kind: 'places', rows: [...cells.values()].sort((a, b) => b[2] - a[2]), others, total, unanswered }
}

/** One field, perhaps by a group; one that cannot be grouped is counted alone. */
export const figureOfField = async (
  db: Db,
  population: Population,
  field: ChartField,
  group?: ChartField,
): Promise<FieldFigure> => {
  const grouped = possibleGrouping(field, group)
  if (grouped !== undefined) return groupedFigure(db, population, field, grouped)
  if (field.dataType === 'time_based') return countedFigure('days', await countValues(db, population, field, dayLimits))
  if (field.type === 'geopoint' && field.source.kind === 'answer')
    return placesFigure(await countValues(db, population, field, placeLimits))
  const numbers = field.dataType === 'numeric' ? await numberFigure(db, population, field) : undefined
  if (numbers !== undefined) return numbers
  return takesSeveral(field)
    ? countedFigure('choices', await countChoices(db, population, field, valueLimits))
    : countedFigure('values', await countValues(db, population, field, valueLimits))
}

/** Those that one pass over the records counts together. */
const isPlain = (field: ChartField): boolean =>
  field.source.kind === 'answer' &&
  field.dataType === 'categorized' &&
  field.type !== 'geopoint' &&
  !takesSeveral(field) &&
  repeatsAround(field).length === 0

/** Of several fields by name, as JSON. */
export const figuresText = async (
  db: Db,
  population: Population,
  fields: ReadonlyMap<string, ChartField>,
  group: ChartField | undefined,
): Promise<string> => {
  const pause = takingTurns()
  const figures = new Map<string, FieldFigure>()
  const plain = [...fields].filter(([, field]) => isPlain(field) && possibleGrouping(field, group) === undefined)
  if (plain.length > 1) {
    // They are shared out among the fields, twice over.
    const limits = { rows: (valueLimits.rows * plain.length) / 2, bytes: (valueLimits.bytes * plain.length) / 2 }
    const counted = await countFields(
      db,
      population,
      plain.map(([, field]) => field),
      limits,
    )
    for (const [place, [name]] of plain.entries()) figures.set(name, countedFigure('values', counted[place] as Counts))
  }
  for (const [name, field] of fields) {
    if (!figures.has(name)) figures.set(name, await figureOfField(db, population, field, group))
    await pause()
  }
  return JSON.stringify(Object.fromEntries([...fields.keys()].map((name) => [name, figures.get(name)])))
}
