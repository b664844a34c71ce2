// A limit per caller's address on what could be used to send mails or to guess keys; counted in the database, so that
// several nodes count together.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { limitKey, throttled } from '../../platform/http/index.js'
import { countAttempt, findAttempts } from './attempts.queries.js'
import { credentialSettings } from './credentials.settings.js'

const windowSeconds = 900

const keyOf = (kind: string, request: FastifyRequest) => ({ kind, account: '', address: limitKey(request.ip) })

/** Counts this request; throws 429 beyond the limit. */
export const limitByAddress = async (deps: Deps, kind: string, request: FastifyRequest): Promise<void> => {
  const now = deps.clock.now()
  const { count, expiresAt } = await countAttempt(deps.db, keyOf(kind, request), now, windowSeconds)
  if (count > deps.config.of(credentialSettings).requestsPerAddress) throw throttledUntil(expiresAt, now)
}

/** For guesses: only failures are counted, but once there are too many, every try is refused. */
export const limitGuesses = async <T>(
  deps: Deps,
  kind: string,
  request: FastifyRequest,
  tryOnce: () => Promise<T>,
): Promise<T> => {
  const { db, clock, config } = deps
  const now = clock.now()
  const attempts = await findAttempts(db, keyOf(kind, request), now)
  if (attempts !== undefined && attempts.count >= config.of(credentialSettings).requestsPerAddress) {
    throw throttledUntil(attempts.expiresAt, now)
  }
  try {
    return await tryOnce()
  } catch (error) {
    await countAttempt(db, keyOf(kind, request), now, windowSeconds)
    throw error
  }
}

const throttledUntil = (end: Date, now: Date) =>
  throttled(Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000)))
