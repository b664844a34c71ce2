// Files that belong to nothing (yet). All of their times are the database's: nodes whose clocks differ agree on what is a day old.
import { brokenColumn, type Db, type Sql, sql } from '../../platform/db/index.js'
import { filesGone } from './uploads.errors.js'

/** What nothing has taken for so long is removed from the store. */
const abandonedAfter = sql`interval '1 day'`

/** Since when a file belongs to nothing, once the purge is about to remove it: nobody takes it any more. */
const beingRemoved = sql`'-infinity'::timestamptz`

export const insertPendingFiles = (db: Db, keys: readonly string[]) =>
  db.run(sql`
    insert into pending_files (file_key, created_at) select key, now() from unnest(${keys}::text[]) as key`)

/** Of these, what is part of nothing yet. */
export const listPendingFiles = async (db: Db, keys: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ key: string }>(sql`
      select file_key as key from pending_files where file_key = any(${keys}::text[])`)
  ).map(({ key }) => key)

/** Still on their way: what is abandoned is counted from now. */
export const renewPendingFiles = (db: Db, keys: readonly string[]) =>
  db.run(sql`
    update pending_files set created_at = now() where file_key = any(${keys}::text[]) and created_at > ${beingRemoved}`)

/** They are in the store no more. */
export const forgetFiles = (db: Db, keys: readonly string[]) =>
  db.run(sql`delete from pending_files where file_key = any(${keys}::text[])`)

/** In the transaction that makes the files part of something; what is not taken is removed a day later. One that was removed
 * meanwhile ends the transaction: something would be acknowledged whose bytes are gone. */
export const takeFiles = async (db: Db, keys: readonly string[]): Promise<void> => {
  const taken = await db.run(sql`
    delete from pending_files where file_key = any(${keys}::text[]) and created_at > ${beingRemoved}`)
  if (taken < keys.length) throw filesGone()
}

/** The same as a delete to stand in the WITH of the statement that makes them part of something. `files` is the name of a
 * relation with the column file_key. Answers the keys that it took: what stores others has to fail. */
export const takenFiles = (files: Sql): Sql => sql`
  delete from pending_files using ${files}
  where pending_files.file_key = ${files}.file_key and pending_files.created_at > ${beingRemoved}
  returning pending_files.file_key`

/** For a statement that stores the key of a file as it was taken: without one, its column refuses the row. */
export const orFilesGone = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw brokenColumn(error) === 'file_key' ? filesGone() : error
  })

interface Abandoned {
  /** A query with the one column file_key. */
  keys: Sql
  /** Whether they stay for a day, as those do that nobody took, or go with the next purge. */
  isKept: boolean
}

/** Files that have lost what they were part of, as an insert to stand in the WITH of the statement that removes it. */
export const abandonedFiles = ({ keys, isKept }: Abandoned): Sql => sql`
  insert into pending_files (file_key, created_at)
  select file_key, ${isKept ? sql`now()` : sql`now() - ${abandonedAfter}`} from (${keys}) abandoned
  on conflict do nothing`

/** An advisory lock: while somebody holds it, no file is removed, since they are copying what a snapshot of the database names. */
export const filesHeldKey = 7_243_002

/** To be removed now: nobody takes them any more. None while files are held: what is claimed here is named by nothing, in every
 * snapshot that is taken under the lock too. What was claimed and not removed is claimed again. */
export const claimAbandonedFiles = async (db: Db, limit: number): Promise<string[]> =>
  (
    await db.rows<{ key: string }>(sql`
      update pending_files set created_at = ${beingRemoved} where file_key in (
        select file_key from pending_files
        where created_at <= now() - ${abandonedAfter} and not exists (
          select from pg_locks
          where locktype = 'advisory' and classid = 0 and objid = ${filesHeldKey} and objsubid = 1 and granted
            and database = (select oid from pg_database where datname = current_database()))
        order by created_at limit ${limit})
      and created_at <= now() - ${abandonedAfter}
      returning file_key as key`)
  ).map(({ key }) => key)
