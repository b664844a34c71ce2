import { type Db, type Sql, sql } from '../../platform/db/index.js'

/** What nothing has taken for so long is removed from the store. */
export const abandonedAfterMs = 24 * 60 * 60 * 1000

export const insertPendingFiles = (db: Db, keys: readonly string[], now: Date) =>
  db.run(sql`
    insert into pending_files (file_key, created_at) select key, ${now} from unnest(${keys}::text[]) as key`)

/** Of these, what is part of nothing yet. */
export const listPendingFiles = async (db: Db, keys: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ key: string }>(sql`
      select file_key as key from pending_files where file_key = any(${keys}::text[])`)
  ).map(({ key }) => key)

/** Still on their way: what is abandoned is counted from now. */
export const renewPendingFiles = (db: Db, keys: readonly string[], now: Date) =>
  db.run(sql`update pending_files set created_at = ${now} where file_key = any(${keys}::text[])`)

/** In the transaction that makes the files part of something; what is not taken is removed a day later. */
export const takeFiles = (db: Db, keys: readonly string[]) =>
  db.run(sql`delete from pending_files where file_key = any(${keys}::text[])`)

/** The same as a delete to stand in the WITH of the statement that makes them part of something. `files` is the name of a
 * relation with the column file_key. */
export const takenFiles = (files: Sql): Sql => sql`
  delete from pending_files using ${files} where pending_files.file_key = ${files}.file_key`

interface Abandoned {
  /** A query with the one column file_key. */
  keys: Sql
  /** Since when they belong to nothing. */
  since: Date
}

/** Files that have lost what they were part of, as an insert to stand in the WITH of the statement that removes it. */
export const abandonedFiles = ({ keys, since }: Abandoned): Sql => sql`
  insert into pending_files (file_key, created_at)
  select file_key, ${since}::timestamptz from (${keys}) abandoned
  on conflict do nothing`

/** An advisory lock: while somebody holds it, no file is removed, since they are copying what a snapshot of the database names. */
export const filesHeldKey = 7_243_002

/** None while files are held: what is listed here is named by nothing, in every snapshot that is taken under the lock too. */
export const listAbandonedFiles = async (db: Db, before: Date, limit: number): Promise<string[]> =>
  (
    await db.rows<{ key: string }>(sql`
      select file_key as key from pending_files
      where created_at < ${before} and not exists (
        select from pg_locks
        where locktype = 'advisory' and classid = 0 and objid = ${filesHeldKey} and objsubid = 1 and granted
          and database = (select oid from pg_database where datname = current_database()))
      order by created_at limit ${limit}`)
  ).map(({ key }) => key)
