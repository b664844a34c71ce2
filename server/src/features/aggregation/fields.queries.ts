// Many questions at once, in one pass over the answers, whatever their number.
import type { ChartField } from '../../formats/charts/index.js'
import { type Db, join, type Sql, scan, sql } from '../../platform/db/index.js'
import { valuesAt } from '../submissions/index.js'
import { foundRows, type Tally, unpacked } from './found.queries.js'
import { talliesOf, whereKept } from './kept-tallies.js'
import {
  type Counts,
  type CountsRow,
  countsOf,
  isKept,
  type Limits,
  usualLimits,
  type ValueCount,
} from './limits.queries.js'
import { counted, type Population } from './population.queries.js'
import { entriesOf } from './values.queries.js'

/** Where an answer is looked for, and which field it belongs to. */
interface Place {
  readonly field: number
  /** 0 is the record itself, then the chains of repeats from 1. */
  readonly chain: number
  readonly key: string
  readonly isDay: boolean
  /** Where the question is asked now: there, no answer counts too. */
  readonly isNow: boolean
  /** What is stored may be the entries of a repeat, which are no answer. */
  readonly isAlsoRepeat: boolean
  /** What is stored is what is counted, and there alone. */
  readonly isPlain: boolean
}

interface Places {
  readonly places: readonly Place[]
  /** Of each chain, the path to its entries. */
  readonly chains: readonly string[]
  /** Of each field, the chain that it stands in now. */
  readonly chainOf: readonly number[]
}

const placesOf = (fields: readonly ChartField[]): Places => {
  const chains = new Map<string, number>()
  const chainOf = (repeats: readonly string[]): number => {
    if (repeats.length === 0) return 0
    const path = entriesOf(...repeats)
    const number = chains.get(path) ?? chains.size + 1
    chains.set(path, number)
    return number
  }
  const slotsOf = ({ source }: ChartField) => (source.kind === 'answer' ? source.places : [])
  const places = fields.flatMap((field, number) =>
    slotsOf(field).map(({ key, repeats, isAlsoRepeat }, place) => ({
      field: number,
      chain: chainOf(repeats),
      key,
      isDay: field.dataType === 'time_based',
      isNow: place === 0,
      isAlsoRepeat,
      isPlain: slotsOf(field).length === 1 && !isAlsoRepeat && field.dataType !== 'time_based',
    })),
  )
  const now = fields.map((field) => chainOf(slotsOf(field)[0]?.repeats ?? []))
  return { places, chains: [...chains.keys()], chainOf: now }
}

/** How often every answer was given, in all and where its question is asked now: `found`. A row without a value counts
 * records or entries: its field is the number of its chain below zero.
 *
 * Answers of records and of the entries of repeats are counted apart, and records by themselves: each of the three can
 * be shared among several processes of the database, all in one could not (measured over 100,000 records of 50
 * questions on two cores: 2.2 s against 4.7). Keys are looked up in an object, which needs no plan of its own. */
const answersOf = (population: Population, { places, chains }: Places): Sql => {
  const column = <T>(pick: (place: Place) => T): T[] => places.map(pick)
  const keys = JSON.stringify(Object.fromEntries(column(({ key }) => [key, 1])))
  const where = counted(population)
  const paths = sql`unnest(${chains}::jsonpath[]) with ordinality as paths (path, chain)`
  const entries = sql`cross join lateral ${valuesAt(sql`submissions.answers`, sql`paths.path`)} as entries (entry)`
  const inRepeats =
    chains.length === 0
      ? sql``
      : sql`union all
          select paths.chain, answer.key, answer.value, count(*) from submissions cross join ${paths} ${entries}
          cross join lateral jsonb_each_text(entries.entry) as answer
          where ${where} and ${keys}::jsonb ? answer.key
          group by 1, 2, 3
          union all
          select paths.chain, '', null, count(*) from submissions cross join ${paths} ${entries} where ${where} group by 1`
  return sql`
    with wanted as materialized (
      select * from unnest(${column(({ field }) => field)}::int[], ${column(({ chain }) => chain)}::int[],
        ${column(({ key }) => key)}::text[], ${column(({ isDay }) => isDay)}::boolean[],
        ${column(({ isNow }) => isNow)}::boolean[], ${column(({ isAlsoRepeat }) => isAlsoRepeat)}::boolean[],
        ${column(({ isPlain }) => isPlain)}::boolean[])
        as given (field, chain, key, is_day, is_now, is_repeat, is_plain)
    ),
    met (chain, key, value, count) as materialized (
      select 0, answer.key, answer.value, count(*)
      from submissions cross join lateral jsonb_each_text(submissions.answers) as answer
      where ${where} and ${keys}::jsonb ? answer.key
      group by 2, 3
      union all
      select 0, '', null, count(*) from submissions where ${where}
      ${inRepeats}
    ),
    found as (
      select wanted.field, met.value, met.count, met.count as now
      from met join wanted on wanted.chain = met.chain and wanted.key = met.key where wanted.is_plain
      union all
      select wanted.field, case when wanted.is_day then day_of(met.value) else met.value end as value,
        sum(met.count)::bigint as count, sum(met.count) filter (where wanted.is_now) as now
      from met join wanted on wanted.chain = met.chain and wanted.key = met.key
      where not wanted.is_plain and not (wanted.is_repeat and met.value like '[{"%')
      group by 1, 2
      union all
      select -1 - met.chain, null, met.count, null from met where met.key = ''
    )`
}

const share = ({ rows, bytes }: Limits, fields: number): Limits => ({
  rows: Math.max(10, Math.floor((2 * rows) / Math.max(fields, 1))),
  bytes: Math.max(2_000, Math.floor((2 * bytes) / Math.max(fields, 1))),
})

/** The same of fields that were counted by themselves: each has a chain of its own, with its number. */
const foundIn = (met: Sql): Sql => sql`
  with met as materialized (${met}),
  found as (
    select field, value, count, count as now from met where value is not null
    union all
    select -1 - field, null, sum(count)::bigint, null from met group by field
  )`

const keptAnswers = (tallies: readonly Tally[]): Sql =>
  foundIn(sql`
    select (named.place - 1)::int as field, each.value, each.count
    from unnest(${tallies.map(({ id }) => id)}::uuid[]) with ordinality as named (tally, place)
    join tallies on tallies.form_id = ${tallies[0]?.formId ?? 0}::int and tallies.tally = named.tally
    cross join ${unpacked}`)

/** Taking every record apart costs as much as looking for so many answers in it. */
const fewFields = 4

const eachAnswers = (population: Population, fields: readonly ChartField[]): Sql => {
  const counts = fields.map(
    (field, number) => sql`
      (select ${number}::int as field, each.value::text as value, each.count
        from (${foundRows(population, { field }, undefined)}) each)`,
  )
  return foundIn(join(counts, ' union all '))
}

/** Fields and what tells how often each of their values was given: `found`, and of each field its chain. */
interface Answers {
  /** Where they are. */
  readonly db: Db
  readonly fields: readonly ChartField[]
  readonly found: Sql
  readonly chainOf: readonly number[]
}

/** What is kept is read, everything else is counted in one pass over the records. */
const answered = async <T>(
  db: Db,
  population: Population,
  fields: readonly ChartField[],
  read: (answers: Answers) => Promise<readonly T[]>,
): Promise<T[]> => {
  const tallies = await talliesOf(
    db,
    population,
    fields.map((field) => ({ field })),
  )
  const kept = fields.filter((_field, place) => tallies[place] !== undefined)
  const others = fields.filter((_field, place) => tallies[place] === undefined)
  const results = new Map<ChartField, T>()
  const take = async (answers: Answers) => {
    const found = await read(answers)
    for (const [place, field] of answers.fields.entries()) results.set(field, found[place] as T)
  }
  const alone = (where: Db, some: readonly ChartField[], found: Sql) =>
    take({ db: where, fields: some, found, chainOf: some.map((_field, place) => place) })
  const known = tallies.filter((tally) => tally !== undefined)
  if (kept.length > 0) await alone(whereKept(db, known[0]), kept, keptAnswers(known))
  if (others.length > 0 && others.length <= fewFields) await alone(db, others, eachAnswers(population, others))
  else if (others.length > 0) {
    const places = placesOf(others)
    await take({ db, fields: others, found: answersOf(population, places), chainOf: places.chainOf })
  }
  return fields.map((field) => results.get(field) as T)
}

/** Values and how often each was there, in the order in which they were ranked: in another, the database would sort them twice. As
 * two lists, which are put together here. */
interface FieldCounts extends Omit<CountsRow, 'rows'> {
  readonly field: number
  readonly values: (string | null)[]
  readonly counts: number[]
  readonly now: number | null
}

const rarestFirst = ({ values, counts }: FieldCounts): ValueCount[] =>
  values.map((value, place): ValueCount => [value, counts[place] as number]).sort(([, a], [, b]) => a - b)

const countsIn = async ({ db, fields, found: answers, chainOf }: Answers, limits: Limits): Promise<Counts[]> => {
  const inOrder = sql`order by count desc, value collate "C"`
  const found = await db.rows<FieldCounts>(
    scan(sql`
    ${answers},
    listed as (
      select field, value, count, now, ${isKept(sql`octet_length(value)`, limits)} as kept
      from found where field < 0 or value is not null
      window ranked as (partition by field ${inOrder} rows unbounded preceding)
    )
    select field, coalesce(to_json(array_agg(value ${inOrder}) filter (where kept)), '[]') as values,
      coalesce(to_json(array_agg(count ${inOrder}) filter (where kept)), '[]') as counts,
      count(*) filter (where not kept) as others, sum(count) filter (where not kept) as "othersCount", sum(count) as total, sum(now) as now
    from listed group by field`),
  )
  const byField = new Map(found.map((row) => [row.field, { ...row, rows: rarestFirst(row) }]))
  return fields.map((field, number) => {
    const asked = byField.get(-1 - (chainOf[number] ?? 0))?.total ?? 0
    const answered = byField.get(number) ?? { rows: [], others: 0, othersCount: 0, total: 0, now: 0 }
    return withUnanswered(field, countsOf(answered), asked - (answered.now ?? 0))
  })
}

/** Of questions, in their order; the limits are shared out among them. */
export const countFields = (
  db: Db,
  population: Population,
  fields: readonly ChartField[],
  limits: Limits = usualLimits,
): Promise<Counts[]> => answered(db, population, fields, (answers) => countsIn(answers, share(limits, fields.length)))

/** Records without an answer, in their place among the others. Of times they are left out. */
const withUnanswered = ({ dataType }: ChartField, answered: Counts, missing: number): Counts => {
  const total = answered.total + missing
  const unanswered = missing
  if (missing === 0 || dataType === 'time_based') return { ...answered, total, unanswered }
  const place = answered.rows.findIndex(([, count]) => count > missing)
  const at = place === -1 ? answered.rows.length : place
  return {
    ...answered,
    rows: [...answered.rows.slice(0, at), [null, missing], ...answered.rows.slice(at)],
    total,
    unanswered,
  }
}

export interface Statistics {
  readonly mean: number
  readonly median: number
  /** The most frequent; of several the smallest. */
  readonly mode: number
  readonly min: number
  readonly max: number
}

const statisticsIn = async ({ db, fields, found: answers }: Answers): Promise<(Statistics | undefined)[]> => {
  const found = await db.rows<Statistics & { field: number }>(
    scan(sql`
    ${answers},
    numbers as (
      select field, number, sum(count) as count
      from (select field, number_of(value) as number, count from found where field >= 0) each
      where number is not null group by field, number
    ),
    ordered as (
      select *, sum(count) over (partition by field order by number) as upto, sum(count) over (partition by field) as total
      from numbers
    )
    select field, sum(number * count) / sum(count) as mean, min(number) as min, max(number) as max,
      (array_agg(number order by count desc, number))[1] as mode,
      (min(number) filter (where upto * 2 >= total) + min(number) filter (where upto * 2 > total)) / 2 as median
    from ordered group by field`),
  )
  const byField = new Map(found.map((row) => [row.field, row]))
  return fields.map((_field, number) => byField.get(number))
}

/** Of the numbers among the answers to each question, in their order; undefined where there are none. */
export const statisticsOf = (
  db: Db,
  population: Population,
  fields: readonly ChartField[],
): Promise<(Statistics | undefined)[]> => answered(db, population, fields, statisticsIn)
