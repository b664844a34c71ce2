import type { FormShape } from '../../../formats/columns/index.js'
import { type ByteStream, type Database, type Db, join, type Sql, sql } from '../../../platform/db/index.js'
import { rowsOf, withoutOffset } from '../reading/index.js'
import type { Slice } from '../selection/index.js'
import { type ExtentAt, exceeds, liveSince } from './extents.queries.js'

/** PostgreSQL gives a statement 1,664 columns at most. */
const mostColumns = 1600

export interface CopiedTable {
  readonly slice: Slice
  readonly joins: Sql
  readonly formId: number
  readonly shape: FormShape
  readonly cells: readonly Sql[]
  readonly extent: ExtentAt
  /** So many entries of each repeat have columns. */
  readonly entriesShown: number
  /** Something is made of cells on their way. */
  readonly isRead: boolean
  /** Stands for null; a text that reads the same is quoted. */
  readonly unanswered: string
}

/**
 * Ends the statement before its first row when a record holds more than the columns show, because it came or changed after
 * they were chosen. It ends by a division by zero, which nothing else here can cause. The statement itself asks, because only
 * its own snapshot knows.
 */
const unlessExceeded = (slice: Slice, { formId, shape, extent: at, entriesShown }: CopiedTable): Slice => {
  const { extent, changeNo } = at
  const changed = liveSince(formId, changeNo)
  return {
    ...slice,
    where: sql`${slice.where} and (select 1 / case when ${exceeds(shape, extent, entriesShown, changed)} then 0 else 1 end) = 1`,
  }
}

const divisionByZero = '22012'

export const hasExceeded = (error: unknown): boolean => (error as { code?: unknown }).code === divisionByZero

export interface TableRows {
  readonly stream: ByteStream
  /** CSV as the database writes it, or a JSON array of cells a line where they are read, or are too many for that. */
  readonly kind: 'csv' | 'json'
}

export const copyTable = async (db: Database, table: CopiedTable): Promise<TableRows> => {
  const base = withoutOffset(table.slice)
  const joined = { ...base, joins: sql`${base.joins} ${table.joins}` }
  const slice = unlessExceeded(joined, table)
  if (table.isRead || table.cells.length > mostColumns) {
    const array = sql`to_json(array[${join([...table.cells], ', ')}]::text[])`
    const lines = sql`copy (${rowsOf(slice, array)}) to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`
    return { stream: await db.copyTo(lines), kind: 'json' }
  }
  const rows = sql`copy (${rowsOf(slice, join([...table.cells], ', '))}) to stdout (format csv, null ${table.unanswered})`
  return { stream: await db.copyTo(rows), kind: 'csv' }
}

export const hasReviews = async (db: Db, formId: number): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (select from submission_reviews where form_id = ${formId} and deleted_at is null) as found`)
  ).found

/** Whether any record came through a key. */
export const hasDevices = async (db: Db, formId: number): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (select from form_counts where form_id = ${formId} and has_devices) as found`)
  ).found
