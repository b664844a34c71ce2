// /accounts/session: signing in and out by scripts of this server's own pages; /accounts/options: what they show before.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import {
  type App,
  AppError,
  type Caller,
  errors,
  faultsFrom,
  limitKey,
  NoBody,
  otherSiteRule,
  proofHeader,
  sessionRule,
  throwFaults,
  tokenChallenge,
  unauthenticated,
} from '../../platform/http/index.js'
import { processSettings } from '../../platform/settings.js'
import { credentialSettings, endAllSignIns, endSignIn, type LogIn } from '../credentials/index.js'
import { profileSettings } from '../profiles/index.js'
import { noStore } from './browsers.js'
import { dropCookie } from './cookies.js'
import { confirmAddress, waitsForPassword } from './outside-links.js'
import { parseOutsideServers } from './outside-servers.js'
import { csrfToken, findSession, isProof, renewSession, sessionCookie, startSession } from './session.js'
import { notFromHere, passwordChanged, staleProof } from './sign-in.errors.js'
import { SessionBody, SessionEnd, SessionView, SignInOptionsView } from './sign-in.schemas.js'
import { signInSettings } from './sign-in.settings.js'

const tags = ['session']

/** For nobody in particular, and nobody's to keep. */
const prepare = (app: App): void => {
  noStore(app)
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('vary', 'Cookie')
  })
  // What remains is JSON, which a page of another site cannot send without asking first.
  app.removeContentTypeParser('text/plain')
}

/** The same words as elsewhere, without the challenge for which a browser opens a dialog of its own. */
const orRefusal = async (attempt: Promise<Caller>): Promise<Caller> => {
  try {
    return await attempt
  } catch (error) {
    throw error instanceof AppError && error.status === 401 ? unauthenticated(error.message, tokenChallenge) : error
  }
}

export const sessionRoutes = async (app: App, deps: Deps, logIn: LogIn) => {
  prepare(app)
  const { baseUrl } = deps.config.of(processSettings)
  const needs = sessionRule(baseUrl)
  const isFromElsewhere = otherSiteRule(baseUrl)

  app.get(
    '/accounts/session',
    {
      config: { operation: 'session.get', access: 'anyone' },
      schema: {
        summary: 'Who is signed in in this browser',
        description: 'For this server’s own pages. 204 where nobody is.',
        tags,
        security: [{}, { session: [] }],
        response: { 200: SessionView, 204: NoBody },
      },
    },
    async (request, reply) => {
      const session = needs(request) === 'nothing helps' ? undefined : await findSession(deps, request)
      // A cookie that is over is left: by the time that this answer arrives, the browser may hold the one of a new session.
      if (session === undefined) return reply.code(204).send(null)
      const expiresAt = await renewSession(deps, request, reply, session)
      const { userId: id, username, stays: stay } = session
      return { id, username, csrf: csrfToken(deps, request), expires: expiresAt.toISOString(), stay }
    },
  )

  app.post(
    '/accounts/session',
    {
      config: { operation: 'session.start', access: 'anyone' },
      schema: {
        summary: 'Sign in in this browser',
        description:
          'Sets the cookie of a new session; one that was there before ends. Wrong passwords count together with those of Basic.',
        tags,
        security: [],
        consumes: ['application/json'],
        body: SessionBody,
        response: { 200: SessionView, ...errors(400, 401, 403, 415, 429) },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      if (isFromElsewhere(request)) throw notFromHere()
      throwFaults(faultsFrom(request.validationError))
      const { username: name, password, stay = false } = request.body
      const attempt = { name, password, address: limitKey(request.ip), ip: request.ip }
      const { id, username, credential } = await orRefusal(logIn(attempt))
      const proven = { userId: id, passwordHash: credential.hash, stays: stay }
      const started = await startSession(deps, request, reply, proven)
      if (started === undefined) throw passwordChanged()
      await confirmAddress(deps, request, reply, id)
      return { id, username, csrf: started.csrf, expires: started.expiresAt.toISOString(), stay }
    },
  )

  /** The session that this request may end; throws 403 without its proof. */
  const provenSession = (request: FastifyRequest) => {
    const cookie = sessionCookie(request)
    if (needs(request) === 'nothing helps') throw staleProof()
    if (cookie === undefined) return undefined
    if (!isProof(deps, cookie, request.headers[proofHeader])) throw staleProof()
    return findSession(deps, request)
  }

  app.delete(
    '/accounts/session',
    {
      config: { operation: 'session.end', access: 'anyone' },
      schema: {
        summary: 'Sign out of this browser',
        description: 'With `everywhere`, of every browser. What programs were allowed stays, and so do tokens.',
        tags,
        security: [{}, { session: [] }],
        querystring: SessionEnd,
        response: { 204: NoBody, ...errors(400, 403) },
      },
    },
    async (request, reply) => {
      const session = await provenSession(request)
      if (session !== undefined) {
        await (request.query.everywhere ? endAllSignIns(deps.db, session.userId) : endSignIn(deps.db, session.id))
      }
      dropCookie(request, reply, 'session')
      return reply.code(204).send(null)
    },
  )

  optionRoutes(app, deps)
}

const optionRoutes = (app: App, deps: Deps): void => {
  const { outsideServers, sessionSeconds, staySeconds } = deps.config.of(signInSettings)
  const { mayNotRegister, isVerificationEnabled } = deps.config.of(profileSettings)
  const { minPasswordLength } = deps.config.of(credentialSettings)
  const servers = outsideServers === undefined ? [] : parseOutsideServers(outsideServers)
  const providers = servers.map(({ name, title }) => ({ name, title, login: `/oidc/${name}/login` }))

  app.get(
    '/accounts/options',
    {
      config: { operation: 'session.options', access: 'anyone' },
      schema: {
        summary: 'What signing in and registering is like here',
        tags,
        security: [],
        response: { 200: SignInOptionsView },
      },
    },
    async (request) => ({
      registration: !mayNotRegister,
      verification: isVerificationEnabled,
      password_min_length: minPasswordLength,
      session_seconds: sessionSeconds,
      stay_seconds: staySeconds,
      providers,
      connecting: waitsForPassword(deps, request),
    }),
  )
}
