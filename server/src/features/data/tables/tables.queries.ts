// Several tables of one form: one row per record, and one per entry of each repeat, linked by their numbers.
import { type Db, empty, join, pgArray, type Sql, scan, sql } from '../../../platform/db/index.js'
import { entriesIn } from '../../submissions/index.js'
import { accountNames } from '../../users/index.js'
import { fetchedPages } from '../reading/index.js'
import { byId, type Slice } from '../selection/index.js'
import { addressInShort, type CellSource, hasShortFiles, pointIn, storedValue } from './cells.queries.js'

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
      sql`device_key`,
      sql`device_id`,
      sql`reviewed_at`,
    ].map((column) => sql`${from}.${column}`),
    ', ',
  )

/** Records, or entries of a chain of repeats, numbered from 1 in their order: `place`, `parent` and what is in them. `path` has
 * the number of the entry in its repeat, and of those around it. */
const level = (slice: Slice, chain: readonly string[]): Sql => {
  const repeat = chain.at(-1)
  if (repeat === undefined) {
    return sql`
      select ${carried(sql`submissions`)}, submissions.answers || '{}'::jsonb as entry, -1::bigint as parent,
        row_number() over (order by ${slice.order}) as place, '{}'::bigint[] as path
      from submissions ${slice.joins} where ${slice.where} order by ${slice.order}
      ${slice.limit === null ? empty : sql`limit ${slice.limit}::bigint`} offset ${slice.offset}::bigint`
  }
  // By id they come as they stand in an index: nothing is sorted but the entries of one record, and no row waits for others.
  const around = slice.order === byId ? sql`entries.id` : sql`entries.parent`
  return sql`
    select entries.*, row_number() over (order by ${around}, entries.path) as place from (
      select ${carried(sql`around`)}, found.entry, around.place as parent, around.path || found.number as path
      from (${level(slice, chain.slice(0, -1))}) around
      cross join lateral ${entriesIn(sql`around.entry`, repeat)} with ordinality
        as found (entry, number)
      where jsonb_typeof(found.entry) = 'object') entries`
}

export const entryColumn: Sql = sql`submissions.entry`
export const placeCell: Sql = sql`submissions.place::text`
export const parentCell: Sql = sql`submissions.parent::text`

export const textCell = (text: string): Sql => sql`${text}::text`

/** Cells straight out of a record, or an entry. */
export const entryCells: CellSource = {
  entry: () => entryColumn,
  point: (column) => pointIn(storedValue(column, entryColumn)),
  address: addressInShort,
  isAddressLater: true,
}

export interface TableRow {
  /** The record that the row is of, where it has too many files to look through them for every cell. */
  readonly id: number | null
  /** Null is a question without an answer. */
  readonly cells: (string | null)[]
}

/** As `recordJoins`, and rows stay in their order. */
const joinsInOrder: Sql = sql`
  left join lateral (
    select username from ${accountNames} people where people.id = submissions.submitted_by offset 0) submitters on true`

const orderOf = ({ order }: Slice, chain: readonly string[]): Sql => {
  if (order !== byId) return sql`submissions.place`
  return chain.length === 0 ? sql`submissions.id` : sql`submissions.id, submissions.path`
}

/** The rows of a table, in order, some hundred at a time. */
export const tableRows = (
  tx: Db,
  slice: Slice,
  chain: readonly string[],
  cells: readonly Sql[],
  isAhead: boolean,
): AsyncGenerator<TableRow[]> =>
  fetchedPages(
    tx,
    sql`
      select case when not ${hasShortFiles} then submissions.id end as id, to_json(array[${join([...cells], ', ')}]::text[]) as cells
      from (${level(slice, chain)}) submissions ${joinsInOrder} order by ${orderOf(slice, chain)}`,
    isAhead,
  )

export interface FileOfRecord {
  readonly id: number
  readonly name: string
  readonly address: string
}

/** Files of these names, of any of these records. */
export const listFiles = (tx: Db, formId: number, ids: readonly number[], names: readonly string[]) =>
  tx.rows<FileOfRecord>(
    scan(sql`
      select submissions.id, file ->> 'name' as name, file ->> 'download_url' as address
      from submissions, jsonb_array_elements(submissions.attachments) file
      where submissions.form_id = ${formId} and submissions.id = any(${ids}::bigint[])
        and file ->> 'name' = any(${pgArray(names)}::text[])`),
  )
