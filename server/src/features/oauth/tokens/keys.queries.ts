import { type Db, sql } from '../../../platform/db/index.js'

export interface KeyRow {
  readonly kid: string
  readonly sealed: Buffer
  readonly signsFrom: Date
}

/** The newest first. */
export const listKeys = (db: Db) =>
  db.rows<KeyRow>(sql`select kid, sealed, signs_from as "signsFrom" from oauth_keys order by signs_from desc`)

/** Unless another node was faster: then there is one already that is not older than `unlessSince`. */
export const insertKey = (db: Db, key: KeyRow, unlessSince: Date) =>
  db.transaction(async (tx) => {
    await tx.run(sql`lock table oauth_keys in share row exclusive mode`)
    await tx.run(sql`
      insert into oauth_keys (kid, sealed, signs_from)
      select ${key.kid}, ${key.sealed}::bytea, ${key.signsFrom}::timestamptz
      where not exists (select from oauth_keys where signs_from >= ${unlessSince})`)
  })

export const deleteKeys = (db: Db, kids: readonly string[]) =>
  db.run(sql`delete from oauth_keys where kid = any(${kids})`)

/** Those that were followed by another one before `moment`. */
export const deleteFormerKeys = (db: Db, moment: Date) =>
  db.run(sql`
    delete from oauth_keys former
    where exists (select from oauth_keys newer where newer.signs_from > former.signs_from and newer.signs_from <= ${moment})`)
