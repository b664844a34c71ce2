import { type Db, sql } from '../../platform/db/index.js'
import { type Profile, profileColumns } from '../profiles/index.js'

export interface Account extends Profile {
  readonly apiSealed: Buffer | null
  readonly apiCreatedAt: Date | null
  readonly tempSealed: Buffer | null
  readonly tempCreatedAt: Date | null
}

/** Profile and both tokens in one round trip. */
export const getAccount = (db: Db, userId: number) =>
  db.one<Account>(sql`
    select ${profileColumns},
      api_tokens.sealed as "apiSealed", api_tokens.created_at as "apiCreatedAt",
      temp_tokens.sealed as "tempSealed", temp_tokens.created_at as "tempCreatedAt"
    from users
    join profiles on profiles.user_id = users.id
    left join api_tokens on api_tokens.user_id = users.id
    left join temp_tokens on temp_tokens.user_id = users.id
    where users.id = ${userId}`)

export interface MailTarget {
  readonly id: number
  readonly username: string
  readonly email: string
}

/** People only: an organization's account has no password to reset. */
export const findMailTarget = (db: Db, emailKey: string) =>
  db.maybe<MailTarget>(sql`
    select id, username, email from users where email_key = ${emailKey} and is_active and not is_org`)

export const findPerson = (db: Db, userId: number) =>
  db.maybe<{ id: number; username: string; email: string | null }>(sql`
    select id, username, email from users where id = ${userId} and is_active and not is_org`)
