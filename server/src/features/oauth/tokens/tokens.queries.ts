// Codes and tokens by their keyed hash.
import { type Db, sql } from '../../../platform/db/index.js'

export type TokenKind = 'AuthorizationCode' | 'AccessToken' | 'RefreshToken'

export interface TokenKey {
  kind: TokenKind
  hash: string
}

const hasKey = ({ kind, hash }: TokenKey) => sql`kind = ${kind} and token_hash = ${hash}`

/** Constraint oauth_tokens__grant_id: the grant was revoked meanwhile. */
export const insertToken = (db: Db, key: TokenKey, token: { grantId: string; payload: object; expiresAt: Date }) =>
  db.run(sql`
    insert into oauth_tokens (kind, token_hash, grant_id, payload, expires_at)
    values (${key.kind}, ${key.hash}, ${token.grantId}, ${JSON.stringify(token.payload)}::jsonb, ${token.expiresAt})`)

export const findToken = (db: Db, key: TokenKey, now: Date) =>
  db.maybe<{ payload: Record<string, unknown>; consumedAt: Date | null }>(sql`
    select payload, consumed_at as "consumedAt" from oauth_tokens where ${hasKey(key)} and expires_at > ${now}`)

/** Of two at once, one gets it. A used refresh token ends the access tokens that came before it. */
export const consumeToken = async (db: Db, key: TokenKey, now: Date): Promise<boolean> => {
  const used = await db.maybe(sql`
    with used as (
      update oauth_tokens set consumed_at = ${now} where ${hasKey(key)} and consumed_at is null returning grant_id
    ), former as (
      delete from oauth_tokens using used
      where oauth_tokens.grant_id = used.grant_id and oauth_tokens.kind = 'AccessToken' and ${key.kind} = 'RefreshToken'
    )
    select grant_id from used`)
  return used !== undefined
}

export const deleteToken = (db: Db, key: TokenKey) => db.run(sql`delete from oauth_tokens where ${hasKey(key)}`)

/** The family of a token that was used twice. */
export const deleteGrantOf = (db: Db, key: TokenKey) =>
  db.run(
    sql`delete from oauth_grants using oauth_tokens where oauth_tokens.grant_id = oauth_grants.id and ${hasKey(key)}`,
  )

/** Used refresh tokens that never expire are kept for a while to see their second use, not for ever. */
export const deleteDeadTokens = (db: Db, now: Date) =>
  db.run(sql`
    delete from oauth_tokens where (kind, token_hash) in (
      select kind, token_hash from oauth_tokens
      where expires_at <= ${now} or consumed_at <= ${new Date(now.getTime() - 30 * 86_400_000)}
      for update skip locked)`)

export interface BearerOwner {
  readonly id: number
  readonly username: string
  readonly scope: string
}

/** Everything that a call with an access token needs, in one round trip. A client is gone with its owner, as `findClient`
 * has it: nobody could answer for what it does. */
export const findBearer = (db: Db, hash: string, now: Date) =>
  db.maybe<BearerOwner>(sql`
    select users.id, users.username, coalesce(oauth_tokens.payload ->> 'scope', '') as scope
    from oauth_tokens
    join oauth_grants on oauth_grants.id = oauth_tokens.grant_id
    join users on users.id = oauth_grants.user_id
    join oauth_clients on oauth_clients.id = oauth_grants.client_id
    join users owners on owners.id = oauth_clients.user_id and owners.is_active
    where oauth_tokens.kind = 'AccessToken' and oauth_tokens.token_hash = ${hash}
      and oauth_tokens.expires_at > ${now} and users.is_active and not users.is_org`)
