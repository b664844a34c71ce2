// Counting and adding up: one statement for each question, whatever it asks.
import type { ChartField } from '../../formats/charts/index.js'
import { type Db, join, type Sql, scan, sql } from '../../platform/db/index.js'
import { columnOf, foundRows, groupColumnsOf, looseRows, type Tally } from './found.queries.js'
import { tallyOf, whereKept } from './kept-tallies.js'
import {
  type Counts,
  type CountsRow,
  countsOf,
  type Limits,
  leftOut,
  type Others,
  ranked,
  usualLimits,
} from './limits.queries.js'
import type { Population } from './population.queries.js'
import { numberOf, textOf } from './values.queries.js'

/** Each stored answer with how many gave it. */
const valuesOf = (field: ChartField, population: Population, tally: Tally | undefined): Sql =>
  sql`found as materialized (${foundRows(population, { field }, tally)})`

const totals = sql`sum(count) as total, sum(count) filter (where found.value is null) as unanswered`

/** `counted` is the relation that holds the totals. */
const listedCounts = (counted: Sql): Sql => sql`
  select coalesce(json_agg(json_build_array(value, count) order by count, value collate "C") filter (where kept), '[]') as rows,
    ${leftOut}, (select total from ${counted}) as total, (select unanswered from ${counted}) as unanswered
  from listed`

/** Of a time, days are counted, and what has none is left out. */
export const countValues = async (
  db: Db,
  population: Population,
  field: ChartField,
  limits: Limits = usualLimits,
): Promise<Counts> => {
  const tally = await tallyOf(db, population, { field })
  const isCounted = field.dataType === 'time_based' ? sql`found.value is not null` : sql`true`
  // All that is counted over all values at once: they may be a hundred thousand, and going through them takes ten milliseconds.
  const whole = sql`
    select count(*) filter (where ${isCounted}) as values, sum(count) filter (where ${isCounted}) as count, ${totals} from found`
  return countsOf(
    await whereKept(db, tally).one<CountsRow>(
      scan(sql`
      with ${valuesOf(field, population, tally)},
      named as not materialized (
        select ${textOf(field, sql`found.value`)} as value, count from found where ${isCounted}
      ),
      ${ranked(sql`value collate "C"`, sql`octet_length(value)`, limits, whole)}
      ${listedCounts(sql`whole`)}`),
    ),
  )
}

/** Of a question that takes several choices, how often each was taken; no answer is none of them. */
export const countChoices = async (
  db: Db,
  population: Population,
  field: ChartField,
  limits: Limits = usualLimits,
): Promise<Counts> => {
  const tally = await tallyOf(db, population, { field })
  return countsOf(
    await whereKept(db, tally).one<CountsRow>(
      scan(sql`
      with ${valuesOf(field, population, tally)},
      named as materialized (
        select choice as value, sum(found.count) as count from found cross join lateral (
          select distinct choice from unnest(string_to_array(found.value, ' ')) as choice where choice <> '') as taken
        group by 1
      ),
      records as (select ${totals} from found),
      ${ranked(sql`value collate "C"`, sql`octet_length(value)`, limits)}
      ${listedCounts(sql`records`)}`),
    ),
  )
}

/** Of a row of `found`, the groups as texts. */
const texts = (groups: readonly ChartField[]): Sql => {
  const each = groups.map((group, place) => textOf(group, sql`found.${columnOf(place)}`))
  return sql`array[${join(each, ', ')}]::text[]`
}

export interface GroupCount {
  readonly value: string | null
  /** Of each group, in the order in which they were asked for. */
  readonly groups: readonly (string | null)[]
  readonly count: number
}

export interface GroupRows<Row> {
  /** In the order of the groups, and then of the values. */
  readonly rows: readonly Row[]
  readonly others: Others
}

interface GroupsRow<Row> {
  readonly rows: Row[]
  readonly others: number
  readonly othersCount: number | null
}

const groupRowsOf = <Row>({ rows, others, othersCount }: GroupsRow<Row>): GroupRows<Row> => ({
  rows,
  others: { values: others, count: othersCount ?? 0 },
})

/** How often each value of a field comes with each value of the groups. */
export const countGroups = async (
  db: Db,
  population: Population,
  field: ChartField,
  groups: readonly ChartField[],
  limits: Limits = usualLimits,
): Promise<GroupRows<GroupCount>> => {
  const tally = await tallyOf(db, population, { field, groups })
  return groupRowsOf(
    await whereKept(db, tally).one<GroupsRow<GroupCount>>(
      scan(sql`
      with found as (${foundRows(population, { field, groups }, tally)}),
      named as (select ${textOf(field, sql`found.value`)} as value, ${texts(groups)} as groups, count from found),
      ${ranked(
        sql`groups collate "C", value collate "C"`,
        sql`octet_length(value) + octet_length(groups::text)`,
        limits,
      )}
      select coalesce(json_agg(json_build_object('value', value, 'groups', groups, 'count', count)
          order by groups collate "C", value collate "C") filter (where kept), '[]') as rows,
        ${leftOut}
      from listed`),
    ),
  )
}

export interface GroupSum {
  readonly groups: readonly (string | null)[]
  /** Records, or entries of the repeat that the field stands in. */
  readonly count: number
  /** The numbers among the answers: what the mean is of. */
  readonly answers: number
  /** Of the numbers among the answers; null where there are none. */
  readonly sum: number | null
  readonly mean: number | null
}

/** A numeric field for every combination of the groups. What is no number is not added up. */
export const sumGroups = async (
  db: Db,
  population: Population,
  field: ChartField,
  groups: readonly ChartField[],
  limits: Limits = usualLimits,
): Promise<GroupRows<GroupSum>> => {
  const tally = await tallyOf(db, population, { field, groups })
  const columns = groupColumnsOf(groups)
  return groupRowsOf(
    await whereKept(db, tally).one<GroupsRow<GroupSum>>(
      scan(sql`
      with answered as (
        select ${numberOf(field, sql`each.value`)} as number, ${columns}, each.count
        from (${looseRows(population, { field, groups }, tally)}) each
      ),
      added as (
        select ${columns}, sum(count) as count, sum(count) filter (where number is not null) as answers,
          sum(number * count) as sum
        from answered group by ${columns}
      ),
      found as (select ${columns}, count, coalesce(answers, 0) as answers, sum, sum / answers as mean from added),
      named as (select ${texts(groups)} as groups, count, answers, sum, mean from found),
      ${ranked(sql`groups collate "C"`, sql`octet_length(groups::text)`, limits)}
      select coalesce(json_agg(json_build_object('groups', groups, 'count', count, 'answers', answers, 'sum', sum, 'mean', mean)
          order by groups collate "C") filter (where kept), '[]') as rows,
        ${leftOut}
      from listed`),
    ),
  )
}
