import { type Db, sql } from '../../platform/db/index.js'

/** How many former passwords may not be used again. */
const rememberedPasswords = 5

export const findPasswordHash = async (db: Db, userId: number): Promise<string | undefined> =>
  (await db.maybe<{ hash: string }>(sql`select hash from passwords where user_id = ${userId}`))?.hash

/** Every change of an account's credentials begins with this, so that two of them wait for each other in one order. */
export const lockAccount = (db: Db, userId: number) => db.run(sql`select 1 from users where id = ${userId} for update`)

export const listFormerHashes = async (db: Db, userId: number): Promise<string[]> => {
  const rows = await db.rows<{ hash: string }>(sql`
    select hash from password_history where user_id = ${userId} order by id desc limit ${rememberedPasswords}`)
  return rows.map(({ hash }) => hash)
}

export const insertPassword = (db: Db, userId: number, hash: string, now: Date) =>
  db.run(sql`insert into passwords (user_id, hash, changed_at) values (${userId}, ${hash}, ${now})`)

/** Sets the password and moves the old hash into the history. */
export const replacePassword = (db: Db, userId: number, hash: string, now: Date) =>
  db.run(sql`
    with former as (
      insert into password_history (user_id, hash, replaced_at)
      select user_id, hash, ${now} from passwords where user_id = ${userId}
    ), forgotten as (
      delete from password_history
      where user_id = ${userId} and id not in (
        select id from password_history where user_id = ${userId} order by id desc limit ${rememberedPasswords - 1})
    )
    insert into passwords (user_id, hash, changed_at) values (${userId}, ${hash}, ${now})
    on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`)

export interface Login {
  readonly id: number
  readonly username: string
  readonly email: string | null
  readonly mayLogIn: boolean
  readonly hash: string | null
  /** Whether failures are counted against this account from this address. */
  readonly hasAttempts: boolean
  readonly lockedUntil: Date | null
}

/** Everything that signing in by name or address needs, in one round trip. */
export const findLogin = (db: Db, given: { names: readonly string[]; address: string; now: Date }) =>
  db.maybe<Login>(sql`
    select users.id, users.username, users.email, users.is_active and not users.is_org as "mayLogIn",
      passwords.hash, attempts.count is not null as "hasAttempts", attempts.locked_until as "lockedUntil"
    from sign_in_names
    join users on users.id = sign_in_names.user_id
    left join passwords on passwords.user_id = users.id
    left join attempts on attempts.kind = 'login' and attempts.account = 'user:' || users.id
      and attempts.address = ${given.address} and attempts.expires_at > ${given.now}
    where sign_in_names.name = any(${given.names})
    limit 1`)
