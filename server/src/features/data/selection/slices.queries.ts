// Which records a list shows: found first, shown after. A slice is either a run of a list in its order, or ids.
import { type Db, type Sql, scan, sql } from '../../../platform/db/index.js'
import type { SeenForm } from './access.js'
import { visible } from './access.queries.js'
import { compiled, inWindow, sorted, type TimeWindow, turned } from './conditions.queries.js'
import { filtered } from './filters.queries.js'
import type { ListRequest } from './list-request.js'

export interface Slice {
  readonly formId: number
  /** Stands behind `from submissions`. */
  readonly joins: Sql
  /** A condition on `submissions`, form and visibility included. */
  readonly where: Sql
  readonly order: Sql
  readonly offset: number
  /** null: all. */
  readonly limit: number | null
  /** Records are looked through by what they hold, so it is planned for the values that are looked for (see `scan`). */
  readonly isSearch?: true
}

export const matching = ({ seen, filters, condition }: ListRequest): Sql =>
  sql`${visible(seen)} and ${filtered(filters)} and ${compiled(condition, seen.form)}`

export const orderOf = ({ seen, sort }: ListRequest): Sql => sorted(sort, seen.form)
export const oppositeOf = ({ seen, sort }: ListRequest): Sql => turned(sort, seen.form)

export const whereInWindow = (seen: SeenForm, window: TimeWindow, fromId: number | null): Sql =>
  fromId === null
    ? sql`${visible(seen)} and ${inWindow(window)}`
    : sql`${visible(seen)} and ${inWindow(window)} and submissions.id >= ${fromId}::bigint`

/** What matches, from an id on. */
export const whereFrom = (request: ListRequest, fromId: number): Sql =>
  sql`${matching(request)} and submissions.id >= ${fromId}::bigint`

/** Half open. */
export interface IdRange {
  readonly from: number
  readonly to: number
}

/** Ranges of ids, each looked up by itself. They are texts, because COPY takes no other lists. */
export const withinRanges = (ranges: readonly IdRange[]): Sql => {
  const list = (ids: readonly number[]): Sql => sql`${`{${ids.join(',')}}`}::bigint[]`
  return sql`
    join unnest(${list(ranges.map(({ from }) => from))}, ${list(ranges.map(({ to }) => to))}) as ranges (first, behind)
      on submissions.id >= ranges.first and submissions.id < ranges.behind`
}

/** Records of these ids in their order, without those that are deleted in the meantime. The list is one text, because COPY
 * takes no other. */
export const sliceOfIds = (formId: number, ids: readonly number[]): Slice => ({
  formId,
  joins: sql`join unnest(${`{${ids.join(',')}}`}::bigint[]) with ordinality as listed (id, place) on listed.id = submissions.id`,
  where: sql`submissions.form_id = ${formId}::int and submissions.deleted_at is null`,
  order: sql`listed.place`,
  offset: 0,
  limit: ids.length,
})

/** Taken in one order, shown in the opposite one. The form is named on both sides: a query with a limit is not looked into, and
 * without it Citus asks every worker (ADR 0042). */
export const sliceFromEnd = (slice: Slice, order: Sql): Slice => ({
  formId: slice.formId,
  joins: sql`join (
    select submissions.id from submissions ${slice.joins} where ${slice.where}
    order by ${slice.order} limit ${slice.limit}::bigint offset ${slice.offset}::bigint
  ) listed on listed.id = submissions.id`,
  where: sql`submissions.form_id = ${slice.formId}::int and submissions.deleted_at is null`,
  order,
  offset: 0,
  limit: slice.limit,
  ...(slice.isSearch && { isSearch: true }),
})

export interface FoundIds {
  readonly total: number
  readonly ids: number[]
}

/** In the order of ids nothing has to be numbered, and the ids alone are sorted. */
const inOrderOfIds = (request: ListRequest, offset: number, limit: number): Sql => sql`
  with matching as materialized (select submissions.id from submissions where ${matching(request)})
  select (select count(*) from matching) as total,
    (select coalesce(json_agg(id), '[]') from (
      select id from matching order by id limit ${limit}::bigint offset ${offset}::bigint) page) as ids`

const inOrderOfKeys = (request: ListRequest, offset: number, limit: number): Sql => sql`
  with matching as materialized (
    select submissions.id, row_number() over (order by ${orderOf(request)}) as place
    from submissions where ${matching(request)})
  select (select count(*) from matching) as total,
    coalesce((select json_agg(id order by place) from matching
      where place > ${offset}::bigint and place <= ${offset + limit}::bigint), '[]') as ids`

/** One look at every record for both: how many match, and which are on the page. */
export const findIds = (db: Db, request: ListRequest, offset: number, limit: number): Promise<FoundIds> =>
  db.one<FoundIds>(scan((request.sort.length === 0 ? inOrderOfIds : inOrderOfKeys)(request, offset, limit)))

export const countMatching = async (db: Db, request: ListRequest): Promise<number> =>
  (await db.one<{ count: number }>(scan(sql`select count(*) from submissions where ${matching(request)}`))).count
