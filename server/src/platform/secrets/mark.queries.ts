import { type Db, sql } from '../db/index.js'

export const areMarksKnown = async (db: Db): Promise<boolean> =>
  (await db.one<{ there: boolean }>(sql`select to_regclass('secret_mark') is not null as there`)).there

export const findMark = async (db: Db): Promise<Buffer | undefined> =>
  (await db.maybe<{ sealed: Buffer }>(sql`select sealed from secret_mark`))?.sealed

/** Of several starts at once, the first one's stays. */
export const insertMark = (db: Db, sealed: Buffer) =>
  db.run(sql`insert into secret_mark (sealed) values (${sealed}) on conflict do nothing`)

export const replaceMark = (db: Db, sealed: Buffer) =>
  db.run(sql`insert into secret_mark (sealed) values (${sealed})
    on conflict (is_only) do update set sealed = excluded.sealed`)
