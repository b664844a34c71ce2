// A limit per caller's address on what could be used to send mails or to guess keys; counted in the database, so that
// several nodes count together.
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { AppError, limitKey, throttledUntil } from '../../platform/http/index.js'
import { type AttemptKey, countAttempt, findAttempts, uncountAttempt } from './attempts.queries.js'
import { credentialSettings } from './credentials.settings.js'

const windowSeconds = 900

const keyOf = (kind: string, request: FastifyRequest) => ({ kind, account: '', address: limitKey(request.ip) })

/** Counts this request; throws 429 beyond the limit. */
export const limitByAddress = async (
  deps: Deps,
  kind: string,
  request: FastifyRequest,
  most = deps.config.of(credentialSettings).requestsPerAddress,
): Promise<void> => {
  const now = deps.clock.now()
  const { count, expiresAt } = await countAttempt(deps.db, keyOf(kind, request), now, windowSeconds)
  if (count > most) throw throttledUntil(expiresAt, now)
}

export const limitAddressSearches = (deps: Deps, request: FastifyRequest): Promise<void> =>
  limitByAddress(deps, 'address_search', request, budgets.accounts.addressSearches)

export const limitRegistrations = (deps: Deps, request: FastifyRequest): Promise<void> =>
  limitByAddress(deps, 'registration', request, budgets.accounts.registrations)

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
  wrongStatus = 400,
): Promise<T> => {
  const key = keyOf(kind, request)
  // Counted before it is known to be wrong: of many that come at once, no more than the rest of the limit are tried.
  await limitByAddress(deps, kind, request)
  const isWrong = (error: unknown) => error instanceof AppError && error.status === wrongStatus
  try {
    const answer = await tryOnce()
    await uncountAttempt(deps.db, key)
    return answer
  } catch (error) {
    // A guess is what was refused as wrong; a database that is away says nothing about it.
    if (!isWrong(error)) await uncountAttempt(deps.db, key)
    throw error
  }
}

/** Whether somebody has an account under an address is told to whoever wants the address or the name for themselves: to
 * registration, changes of profile, organizations and invitations. However it is asked, it counts together. */
export const limitAddressGuesses = <T>(deps: Deps, request: FastifyRequest, tryOnce: () => Promise<T>): Promise<T> =>
  limitGuesses(deps, 'address_guess', request, tryOnce)
