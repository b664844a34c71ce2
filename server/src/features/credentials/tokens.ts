// Tokens of 40 hexadecimal characters, shown again by GET /user: found by their keyed hash, kept sealed.
import { randomBytes } from 'node:crypto'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import type { Secrets } from '../../platform/secrets/index.js'
import { credentialSettings } from './credentials.settings.js'
import { findToken, insertTokenUnlessFresh, replaceToken, type StoredToken, type TokenKind } from './tokens.queries.js'

const newKey = () => randomBytes(20).toString('hex')

const contextOf = (kind: TokenKind, userId: number) => `${kind}:${userId}`

export const tokenHash = (secrets: Secrets, key: string): string => secrets.hash('token', key)

const stored = (secrets: Secrets, kind: TokenKind, userId: number, key: string): StoredToken => ({
  hash: tokenHash(secrets, key),
  sealed: secrets.seal('token', contextOf(kind, userId), key),
})

type TokenDeps = Pick<Deps, 'secrets' | 'clock' | 'config'>

/** A new token in place of the old one. */
export const renewToken = async (db: Db, deps: TokenDeps, kind: TokenKind, userId: number): Promise<string> => {
  const key = newKey()
  await replaceToken(db, kind, userId, stored(deps.secrets, kind, userId, key), deps.clock.now())
  return key
}

/** What a query has already read of a token. */
export interface KnownToken {
  readonly sealed: Buffer
  readonly createdAt: Date
}

/** The token as it stands; a missing, expired or unreadable one is made anew. */
export const currentToken = async (
  db: Db,
  deps: TokenDeps,
  kind: TokenKind,
  userId: number,
  known: KnownToken | undefined,
): Promise<string> => {
  const { secrets, clock, config } = deps
  const now = clock.now()
  const lifetimeSeconds = config.of(credentialSettings).tempTokenLifetimeSeconds
  const oldestFresh = kind === 'temp' ? new Date(now.getTime() - lifetimeSeconds * 1000) : new Date(0)
  const open = (token: KnownToken | undefined) => {
    if (token === undefined || token.createdAt < oldestFresh) return undefined
    // Sealed by another secret: it cannot be shown, so it is as good as missing.
    return secrets.open('token', contextOf(kind, userId), token.sealed)
  }
  const current = open(known)
  if (current !== undefined) return current
  const key = newKey()
  await insertTokenUnlessFresh(db, kind, userId, stored(secrets, kind, userId, key), { now, oldestFresh })
  return open(await findToken(db, kind, userId)) ?? renewToken(db, deps, kind, userId)
}
