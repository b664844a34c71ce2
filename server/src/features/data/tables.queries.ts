// Several tables of one form: one row per record, and one per entry of each repeat, linked by their numbers.
import { type Db, empty, join, type Sql, sql } from '../../platform/db/index.js'
import { entriesIn, recordJoins } from '../submissions/index.js'
import type { Slice } from './slices.queries.js'
import { fetched } from './snapshot.queries.js'

/** What the cells of built-in fields need, from level to level. */
const carried = (from: Sql): Sql =>
  join(
    [
      sql`form_id`,
      sql`id`,
      sql`uuid`,
      sql`version`,
      sql`status`,
      sql`submitted_at`,
      sql`submitted_by`,
      sql`modified_at`,
      sql`edited_at`,
      sql`edited_by`,
      sql`duration`,
      sql`latitude`,
      sql`longitude`,
      sql`media_total`,
      sql`media_count`,
      sql`attachments`,
      sql`notes`,
      sql`tags`,
      sql`review_status`,
      sql`review_comment`,
      sql`reviewed_at`,
    ].map((column) => sql`${from}.${column}`),
    ', ',
  )

/** Records, or entries of a chain of repeats, numbered from 1 in their order: `place`, `parent` and what is in them. */
const level = (slice: Slice, chain: readonly string[]): Sql => {
  const repeat = chain.at(-1)
  if (repeat === undefined) {
    return sql`
      select ${carried(sql`submissions`)}, submissions.answers || '{}'::jsonb as entry, -1::bigint as parent,
        row_number() over (order by ${slice.order}) as place
      from submissions ${slice.joins} where ${slice.where} order by ${slice.order}
      ${slice.limit === null ? empty : sql`limit ${slice.limit}::bigint`} offset ${slice.offset}::bigint`
  }
  return sql`
    select ${carried(sql`around`)}, found.entry, around.place as parent,
      row_number() over (order by around.place, found.number) as place
    from (${level(slice, chain.slice(0, -1))}) around
    cross join lateral ${entriesIn(sql`around.entry`, repeat)} with ordinality
      as found (entry, number)
    where jsonb_typeof(found.entry) = 'object'`
}

export const entryColumn: Sql = sql`submissions.entry`
export const placeCell: Sql = sql`submissions.place::text`
export const parentCell: Sql = sql`submissions.parent::text`

export const textCell = (text: string): Sql => sql`${text}::text`

/** The rows of a table, in order; null is a question without an answer. */
export async function* tableRows(
  tx: Db,
  slice: Slice,
  chain: readonly string[],
  cells: readonly Sql[],
): AsyncGenerator<(string | null)[]> {
  const statement = sql`
    select to_json(array[${join([...cells], ', ')}]::text[]) as cells from (${level(slice, chain)}) submissions
    ${recordJoins} order by submissions.place`
  for await (const row of fetched<{ cells: (string | null)[] }>(tx, statement)) yield row.cells
}
