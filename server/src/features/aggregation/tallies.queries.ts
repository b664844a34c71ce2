// What is kept of large forms (migration 0037), and how it is brought forward.
import { acrossForms, type Db, join, type Sql, sql } from '../../platform/db/index.js'
import { unpacked } from './found.queries.js'
import type { FieldRows } from './values.queries.js'

/** A field and its groups by their paths, as whoever counts it later finds them again. */
export interface About {
  readonly path: string
  readonly groups: readonly { readonly path: string; readonly period: 'month' | null }[]
}

export interface TallyState {
  readonly id: string
  readonly state: 'wanted' | 'kept' | 'diverse'
  /** Something has changed since it was counted. */
  readonly isBehind: boolean
  /** Nobody has said for an hour that they ask for it. */
  readonly isUnsaid: boolean
}

/** An index has it at its end. Asked whether there is a later one, the planner may look for it among the first records. */
const lastChange = (formId: number): Sql => sql`
  greatest((select max(change_no) from submissions where form_id = ${formId}::int),
    (select max(change_no) from submission_tombstones where form_id = ${formId}::int))`

export const listTallies = (db: Db, formId: number, ids: readonly string[]) =>
  db.rows<TallyState>(sql`
    select tally as id, state, state = 'kept' and coalesce(${lastChange(formId)} > change_no, false) as "isBehind",
      asked_at < now() - interval '1 hour' as "isUnsaid"
    from tallies where form_id = ${formId}::int and tally = any(${ids}::uuid[])`)

/** What is kept can be counted again at any time: its commits do not wait for the disk. No two records have the same answers:
 * remembering what was found in each (memoize) only costs. */
export const withoutWaiting = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.run(sql`
      select set_config('synchronous_commit', 'off', true), set_config('enable_memoize', 'off', true)`)
    return work(tx)
  })

/** Of one form at most. Whoever asks for more has them counted each time. */
const mostOfForm = 1000

/** Those that are new are wanted from now on. Answers whether there is any. */
export const askFor = async (
  db: Db,
  formId: number,
  asked: readonly { readonly id: string; readonly about: About }[],
): Promise<boolean> => {
  const ids = asked.map(({ id }) => id)
  await db.run(sql`
    update tallies set asked_at = now() where form_id = ${formId}::int and tally = any(${ids}::uuid[])`)
  const added = await db.run(sql`
    insert into tallies (form_id, tally, about, state_at, asked_at)
    select ${formId}::int, given.tally, given.about, now(), now()
    from unnest(${ids}::uuid[], ${asked.map(({ about }) => JSON.stringify(about))}::jsonb[]) as given (tally, about)
    where (select count(*) from tallies where form_id = ${formId}::int) < ${mostOfForm}::int
    on conflict do nothing`)
  return added > 0
}

export const listWanted = (db: Db, formId: number) =>
  db.rows<{ id: string; about: About }>(sql`
    select tally as id, about from tallies where form_id = ${formId}::int and state = 'wanted' order by tally`)

export interface LockedTally {
  readonly id: string
  readonly shift: number
  readonly changeNo: number
}

/** Locked until the transaction ends: a tally is brought forward by one after the other. */
export const lockTallies = (db: Db, formId: number, state: TallyState['state'], ids: readonly string[]) =>
  db.rows<LockedTally>(sql`
    select tally as id, shift, change_no as "changeNo" from tallies
    where form_id = ${formId}::int and state = ${state} and tally = any(${ids}::uuid[])
    order by tally for update`)

/** Blocks in which something has changed since, as rows of `block`. */
export const blocksChanged = (formId: number, since: number, shift: number): Sql => sql`
  select distinct id >> ${shift}::int as block from (
    select id from submissions where form_id = ${formId}::int and change_no > ${since}::bigint
    union all
    select id from submission_tombstones where form_id = ${formId}::int and change_no > ${since}::bigint) recent`

/** A run of blocks, half open. */
export const blocksBetween = (from: number, to: number): Sql =>
  sql`select block from generate_series(${from}::bigint, ${to}::bigint - 1) block`

/** What is counted of a record: one row for each tally, or for each entry of the repeats that its field stands in. */
const countedOf = (tallies: readonly FieldRows[]): Sql => {
  const columns = ({ value, groups: [first, second] }: FieldRows, place: number): Sql => sql`
    ${place}::int, ${value}::text, ${first === undefined ? sql`null` : first}::text,
    ${second === undefined ? sql`null` : second}::text`
  const plain = tallies.flatMap((rows, place) => (rows.isOfRecord ? [sql`(${columns(rows, place)})`] : []))
  const others = tallies.flatMap((rows, place) =>
    rows.isOfRecord ? [] : [sql`select ${columns(rows, place)} from (select) record ${rows.joins}`],
  )
  return join([...(plain.length === 0 ? [] : [sql`values ${join(plain, ', ')}`]), ...others], ' union all ')
}

/** Of a row of `changed`. Apart (by its offset), or the planner, who knows nothing of how wide blocks are, goes through the whole form
 * where it takes more than a few of them for changed; in the order of ids, or it goes through the form for each block by another index
 * where it does not know yet how large the form has become. */
const recordsInBlock = (formId: number, shift: number): Sql => sql`
  select submissions.* from submissions
  where submissions.form_id = ${formId}::int and submissions.deleted_at is null
    and submissions.id >= changed.block << ${shift}::int and submissions.id < (changed.block + 1) << ${shift}::int
  order by submissions.id offset 0`

export interface Recounted {
  readonly id: string
  readonly values: number
  readonly bytes: number
}

/** Counts the blocks anew, and changes the whole by the difference. Answers how large each has become. */
export const recount = (
  db: Db,
  formId: number,
  tallies: readonly { readonly id: string; readonly rows: FieldRows }[],
  { blocks, shift, bound }: { blocks: Sql; shift: number; bound: number },
) => {
  const ids = tallies.map(({ id }) => id)
  return db.rows<Recounted>(sql`
    with named as materialized (
      select tally, (place - 1)::int as place from unnest(${ids}::uuid[]) with ordinality as given (tally, place)),
    changed as materialized (${blocks}),
    anew as materialized (
      select counted.place, changed.block, counted.value, counted.g1, counted.g2, count(*) as count
      from changed cross join lateral (${recordsInBlock(formId, shift)}) submissions
      cross join lateral (${countedOf(tallies.map(({ rows }) => rows))}) as counted (place, value, g1, g2)
      group by 1, 2, 3, 4, 5),
    former as materialized (
      select named.place, named.tally, changed.block, tallies.value, tallies.g1, tallies.g2, tallies.count
      from changed cross join named cross join lateral (
        select value, g1, g2, count from tally_blocks
        where form_id = ${formId}::int and tally = named.tally and block = changed.block offset 0) tallies),
    held as materialized (
      select tallies.place, each.value, each.g1, each.g2, each.count from former tallies cross join ${unpacked}),
    difference as materialized (
      select place, value, g1, g2, sum(count) as count
      from (select place, value, g1, g2, count from anew union all select place, value, g1, g2, -count from held) parts
      group by 1, 2, 3, 4 having sum(count) <> 0),
    packed as materialized (
      select named.tally, anew.block, array_agg(value) as value, array_agg(g1) as g1, array_agg(g2) as g2, array_agg(count) as count
      from anew join named on named.place = anew.place group by 1, 2),
    empty as materialized (select tally, block from former except select tally, block from packed),
    emptied as (
      delete from tally_blocks blocks using empty
      where blocks.form_id = ${formId}::int and blocks.tally = empty.tally and blocks.block = empty.block),
    filled as (
      insert into tally_blocks (form_id, tally, block, value, g1, g2, count)
      select ${formId}::int, tally, block, value, g1, g2, count from packed
      on conflict (form_id, tally, block) do update set value = excluded.value, g1 = excluded.g1, g2 = excluded.g2,
        count = excluded.count),
    summed as (
      select place, value, g1, g2, sum(count)::bigint as count
      from (
        select named.place, each.value, each.g1, each.g2, each.count
        from tallies join named on named.tally = tallies.tally cross join ${unpacked}
        where tallies.form_id = ${formId}::int and named.place in (select place from difference)
        union all
        select place, value, g1, g2, count from difference) parts
      group by 1, 2, 3, 4 having sum(count) <> 0),
    whole as (
      select named.tally, array_agg(value) filter (where count is not null) as value,
        array_agg(g1) filter (where count is not null) as g1, array_agg(g2) filter (where count is not null) as g2,
        array_agg(count) filter (where count is not null) as count,
        sum(coalesce(octet_length(value), 0) + coalesce(octet_length(g1), 0) + coalesce(octet_length(g2), 0)) as bytes
      from named left join summed on summed.place = named.place
      where named.place in (select place from difference) group by 1)
    update tallies set change_no = ${bound}::bigint,
      value = case when whole.tally is null then tallies.value else coalesce(whole.value, '{}') end,
      g1 = case when whole.tally is null then tallies.g1 else coalesce(whole.g1, '{}') end,
      g2 = case when whole.tally is null then tallies.g2 else coalesce(whole.g2, '{}') end,
      count = case when whole.tally is null then tallies.count else coalesce(whole.count, '{}') end
    from named left join whole on whole.tally = named.tally
    where tallies.form_id = ${formId}::int and tallies.tally = named.tally
    returning tallies.tally as id, cardinality(tallies.count) as values, coalesce(whole.bytes, 0) as bytes`)
}

/** What is different in almost every record is not kept: it would be the records once more. What others may be reading just
 * now is emptied later. */
export const giveUp = async (db: Db, formId: number, ids: readonly string[]): Promise<void> => {
  await db.run(sql`
    update tallies set state = 'diverse', state_at = now() where form_id = ${formId}::int and tally = any(${ids}::uuid[])`)
  await db.run(sql`delete from tally_blocks where form_id = ${formId}::int and tally = any(${ids}::uuid[])`)
}

/** Blocks of another width say nothing. Those of the same width that an earlier try has left are counted anew one by one. */
export const begin = async (db: Db, formId: number, ids: readonly string[], shift: number): Promise<void> => {
  const others = sql`form_id = ${formId}::int and tally = any(${ids}::uuid[])`
  const isOther = sql`${others} and shift <> ${shift}::int`
  await db.run(sql`
    delete from tally_blocks where ${others} and tally in (select tally from tallies where ${isOther})`)
  await db.run(sql`
    update tallies set shift = ${shift}::int, value = '{}', g1 = '{}', g2 = '{}', count = '{}' where ${isOther}`)
}

export const finish = (db: Db, formId: number, ids: readonly string[], bound: number) =>
  db.run(sql`
    update tallies set state = 'kept', state_at = now(), change_no = ${bound}::bigint
    where form_id = ${formId}::int and tally = any(${ids}::uuid[]) and state = 'wanted'`)

export const forget = async (db: Db, formId: number, ids: readonly string[]): Promise<void> => {
  await db.run(sql`delete from tally_blocks where form_id = ${formId}::int and tally = any(${ids}::uuid[])`)
  await db.run(sql`delete from tallies where form_id = ${formId}::int and tally = any(${ids}::uuid[])`)
}

/** The ids of a form's records, half open; undefined where it has none. */
export const idsOf = async (db: Db, formId: number) => {
  const { from, to } = await db.one<{ from: number | null; to: number | null }>(sql`
    select min(id) as from, max(id) + 1 as to from submissions where form_id = ${formId}::int`)
  return from === null || to === null ? undefined : { from, to }
}

/** Tallies that are not the sum of their blocks: no id, and words. */
export const differingTallies = (formId: number): Sql => sql`
  with kept as materialized (select * from tallies where form_id = ${formId} and state = 'kept'),
  parts as (
    select tallies.tally, each.value, each.g1, each.g2, each.count from kept tallies cross join ${unpacked}
    union all
    select tallies.tally, each.value, each.g1, each.g2, -each.count
    from tally_blocks tallies join kept on kept.tally = tallies.tally cross join ${unpacked}
    where tallies.form_id = ${formId}),
  different as (select tally, value from parts group by tally, value, g1, g2 having sum(count) <> 0)
  select 0 as id, 'the chart of ' || (kept.about ->> 'path') || ', ' || count(*) || ' values' as what
  from different join kept on kept.tally = different.tally group by kept.tally, kept.about`

/** By form: what nobody has asked for in a week, and what was found diverse a week ago, which may have changed. */
export const listStale = (db: Db) =>
  db.rows<{ formId: number; ids: string[] }>(
    acrossForms(
      'a job that tidies up; every worker looks among its own',
      sql`
    select form_id as "formId", array_agg(tally) as ids from tallies
    where asked_at < now() - interval '7 days'
      or (state = 'diverse' and state_at < now() - interval '7 days')
    group by form_id`,
    ),
  )

/** Nobody reads them any more. */
export const emptyDiverse = (db: Db) =>
  db.run(
    acrossForms(
      'a job that tidies up; every worker does its own',
      sql`
    update tallies set value = '{}', g1 = '{}', g2 = '{}', count = '{}'
    where state = 'diverse' and state_at < now() - interval '1 minute' and count <> '{}'`,
    ),
  )

/** Forms of which something was asked for within a day: what has fallen behind, and what waits although its job had the time to
 * count it. */
export const listUsed = (db: Db) =>
  db.rows<{ formId: number; behind: { id: string; about: About }[]; isWanted: boolean }>(
    acrossForms(
      'a job looks for what has fallen behind; every worker for its own forms',
      sql`
    select form_id as "formId", bool_or(state = 'wanted' and state_at < now() - interval '10 minutes') as "isWanted",
      coalesce(json_agg(json_build_object('id', tally, 'about', about)) filter (where state = 'kept'), '[]') as behind
    from (
      select form_id, tally, about, state, state_at, min(change_no) filter (where state = 'kept') over (partition by form_id) as since
      from tallies where state <> 'diverse' and asked_at > now() - interval '1 day') used
    where state = 'wanted'
      or exists (select from submissions records where records.form_id = used.form_id and records.change_no > used.since)
      or exists (select from submission_tombstones gone where gone.form_id = used.form_id and gone.change_no > used.since)
    group by form_id order by form_id`,
    ),
  )
