// Where counting begins: every value of a field with how often it was given, from the records or from what is kept of them.
import type { BuiltinField, ChartField } from '../../formats/charts/index.js'
import { join, type Sql, sql } from '../../platform/db/index.js'
import { counted, type Population } from './population.queries.js'
import { fieldRows } from './values.queries.js'

/** Groups have columns of their own, because what is stored differs in type; there are not more of them than this. */
const groupColumns = [sql`g1`, sql`g2`, sql`g3`, sql`g4`, sql`g5`, sql`g6`, sql`g7`, sql`g8`]
export const mostGroups = groupColumns.length

export const columnOf = (place: number): Sql => groupColumns[place] as Sql

export const groupColumnsOf = (groups: readonly ChartField[]): Sql => join(groupColumns.slice(0, groups.length), ', ')

/** What is kept of a form's records, by the hash of what is counted. */
export interface Tally {
  readonly formId: number
  readonly id: string
}

const builtinTypes = {
  _submission_time: sql`date`,
  _submitted_by: sql`int`,
  _duration: sql`bigint`,
  _version: sql`text`,
  _review_status: sql`text`,
} satisfies Readonly<Record<BuiltinField, Sql>>

/** Values are kept as texts, and counted on as what they are. */
const typeOf = ({ source, period }: ChartField): Sql => {
  if (source.kind !== 'builtin') return sql`text`
  return period === 'month' ? sql`timestamp` : builtinTypes[source.name]
}

const listed = (columns: readonly Sql[]): Sql => join(columns, ', ')

const named = (groups: readonly Sql[]): Sql[] => groups.map((group, place) => sql`${group} as ${columnOf(place)}`)

/** What a kept row holds, one row for each combination. */
export const unpacked = sql`
  lateral unnest(tallies.value, tallies.g1, tallies.g2, tallies.count) as each (value, g1, g2, count)`

/** A field, and what stands beside its values. */
export interface Asked {
  readonly field: ChartField
  readonly groups?: readonly ChartField[]
}

const keptRows = ({ field, groups = [] }: Asked, { formId, id }: Tally): Sql => {
  const others = named(groups.map((group, place) => sql`each.${columnOf(place)}::${typeOf(group)}`))
  return sql`
    select ${listed([sql`each.value::${typeOf(field)} as value`, ...others, sql`each.count`])}
    from tallies cross join ${unpacked}
    where tallies.form_id = ${formId}::int and tallies.tally = ${id}::uuid`
}

const recordRows = (population: Population, { field, groups = [] }: Asked, count: Sql): Sql => {
  const rows = fieldRows(field, groups)
  return sql`
    select ${listed([sql`${rows.value} as value`, ...named(rows.groups), sql`${count} as count`])}
    from submissions ${rows.joins} where ${counted(population)}`
}

/** `value`, a column for each group, and `count`: each combination once. */
export const foundRows = (population: Population, asked: Asked, tally: Tally | undefined): Sql => {
  if (tally !== undefined) return keptRows(asked, tally)
  const columns = [sql`1`, ...(asked.groups ?? []).map((_group, place) => columnOf(place))]
  return sql`${recordRows(population, asked, sql`count(*)`)} group by ${listed(columns)}`
}

/** The same for whoever puts them together by the groups alone: numbers of a million records may be as many. */
export const looseRows = (population: Population, asked: Asked, tally: Tally | undefined): Sql =>
  tally === undefined ? recordRows(population, asked, sql`1`) : keptRows(asked, tally)
