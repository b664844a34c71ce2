// /oidc/{server}: signing in through an outside provider, and coming back from it.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { type App, errors, notFound, Redirect } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { dropCookie, keepCookie, readCookie } from './cookies.js'
import { type Departure, outsideProvider } from './outside.js'
import { rememberVouched } from './outside-links.js'
import { parseOutsideServers } from './outside-servers.js'
import { findPersonByEmail } from './people.queries.js'
import { loginAddress, safeNext, startSession } from './session.js'
import { outsideRefused } from './sign-in.errors.js'
import { signInSettings } from './sign-in.settings.js'

const ServerParams = Type.Object({
  server: Type.String({ maxLength: 40, description: 'A name of the setting.', examples: ['google'] }),
})
const LoginQuery = Type.Object({
  next: Type.Optional(Type.String({ maxLength: 8000 })),
  stay: Type.Optional(Type.Boolean({ description: 'To stay signed in for LOGIN_SESSION_STAY_SECONDS.' })),
})
const CallbackQuery = Type.Object(
  {
    code: Type.Optional(Type.String({ maxLength: 4000 })),
    state: Type.Optional(Type.String({ maxLength: 500 })),
    iss: Type.Optional(Type.String({ maxLength: 500 })),
    error: Type.Optional(Type.String({ maxLength: 500 })),
  },
  { 'x-unchecked': true },
)

export const outsideRoutes = async (app: App, deps: Deps) => {
  const { outsideServers } = deps.config.of(signInSettings)
  const servers = outsideServers === undefined ? [] : parseOutsideServers(outsideServers)
  const providers = new Map(servers.map((server) => [server.name, outsideProvider(deps, server)]))

  const providerOf = (name: string) => {
    const provider = providers.get(name)
    if (provider === undefined) throw notFound()
    return provider
  }
  const callbackOf = ({ origin }: FastifyRequest, name: string) => `${origin}/oidc/${name}/callback`

  const departureOf = (request: FastifyRequest, name: string): Departure | undefined => {
    const cookie = readCookie(request, 'outside')
    const text = cookie && deps.secrets.open('outside', name, Buffer.from(cookie, 'base64url'))
    const departure: Departure | undefined = text ? JSON.parse(text) : undefined
    return departure !== undefined && departure.expiresAt > deps.clock.now().getTime() ? departure : undefined
  }

  app.get(
    '/oidc/:server/login',
    {
      config: { operation: 'login.outside.start', access: 'anyone' },
      schema: {
        summary: 'Sign in through an outside OpenID provider',
        tags: ['pages'],
        params: ServerParams,
        querystring: LoginQuery,
        response: { 302: Redirect, ...errors(404) },
      },
    },
    async (request, reply) => {
      const { server, depart } = providerOf(request.params.server)
      const { address, departure } = await depart(callbackOf(request, server.name), safeNext(request.query.next))
      const { stay: stays = false } = request.query
      const sealed = deps.secrets
        .seal('outside', server.name, JSON.stringify({ ...departure, stays }))
        .toString('base64url')
      keepCookie(request, reply, 'outside', sealed, 600)
      return reply.redirect(address, 302)
    },
  )

  app.get(
    '/oidc/:server/callback',
    {
      config: {
        operation: 'login.outside.finish',
        access: 'anyone',
        changes: true,
        fromOtherSites: 'The provider sends people back; a sealed cookie shows that they left from this browser.',
      },
      schema: {
        summary: 'Where the outside provider sends people back to',
        tags: ['pages'],
        params: ServerParams,
        querystring: CallbackQuery,
        response: { 302: Redirect, ...errors(403, 404) },
      },
    },
    async (request, reply) => {
      const { server, arrive } = providerOf(request.params.server)
      const departure = departureOf(request, server.name)
      dropCookie(request, reply, 'outside')
      if (departure === undefined) {
        throw outsideRefused(server.title, 'it took too long or was not begun in this browser. Begin again.')
      }
      const query = new URLSearchParams(request.raw.url?.split('?')[1])
      const email = await arrive(callbackOf(request, server.name), query, departure)
      const person = await findPersonByEmail(deps.db, email)
      if (person === undefined) throw outsideRefused(server.title, `no account here has the address ${email}.`)
      if (!person.isEmailVerified) {
        rememberVouched(deps, request, reply, person)
        return reply.redirect(loginAddress(departure.next), 302)
      }
      await startSession(deps, request, reply, {
        userId: person.id,
        passwordHash: undefined,
        stays: departure.stays === true,
      })
      return reply.redirect(departure.next, 302)
    },
  )
}
