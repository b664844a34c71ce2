// Who calls a page that needs somebody: by session, or, for programs, by the schemes of the API.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { type App, type Authenticate, anonymous, type Caller, unauthenticated } from '../../platform/http/index.js'
import { bearerMayNotManage } from './oauth.errors.js'
import { wantsPage } from './oauth-requests.js'
import { checkCsrf, csrfToken, findSession, loginAddress } from './session.js'

const callerBySession = async (deps: Deps, request: FastifyRequest): Promise<Caller> => {
  const session = await findSession(deps, request)
  if (session === undefined) return anonymous
  const { userId: id, username } = session
  return { id, username, isAnonymous: false, credential: { kind: 'session', hash: '' } }
}

/** People are led to the login page and back; programs get 401. */
const refuse = (request: FastifyRequest, reply: FastifyReply) => {
  if (!wantsPage(request)) throw unauthenticated('Authentication credentials were not provided.', 'Basic realm="api"')
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
