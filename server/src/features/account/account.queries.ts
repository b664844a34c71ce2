import { type Db, type Sql, sql } from '../../platform/db/index.js'
import type { Caller } from '../../platform/http/index.js'
import { type Profile, profileColumns } from '../profiles/index.js'

export interface Account extends Profile {
  readonly isOperator: boolean
  readonly apiSealed: Buffer | null
  readonly apiCreatedAt: Date | null
  readonly tempSealed: Buffer | null
  readonly tempCreatedAt: Date | null
}

/** The caller's credential as it stands in this very statement: one that was replaced since they were identified proves
 * nothing, and must not be answered with its successor. */
const isStillValid = ({ credential }: Caller): Sql => {
  switch (credential.kind) {
    case 'api':
      return sql`api_tokens.token_hash = ${credential.hash}`
    case 'temp':
      return sql`temp_tokens.token_hash = ${credential.hash}`
    case 'bearer':
      // It is shown no secret, so there is nothing to ask for again.
      return sql`true`
    case 'session':
      return sql`exists (select from sign_ins where user_id = users.id and cookie_hash = ${credential.hash})`
    default:
      return sql`passwords.hash = ${credential.hash}`
  }
}

/** Profile and both tokens in one round trip; nothing for a credential that is no longer valid. */
export const findAccount = (db: Db, caller: Caller) =>
  db.maybe<Account>(sql`
    select ${profileColumns}, users.is_operator as "isOperator",
      api_tokens.sealed as "apiSealed", api_tokens.created_at as "apiCreatedAt",
      temp_tokens.sealed as "tempSealed", temp_tokens.created_at as "tempCreatedAt"
    from users
    join profiles on profiles.user_id = users.id
    left join api_tokens on api_tokens.user_id = users.id
    left join temp_tokens on temp_tokens.user_id = users.id
    left join passwords on passwords.user_id = users.id
    where users.id = ${caller.id} and ${isStillValid(caller)}`)

export interface MailTarget {
  readonly id: number
  readonly username: string
  readonly email: string
}

/** People only: an organization's account has no password to reset. */
export const findMailTarget = (db: Db, emailKey: string) =>
  db.maybe<MailTarget>(sql`
    select id, username, email from users where email_key = ${emailKey} and is_active and not is_org for update`)

export const findPerson = (db: Db, userId: number) =>
  db.maybe<{ id: number; username: string; email: string | null }>(sql`
    select id, username, email from users where id = ${userId} and is_active and not is_org`)
