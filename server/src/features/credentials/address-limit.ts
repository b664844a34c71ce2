// A limit per caller's address on what could be used to send mails or to guess keys; counted in the database, so that
// several nodes count together.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { AppError, limitKey, throttledUntil } from '../../platform/http/index.js'
import { type AttemptKey, countAttempt, findAttempts } from './attempts.queries.js'
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
export const refuseGuesses = async ({ db, clock, config }: Deps, key: AttemptKey): Promise<void> => {
  const now = clock.now()
  const attempts = await findAttempts(db, key, now)
  if (attempts === undefined || attempts.count < config.of(credentialSettings).requestsPerAddress) return
  throw throttledUntil(attempts.expiresAt, now)
}

export const countGuess = ({ db, clock }: Deps, key: AttemptKey) => countAttempt(db, key, clock.now(), windowSeconds)

export const limitGuesses = async <T>(
  deps: Deps,
  kind: string,
  request: FastifyRequest,
  tryOnce: () => Promise<T>,
): Promise<T> => {
  const key = keyOf(kind, request)
  await refuseGuesses(deps, key)
  try {
    return await tryOnce()
  } catch (error) {
    // A guess is what was refused as wrong; a database that is away says nothing about it.
    const isWrong = error instanceof AppError && error.status === 400
    if (isWrong) await countGuess(deps, key)
    throw error
  }
}
