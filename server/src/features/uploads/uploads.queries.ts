import { type Db, sql } from '../../platform/db/index.js'

export const insertPendingFiles = (db: Db, keys: readonly string[], now: Date) =>
  db.run(sql`
    insert into pending_files (file_key, created_at) select key, ${now} from unnest(${keys}::text[]) as key`)

/** In the transaction that makes the files part of something; what is not taken is removed a day later. */
export const takeFiles = (db: Db, keys: readonly string[]) =>
  db.run(sql`delete from pending_files where file_key = any(${keys}::text[])`)

export const listAbandonedFiles = async (db: Db, before: Date, limit: number): Promise<string[]> =>
  (
    await db.rows<{ key: string }>(sql`
      select file_key as key from pending_files where created_at < ${before} order by created_at limit ${limit}`)
  ).map(({ key }) => key)
