// Counters with a window. An expired row counts as absent, so nothing has to be cleaned for the count to be right.
import { type Db, sql } from '../../platform/db/index.js'

export interface AttemptKey {
  kind: string
  /** `user:ID`, or a keyed hash of what was given. */
  account: string
  /** The caller's address, or blank. */
  address: string
}

export interface Attempts {
  readonly count: number
  readonly expiresAt: Date
  readonly lockedUntil: Date | null
}

const hasKey = ({ kind, account, address }: AttemptKey) =>
  sql`kind = ${kind} and account = ${account} and address = ${address}`

export const findAttempts = (db: Db, key: AttemptKey, now: Date) =>
  db.maybe<Attempts>(sql`
    select count, expires_at as "expiresAt", locked_until as "lockedUntil" from attempts where ${hasKey(key)} and expires_at > ${now}`)

/** Adds one; the window starts with the first. Answers the count with this one. */
export const countAttempt = (db: Db, key: AttemptKey, now: Date, windowSeconds: number) => {
  const end = new Date(now.getTime() + windowSeconds * 1000)
  return db.one<{ count: number; expiresAt: Date }>(sql`
    insert into attempts (kind, account, address, count, expires_at)
    values (${key.kind}, ${key.account}, ${key.address}, 1, ${end})
    on conflict (kind, account, address) do update set
      count        = case when attempts.expires_at > ${now} then attempts.count + 1 else 1 end,
      expires_at   = case when attempts.expires_at > ${now} then attempts.expires_at else ${end} end,
      locked_until = case when attempts.expires_at > ${now} then attempts.locked_until end
    returning count, expires_at as "expiresAt"`)
}

/** Takes one back that turned out to be none. */
export const uncountAttempt = (db: Db, key: AttemptKey) =>
  db.run(sql`update attempts set count = count - 1 where ${hasKey(key)} and count > 0`)

export interface Counter {
  readonly kind: string
  readonly account: string
  readonly add: number
}

/** Several at once, always in the same order: of two that count the same ones, one waits for the other. */
export const countAttempts = (db: Db, counters: readonly Counter[], now: Date, windowSeconds: number) => {
  const end = new Date(now.getTime() + windowSeconds * 1000)
  const column = (name: keyof Counter) => counters.map((counter) => counter[name])
  return db.rows<{ kind: string; account: string; count: number; expiresAt: Date }>(sql`
    insert into attempts (kind, account, address, count, expires_at)
    select kind, account, '', added, ${end}
    from unnest(${column('kind')}::text[], ${column('account')}::text[], ${column('add')}::int[]) as one (kind, account, added)
    order by kind, account
    on conflict (kind, account, address) do update set
      count      = case when attempts.expires_at > ${now} then attempts.count else 0 end + excluded.count,
      expires_at = case when attempts.expires_at > ${now} then attempts.expires_at else ${end} end
    returning kind, account, count, expires_at as "expiresAt"`)
}

/** Only the first of several that reach the limit at once locks; answers whether it was this one. */
export const lockAttempts = async (db: Db, key: AttemptKey, until: Date): Promise<boolean> =>
  (await db.run(sql`
    update attempts set locked_until = ${until}, expires_at = ${until} where ${hasKey(key)} and locked_until is null`)) ===
  1

export const clearAttempts = (db: Db, key: AttemptKey) => db.run(sql`delete from attempts where ${hasKey(key)}`)

/** Everything counted against an account, from any address. */
export const clearAccountAttempts = (db: Db, userId: number) =>
  db.run(
    sql`delete from attempts where kind in ('login', 'digest', 'password_change') and account = ${`user:${userId}`}`,
  )

export const deleteExpiredAttempts = (db: Db, now: Date) => db.run(sql`delete from attempts where expires_at <= ${now}`)
