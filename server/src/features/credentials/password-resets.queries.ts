// One-time tokens of reset mails. Only their hash is kept.
import { type Db, type Sql, sql } from '../../platform/db/index.js'

export const insertReset = (db: Db, reset: { tokenHash: string; userId: number; expiresAt: Date }) =>
  db.run(sql`
    insert into password_resets (token_hash, user_id, expires_at)
    values (${reset.tokenHash}, ${reset.userId}, ${reset.expiresAt})`)

interface ShownReset {
  readonly tokenHash: string
  readonly userId: number
  readonly now: Date
}

const isShown = ({ tokenHash, userId, now }: ShownReset): Sql => sql`
  token_hash = ${tokenHash} and user_id = ${userId} and expires_at > ${now}`

export const isValidReset = async (db: Db, reset: ShownReset): Promise<boolean> =>
  (await db.maybe(sql`select 1 as found from password_resets where ${isShown(reset)}`)) !== undefined

/** Uses the token up; of two calls with one token, one gets it. */
export const takeReset = async (db: Db, reset: ShownReset): Promise<boolean> =>
  (await db.run(sql`delete from password_resets where ${isShown(reset)}`)) === 1

/** A changed password or address ends every mail that is under way. */
export const deleteResets = (db: Db, userId: number) =>
  db.run(sql`delete from password_resets where user_id = ${userId}`)

export const deleteExpiredResets = (db: Db, now: Date) =>
  db.run(sql`delete from password_resets where expires_at <= ${now}`)
