// Indexes of answers as PostgreSQL has them: found by their names, made and dropped beside whoever writes.
import { type Db, empty, named, type Session, type Sql, sql } from '../../../platform/db/index.js'
import {
  answerAt,
  dayValue,
  foldedValue,
  type IndexKind,
  momentValue,
  numberValue,
  textValue,
} from '../answers/index.js'
import type { AnswerIndex } from './indexes.queries.js'

const prefix = 'submissions__answer_'
const indexName = (id: number): Sql => named(`${prefix}${id}`)
const statisticsName = (id: number): Sql => named(`${prefix}${id}_values`)

/** Any constant will do, as long as every process uses the same. */
const lockKey = 7_243_022

/** Held until it is given back, or until the session ends; false when somebody else has it. */
export const lockTending = async (session: Session): Promise<boolean> =>
  (await session.one<{ taken: boolean }>(sql`select pg_try_advisory_lock(${lockKey}::bigint) as taken`)).taken

export const unlockTending = (session: Session) => session.run(sql`select pg_advisory_unlock(${lockKey}::bigint)`)

export interface FoundIndex {
  readonly id: number
  /** False: its making was cut off in the middle. */
  readonly isValid: boolean
}

/** Statistics alone count as one that is broken. */
export const listFound = (session: Session): Promise<FoundIndex[]> =>
  session.rows<FoundIndex>(sql`
    with indexes as (
      select substr(relname, ${prefix.length + 1}::int) as number, indisvalid and indisready as is_valid
      from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = 'submissions'::regclass and relname ~ ${`^${prefix}[0-9]+$`})
    select coalesce(indexes.number, statistics.number)::int as id, coalesce(is_valid, false) as "isValid"
    from indexes full join (
      select substring(stxname from ${`^${prefix}([0-9]+)_values$`}) as number from pg_statistic_ext
      where stxrelid = 'submissions'::regclass and stxname ~ ${`^${prefix}[0-9]+_values$`}) statistics
      on statistics.number = indexes.number
    order by 1`)

const expressions: Readonly<Record<IndexKind, (answer: Sql) => Sql>> = {
  text: textValue,
  number: numberValue,
  date: dayValue,
  moment: momentValue,
  part: foldedValue,
}

/** In order, with the id behind it as in lists; or by what is in the answer. */
const definitionOf = (kind: IndexKind, value: Sql): Sql =>
  kind === 'part' ? sql`using gin ((${value}) gin_trgm_ops)` : sql`((${value}), id)`

const isCitus = async (session: Session): Promise<boolean> =>
  (
    await session.one<{ there: boolean }>(sql`
      select exists (select from pg_extension where extname = 'citus') as there`)
  ).there

/** The planner takes no statistics from an index on a part of a table. Without any, it would go through an index for half of the
 * form, record by record. Citus knows none of expressions. */
const defineStatistics = async (session: Session, id: number, kind: IndexKind, value: Sql): Promise<void> => {
  if (kind === 'part' || (await isCitus(session))) return
  await session.define(sql`
    create statistics ${statisticsName(id)} (mcv) on form_id, (${value}) from submissions`)
}

type Made = Pick<AnswerIndex, 'id' | 'formId' | 'key' | 'kind'>

/** Nobody who reads or writes waits for it. What is there of a former try is dropped before. */
export const makeIndex = async (session: Session, { id, formId, key, kind }: Made): Promise<void> => {
  const value = expressions[kind](answerAt(key))
  if (kind === 'part') await session.define(sql`create extension if not exists pg_trgm`)
  // Before the index: one that is there and whole has what belongs to it.
  await defineStatistics(session, id, kind, value)
  await session.define(sql`
    create index concurrently ${indexName(id)} on submissions ${definitionOf(kind, value)}
    where form_id = ${formId}::int and deleted_at is null`)
}

export const dropIndex = async (session: Session, id: number): Promise<void> => {
  await session.define(sql`drop index concurrently if exists ${indexName(id)}`)
  await session.define(sql`drop statistics if exists ${statisticsName(id)}`)
}

/** What the planner knows of answers, from a sample of all records. */
export const refreshStatistics = (session: Session): Promise<void> => session.define(sql`analyze submissions`)

/** The share of the most common answer, among the first and the last records of the form. */
export const commonShare = async (db: Pick<Db, 'one'>, { formId, key, kind }: Made, most: number): Promise<number> => {
  const some = (order: Sql): Sql => sql`
    (select ${expressions[kind](answerAt(key))} as value from submissions
      where form_id = ${formId} and deleted_at is null order by id ${order} limit ${most})`
  const { share } = await db.one<{ share: number }>(sql`
    select coalesce(max(count) / sum(count), 0) as share from (
      select count(*) as count from (${some(empty)} union all ${some(sql`desc`)}) sampled
      where value is not null group by value) counted`)
  return share
}
