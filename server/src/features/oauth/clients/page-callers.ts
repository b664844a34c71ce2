// Who calls a page that needs somebody: by session, or, for programs, by the schemes of the API.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../platform/deps.js'
import { type App, type Authenticate, signInFirst } from '../../../platform/http/index.js'
import { callerBySession, checkCsrf, csrfToken, loginAddress, wantsPage } from '../../sign-in/index.js'
import { bearerMayNotManage } from './clients.errors.js'

/** People are led to the login page and back; programs get 401. */
const refuse = (request: FastifyRequest, reply: FastifyReply) => {
  if (!wantsPage(request)) throw signInFirst()
  const next = request.method === 'GET' ? request.originalUrl : '/o/applications/'
  return reply.redirect(loginAddress(next), 302)
}

export const identifyCallers = (app: App, deps: Deps, authenticate: Authenticate): void => {
  app.addHook('onRequest', async (request, reply) => {
    const isProgram = request.headers.authorization !== undefined
    request.caller = await (isProgram ? authenticate(request, reply) : callerBySession(deps, request, reply))
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
