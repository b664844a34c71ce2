// The two tokens of an account: a permanent one and one that expires. Both tables have the same shape.
import { type Db, type Sql, sql } from '../../platform/db/index.js'

export type TokenKind = 'api' | 'temp'

export interface StoredToken {
  readonly hash: string
  readonly sealed: Buffer
}

const tables: Readonly<Record<TokenKind, Sql>> = { api: sql`api_tokens`, temp: sql`temp_tokens` }

export interface TokenOwner {
  readonly id: number
  readonly username: string
  readonly isActive: boolean
  readonly isOrg: boolean
  readonly createdAt: Date
}

export const findTokenOwner = (db: Db, kind: TokenKind, hash: string) =>
  db.maybe<TokenOwner>(sql`
    select users.id, users.username, users.is_active as "isActive", users.is_org as "isOrg",
      tokens.created_at as "createdAt"
    from ${tables[kind]} tokens join users on users.id = tokens.user_id
    where tokens.token_hash = ${hash}`)

/** The old one dies in the same moment. */
export const replaceToken = (db: Db, kind: TokenKind, userId: number, token: StoredToken, now: Date) =>
  db.run(sql`
    insert into ${tables[kind]} as tokens (user_id, token_hash, sealed, created_at)
    values (${userId}, ${token.hash}, ${token.sealed}, ${now})
    on conflict (user_id) do update set
      token_hash = excluded.token_hash, sealed = excluded.sealed, created_at = excluded.created_at`)

export const deleteToken = async (db: Db, kind: TokenKind, userId: number): Promise<boolean> =>
  (await db.run(sql`delete from ${tables[kind]} where user_id = ${userId}`)) === 1
