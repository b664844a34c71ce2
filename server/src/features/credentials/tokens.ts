// Tokens of 40 hexadecimal characters, shown again by GET /user: found by their keyed hash, kept sealed.
import { randomBytes } from 'node:crypto'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import type { Secrets } from '../../platform/secrets/index.js'
import { credentialSettings } from './credentials.settings.js'
import { replaceToken, type StoredToken, type TokenKind } from './tokens.queries.js'

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

/** The token in clear; undefined when it is missing, too old, or sealed by another secret, which is as good as missing. */
export const openToken = (
  { secrets, clock, config }: TokenDeps,
  kind: TokenKind,
  userId: number,
  token: KnownToken | undefined,
): string | undefined => {
  const lifetimeSeconds = config.of(credentialSettings).tempTokenLifetimeSeconds
  const ageSeconds = token === undefined ? 0 : (clock.now().getTime() - token.createdAt.getTime()) / 1000
  if (token === undefined || (kind === 'temp' && ageSeconds > lifetimeSeconds)) return undefined
  return secrets.open('token', contextOf(kind, userId), token.sealed)
}

/** The token as it stands, or a new one. Call it under the account's lock unless it is known to open. */
export const currentToken = async (
  db: Db,
  deps: TokenDeps,
  kind: TokenKind,
  userId: number,
  known: KnownToken | undefined,
): Promise<string> => openToken(deps, kind, userId, known) ?? renewToken(db, deps, kind, userId)
