// Passwords for devices that speak Digest, and which of their answers were used.
import { type Db, sql } from '../../platform/db/index.js'

export const replaceDevicePassword = (db: Db, userId: number, sealed: Buffer, now: Date) =>
  db.run(sql`
    insert into device_passwords (user_id, sealed, created_at) values (${userId}, ${sealed}, ${now})
    on conflict (user_id) do update set sealed = excluded.sealed, created_at = excluded.created_at`)

export const findDevicePassword = (db: Db, userId: number) =>
  db.maybe<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from device_passwords where user_id = ${userId}`)

export const deleteDevicePassword = async (db: Db, userId: number): Promise<boolean> =>
  (await db.run(sql`delete from device_passwords where user_id = ${userId}`)) === 1

export interface DeviceLogin {
  readonly id: number
  readonly username: string
  readonly email: string | null
  readonly mayLogIn: boolean
  readonly sealed: Buffer | null
  readonly hasAttempts: boolean
  readonly lockedUntil: Date | null
}

export const findDeviceLogin = (db: Db, given: { names: readonly string[]; address: string; now: Date }) =>
  db.maybe<DeviceLogin>(sql`
    select users.id, users.username, users.email, users.is_active and not users.is_org as "mayLogIn",
      device_passwords.sealed, attempts.count is not null as "hasAttempts", attempts.locked_until as "lockedUntil"
    from sign_in_names
    join users on users.id = sign_in_names.user_id
    left join device_passwords on device_passwords.user_id = users.id
    left join attempts on attempts.kind = 'digest' and attempts.account = 'user:' || users.id
      and attempts.address = ${given.address} and attempts.expires_at > ${given.now}
    where sign_in_names.name = any(${given.names})
    limit 1`)

/** Whether this count of the challenge is used for the first time, and no later one was. */
export const useDigest = async (db: Db, nonce: string, count: number, expiresAt: Date): Promise<boolean> =>
  (await db.run(sql`
    insert into digest_uses (nonce, count, expires_at) values (${nonce}, ${count}, ${expiresAt})
    on conflict (nonce) do update set count = excluded.count where digest_uses.count < excluded.count`)) === 1

export const deleteExpiredDigestUses = (db: Db, now: Date) =>
  db.run(sql`delete from digest_uses where expires_at <= ${now}`)
