// Whoever has not signed in and asks for what is not open to everybody is asked to sign in: whether it is hidden or missing,
// with the same answer. Most programs send what they have only then: wget, Python, Excel, Enketo.
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import { asksForPage } from './error-renderers.js'
import { AppError, unauthenticated } from './errors.js'
import { isFromHere, isReading } from './other-sites.js'

export const basicChallenge = 'Basic realm="api"'

/** One that no browser opens a dialog for. */
export const tokenChallenge = 'Token realm="api"'

/** Shows that a page of this server sent the request: no other page can read what it holds, and no preflight allows it. */
export const proofHeader = 'x-sheaf-csrf'

export const signInFirst = () => unauthenticated('Authentication credentials were not provided.', basicChallenge)

/** What an error is for whoever called. A phone that came with a key has nothing to sign in with. */
export const errorFor = (error: unknown, { caller, routeOptions }: FastifyRequest): unknown => {
  const couldSignIn = caller.isAnonymous && routeOptions.config?.access !== 'key'
  return error instanceof AppError && error.isForOthers && couldSignIn ? signInFirst() : error
}

/** A script of a page, or a picture in it: a browser says so where the connection is safe, and elsewhere by the page of this
 * server that it names. It would open its own dialog for
 * Basic, over a page that knows nothing of it; of a scheme that it does not know it makes nothing. Node's own fetch says
 * `cors` as well, but never from which site. */
const isPartOfPage = (request: FastifyRequest): boolean => isSaidToBePart(request) || isPartOfOwnPage(request)

const isPartOfOwnPage = (request: FastifyRequest): boolean =>
  request.headers['sec-fetch-mode'] === undefined && !asksForPage(request) && isFromHere(request)

const isSaidToBePart = ({ headers }: FastifyRequest): boolean =>
  headers['x-requested-with'] === 'XMLHttpRequest' ||
  headers[proofHeader] !== undefined ||
  (headers['sec-fetch-site'] !== undefined && headers['sec-fetch-mode'] !== 'navigate')

/** The challenge as this caller can use it. */
export const challengeHeaders = ({ headers }: AppError, request: FastifyRequest): AppError['headers'] => {
  const challenge = headers['www-authenticate']
  const isUnwanted = challenge?.startsWith('Basic ') === true && isPartOfPage(request)
  return isUnwanted ? { ...headers, 'www-authenticate': tokenChallenge } : headers
}

/** Somebody at a browser who opened an address and has not said who they are. Opening an address counts by a session for
 * reading alone, so the sign-in page would lead to nothing else. */
export const wantsSignInPage = (error: AppError, request: FastifyRequest): boolean => {
  const { headers, caller, originalUrl } = request
  return (
    error.status === 401 &&
    caller.isAnonymous &&
    headers.authorization === undefined &&
    asksForPage(request) &&
    !isPartOfPage(request) &&
    isReading(request) &&
    originalUrl.length <= budgets.signIn.wayBackCharacters
  )
}
