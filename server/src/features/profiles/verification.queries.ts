import { type Db, sql } from '../../platform/db/index.js'

export interface Verification {
  readonly key: string
  readonly sealed: Buffer | null
  readonly createdAt: Date
}

export const findVerification = (db: Db, userId: number) =>
  db.maybe<Verification>(sql`
    select key, sealed, created_at as "createdAt" from email_verifications where user_id = ${userId} for update`)

export const replaceVerification = (db: Db, userId: number, verification: Verification) =>
  db.run(sql`
    insert into email_verifications (user_id, key, sealed, created_at)
    values (${userId}, ${verification.key}, ${verification.sealed}, ${verification.createdAt})
    on conflict (user_id) do update set
      key = excluded.key, sealed = excluded.sealed, created_at = excluded.created_at`)

/** Uses the key up and marks the address, in one statement; answers whose it was. */
export const takeVerification = (
  db: Db,
  { keyHash, oldest, usedText, now }: { keyHash: string; oldest: Date; usedText: string; now: Date },
) =>
  db.maybe<{ userId: number; username: string; emailKey: string }>(sql`
    with used as (
      update email_verifications set key = ${usedText}, sealed = null
      from users
      where email_verifications.key = ${keyHash} and email_verifications.created_at > ${oldest}
        and users.id = email_verifications.user_id and users.is_active
      returning users.id, users.username, users.email_key
    ), verified as (
      update profiles set is_email_verified = true, modified_at = ${now}
      from used where profiles.user_id = used.id
    )
    select id as "userId", username, email_key as "emailKey" from used`)

export const findVerificationMail = (db: Db, userId: number) =>
  db.maybe<{ username: string; email: string; sealed: Buffer }>(sql`
    select users.username, users.email, email_verifications.sealed
    from email_verifications join users on users.id = email_verifications.user_id
    where users.id = ${userId} and users.email is not null and email_verifications.sealed is not null`)
