// How many records match, per range of ids (see `blocks.queries.ts`): the whole form, a run of it, or what has changed.
import { type Db, type Sql, scan, sql } from '../../../platform/db/index.js'

export interface BlockCount {
  readonly block: number
  readonly count: number
}

/** How many live records each block has, by the summary; it may be some changes old. */
export const listBlocks = (db: Db, formId: number) =>
  db.rows<BlockCount>(sql`
    select block, live as count from submission_blocks where form_id = ${formId} order by block`)

export const findShift = async (db: Db, formId: number): Promise<number | undefined> =>
  (
    await db.maybe<{ shift: number }>(sql`
      select shift from submission_block_states where form_id = ${formId} and change_no > 0`)
  )?.shift

/** Half open: from this block, and before that one. */
export interface BlockRange {
  readonly from: number | null
  readonly to: number | null
}

const inRange = ({ from, to }: BlockRange, shift: number): Sql => sql`
  ${from === null ? sql`true` : sql`submissions.id >= ${from}::bigint << ${shift}::int`}
  and ${to === null ? sql`true` : sql`submissions.id < ${to}::bigint << ${shift}::int`}`

/** Of records that match, by block. */
export const countBlocks = (db: Db, matching: Sql, shift: number, range: BlockRange) =>
  db.rows<BlockCount>(
    scan(sql`
      select submissions.id >> ${shift}::int as block, count(*)::int as count from submissions
      where ${matching} and ${inRange(range, shift)} group by 1`),
  )

export interface ChangedBlocks {
  /** How many changes there were, up to the bound. */
  readonly changes: number
  readonly blocks: readonly BlockCount[]
}

/** Blocks in which something has changed since, each counted anew; one that holds nothing has 0. */
export const recountChanged = (
  db: Db,
  formId: number,
  matching: Sql,
  { shift, since, most }: { shift: number; since: number; most: number },
): Promise<ChangedBlocks> =>
  db.one<ChangedBlocks>(sql`
    with recent as materialized (
      (select id from submissions where form_id = ${formId}::int and change_no > ${since}::bigint limit ${most}::int)
      union all
      (select id from submission_tombstones
        where form_id = ${formId}::int and change_no > ${since}::bigint limit ${most}::int)),
    changed as materialized (select distinct id >> ${shift}::int as block from recent),
    counted as (
      select changed.block, found.count from changed cross join lateral (
        select count(*)::int as count from submissions
        where ${matching} and submissions.id >= changed.block << ${shift}::int
          and submissions.id < (changed.block + 1) << ${shift}::int) found)
    select (select count(*) from recent) as changes,
      (select coalesce(json_agg(json_build_object('block', block, 'count', count)), '[]') from counted) as blocks`)
