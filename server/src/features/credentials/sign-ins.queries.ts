// Sign-ins on pages. What is granted to programs hangs on them, and ends with them when the password changes.
import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { updateLastSignIn } from '../users/index.js'
import { lockAccount } from './passwords.queries.js'

export interface NewSignIn {
  userId: number
  /** The hash that the password was verified against; undefined when somebody else vouched for the person. */
  passwordHash: string | undefined
  /** Without it, nobody can come back to this sign-in. */
  cookieHash: string | undefined
  createdAt: Date
  expiresAt: Date
}

/** Answers its id, or undefined when the password was changed or the account closed since it was verified. Under the account's lock, a change
 * that is under way is waited for, and one that comes later finds this row and deletes it. */
export const insertSignIn = async (db: Db, signIn: NewSignIn): Promise<number | undefined> => {
  const { userId, passwordHash, cookieHash, createdAt, expiresAt } = signIn
  const proof =
    passwordHash === undefined
      ? empty
      : sql`and exists (select from passwords where user_id = ${userId} and hash = ${passwordHash})`
  return db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const made = await tx.maybe<{ id: number }>(sql`
      insert into sign_ins (user_id, cookie_hash, created_at, expires_at)
      select id, ${cookieHash ?? null}, ${createdAt}::timestamptz, ${expiresAt}::timestamptz
      from users where id = ${userId} and is_active and not is_org ${proof}
      returning id`)
    if (made !== undefined) await updateLastSignIn(tx, userId, createdAt)
    return made?.id
  })
}

export interface SignIn {
  readonly id: number
  readonly userId: number
  readonly username: string
  readonly createdAt: Date
}

/** By the cookie, for an account that may still sign in. */
export const findSignIn = (db: Db, cookieHash: string, now: Date) =>
  db.maybe<SignIn>(sql`
    select sign_ins.id, sign_ins.user_id as "userId", users.username, sign_ins.created_at as "createdAt"
    from sign_ins join users on users.id = sign_ins.user_id
    where sign_ins.cookie_hash = ${cookieHash} and sign_ins.expires_at > ${now} and users.is_active and not users.is_org`)

/** The cookie ends; what was granted stays, since programs work on when their person signs out. */
export const endSignIn = (db: Db, id: number) => db.run(sql`update sign_ins set cookie_hash = null where id = ${id}`)

/** Those that ended before, and that nothing hangs on. `isUsed` is a condition on `sign_ins`: what hangs on them belongs to
 * rooms above. What somebody else holds waits for the next time: two who delete the same rows in different orders would wait
 * for each other. */
export const deleteSpentSignIns = (db: Db, before: Date, isUsed: Sql) =>
  db.run(sql`
    delete from sign_ins where id in (
      select id from sign_ins where expires_at < ${before} and not ${isUsed}
      for update skip locked)`)

/** With everything that was granted in them. */
export const deleteSignIns = (db: Db, userId: number) => db.run(sql`delete from sign_ins where user_id = ${userId}`)
