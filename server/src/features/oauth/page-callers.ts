// Who calls a page that needs somebody: by session, or, for programs, by the schemes of the API.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import {
  type App,
  type Authenticate,
  anonymous,
  type Caller,
  sessionRule,
  signInFirst,
} from '../../platform/http/index.js'
import { processSettings } from '../../platform/settings.js'
import { bearerMayNotManage } from './oauth.errors.js'
import { wantsPage } from './oauth-requests.js'
import { checkCsrf, csrfToken, findSession, loginAddress } from './session.js'

const callerBySession = async (deps: Deps, request: FastifyRequest): Promise<Caller> => {
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

/** People are led to the login page and back; programs get 401. */
const refuse = (request: FastifyRequest, reply: FastifyReply) => {
  if (!wantsPage(request)) throw signInFirst()
  const next = request.method === 'GET' ? request.originalUrl : '/o/applications/'
  return reply.redirect(loginAddress(next), 302)
}

export const identifyCallers = (app: App, deps: Deps, authenticate: Authenticate): void => {
  app.addHook('onRequest', async (request, reply) => {
    const isProgram = request.headers.authorization !== undefined
    request.caller = await (isProgram ? authenticate(request) : callerBySession(deps, request))
    if (request.caller.credential.kind === 'bearer') throw bearerMayNotManage()
    if (request.caller.isAnonymous) return refuse(request, reply)
  })
  app.addHook('preValidation', async (request) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead && request.caller.credential.kind === 'session') checkCsrf(deps, request)
  })
}

export const visitOf = (deps: Deps, request: FastifyRequest) => ({
  username: request.caller.username,
  csrf: csrfToken(deps, request),
})
