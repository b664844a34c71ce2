// What is in an address below /key, as everything else knows it: hashed.
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Secrets } from '../../platform/secrets/index.js'
import { isToken, tokenHash } from './tokens.js'

const mostHashes = 5000

/** A request asks more than once, and phones come again: hashing costs more than everything else at the door. */
const known = new WeakMap<Secrets, LRUCache<string, string>>()

/** Undefined: no token looks like that. */
export const hashOfShown = (secrets: Secrets, { params }: FastifyRequest): string | undefined => {
  const { token = '' } = params as { token?: string }
  if (!isToken(token)) return undefined
  const hashes = known.get(secrets) ?? new LRUCache<string, string>({ max: mostHashes })
  known.set(secrets, hashes)
  const hash = hashes.get(token) ?? tokenHash(secrets, token)
  hashes.set(token, hash)
  return hash
}
