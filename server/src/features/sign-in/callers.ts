// Who calls by the session of the pages.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { type Authenticate, anonymous, type Caller, sessionRule } from '../../platform/http/index.js'
import { processSettings } from '../../platform/settings.js'
import { findSession } from './session.js'

export const callerBySession = async (deps: Deps, request: FastifyRequest): Promise<Caller> => {
  const session = await findSession(deps, request)
  if (session === undefined) return anonymous
  const { userId: id, username } = session
  return { id, username, isAnonymous: false, credential: { kind: 'session', hash: '' } }
}

/** Who calls the API: by its own schemes, else, for reading alone, by the session of the pages, so that somebody who has
 * signed in can open an address and save what is there. */
export const withSessions = (deps: Deps, authenticate: Authenticate): Authenticate => {
  const mayUseSession = sessionRule(deps.config.of(processSettings).baseUrl)
  return (request) => {
    const { authorization, cookie } = request.headers
    const isBySession = authorization === undefined && cookie !== undefined && mayUseSession(request)
    return isBySession ? callerBySession(deps, request) : authenticate(request)
  }
}
