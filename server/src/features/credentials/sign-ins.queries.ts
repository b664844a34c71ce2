// Sign-ins on pages. What is granted to programs hangs on them, and ends with them when the password changes.
import { budgets } from '../../budgets.js'
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
  /** How long it lasts when nobody uses it: the longer of the two times. */
  stays?: boolean
  /** What its person is told about it. */
  place?: SignInPlace
}

export interface SignInPlace {
  /** In words of ours. */
  browser: string
  address: string
}

/** Answers its id, or undefined when the password was changed or the account closed since it was verified. Under the account's lock, a change
 * that is under way is waited for, and one that comes later finds this row and deletes it. */
export const insertSignIn = async (db: Db, signIn: NewSignIn): Promise<number | undefined> => {
  const { userId, passwordHash, cookieHash, createdAt, expiresAt, stays = false, place } = signIn
  const proof =
    passwordHash === undefined
      ? empty
      : sql`and exists (select from passwords where user_id = ${userId} and hash = ${passwordHash})`
  return db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const made = await tx.maybe<{ id: number }>(sql`
      insert into sign_ins (user_id, cookie_hash, created_at, seen_at, expires_at, stays, browser, address)
      select id, ${cookieHash ?? null}, ${createdAt}::timestamptz, ${createdAt}::timestamptz, ${expiresAt}::timestamptz,
        ${stays}, ${place?.browser ?? ''}, ${place?.address ?? ''}
      from users where id = ${userId} and is_active and not is_org ${proof}
      returning id`)
    if (made !== undefined && cookieHash !== undefined) await endOldestSignIns(tx, userId)
    if (made !== undefined) await updateLastSignIn(tx, userId, createdAt)
    return made?.id
  })
}

/** Whoever signs in again and again leaves no more behind than this, and reads a list of no more. */
const endOldestSignIns = (tx: Db, userId: number) =>
  tx.run(sql`
    update sign_ins set cookie_hash = null
    where user_id = ${userId} and cookie_hash is not null and id not in (
      select id from sign_ins where user_id = ${userId} and cookie_hash is not null
      order by seen_at desc, id desc limit ${budgets.accounts.sessions})`)

export interface SignIn {
  readonly id: number
  readonly userId: number
  readonly username: string
  readonly createdAt: Date
  readonly seenAt: Date
  readonly expiresAt: Date
  readonly stays: boolean
}

/** By the cookie, for an account that may still sign in. */
export const findSignIn = (db: Db, cookieHash: string, now: Date) =>
  db.maybe<SignIn>(sql`
    select sign_ins.id, sign_ins.user_id as "userId", users.username, sign_ins.created_at as "createdAt",
      sign_ins.seen_at as "seenAt", sign_ins.expires_at as "expiresAt", sign_ins.stays
    from sign_ins join users on users.id = sign_ins.user_id
    where sign_ins.cookie_hash = ${cookieHash} and sign_ins.expires_at > ${now} and users.is_active and not users.is_org`)

interface Renewal {
  readonly id: number
  readonly seenAt: Date
  readonly now: Date
  readonly expiresAt: Date
  readonly address: string
}

/** Of several that find it due at once, the first renews it. One that has ended stays so. */
export const renewSignIn = (db: Db, { id, seenAt, now, expiresAt, address }: Renewal) =>
  db.run(sql`
    update sign_ins set seen_at = ${now}, expires_at = ${expiresAt}, address = ${address}
    where id = ${id} and cookie_hash is not null and seen_at = ${seenAt}`)

export interface ListedSignIn {
  readonly id: number
  readonly browser: string
  readonly address: string
  readonly createdAt: Date
  readonly seenAt: Date
  readonly expiresAt: Date
  readonly stays: boolean
  readonly isCurrent: boolean
}

/** Those that a browser can still come back to; `cookieHash` is of the one that asks, or blank. */
export const listSignIns = (db: Db, { userId, cookieHash, now }: { userId: number; cookieHash: string; now: Date }) =>
  db.rows<ListedSignIn>(sql`
    select id, browser, address, created_at as "createdAt", seen_at as "seenAt", expires_at as "expiresAt", stays,
      cookie_hash = ${cookieHash} as "isCurrent"
    from sign_ins where user_id = ${userId} and cookie_hash is not null and expires_at > ${now}
    order by seen_at desc, id desc limit ${budgets.accounts.sessions}`)

/** Answers whether there was one of theirs. */
export const endOwnSignIn = async (db: Db, own: { userId: number; id: number; now: Date }): Promise<boolean> =>
  (await db.run(sql`
    update sign_ins set cookie_hash = null
    where id = ${own.id} and user_id = ${own.userId} and cookie_hash is not null and expires_at > ${own.now}`)) === 1

/** Every browser; programs work on. Under the account's lock, so that a sign-in that is under way is over or comes after. */
export const endAllSignIns = (db: Db, userId: number) =>
  db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    await tx.run(sql`update sign_ins set cookie_hash = null where user_id = ${userId} and cookie_hash is not null`)
  })

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
