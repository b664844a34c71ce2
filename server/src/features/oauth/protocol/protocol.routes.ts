// The endpoints between programs: tokens, what they are worth, and how to find everything. The library answers them.
import type { RouteHandlerMethod } from 'fastify'
import { type App, methodNotAllowed, refusals } from '../../../platform/http/index.js'
import { type TSchema, Type } from '../../../platform/schema/index.js'
import type { HandOver } from './library.js'
import {
  AboutTokenBody,
  Discovery,
  Person,
  ProtocolError,
  PublicKeys,
  TokenBody,
  TokenFacts,
  TokenView,
} from './protocol.schemas.js'

interface Endpoint {
  method: 'GET' | 'POST'
  url: string
  operation: string
  summary: string
  body?: TSchema
  security: readonly Readonly<Record<string, readonly string[]>>[]
  /** The same by POST, as OpenID Connect asks for. */
  isAlsoPosted?: boolean
  success: TSchema
}

/** A public client names itself in the body. */
const byClient = [{ client: [] }, {}]

const endpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    url: '/o/token',
    operation: 'oauth.token.issue',
    security: byClient,
    summary: 'Exchange a code or a refresh token for tokens',
    body: TokenBody,
    success: TokenView,
  },
  {
    method: 'POST',
    url: '/o/revoke_token',
    operation: 'oauth.token.revoke',
    security: byClient,
    summary: 'Revoke a token, and with it all tokens of the same approval',
    body: AboutTokenBody,
    success: Type.Null({ description: 'Also for unknown tokens.' }),
  },
  {
    method: 'POST',
    url: '/o/introspect',
    operation: 'oauth.token.introspect',
    security: byClient,
    summary: 'What one of the client’s own tokens is worth',
    body: AboutTokenBody,
    success: TokenFacts,
  },
  {
    method: 'GET',
    url: '/o/userinfo',
    operation: 'oauth.userinfo.show',
    security: [{ oauth: ['openid'] }],
    summary: 'Who gave the access token; needs the scope openid',
    isAlsoPosted: true,
    success: Person,
  },
  {
    method: 'GET',
    url: '/o/.well-known/jwks.json',
    operation: 'oauth.keys.list',
    security: [],
    summary: 'Keys that verify ID tokens',
    success: PublicKeys,
  },
  {
    method: 'GET',
    url: '/.well-known/openid-configuration',
    operation: 'oauth.discovery.openid',
    security: [],
    summary: 'Where everything is, for OpenID Connect',
    success: Discovery,
  },
  {
    method: 'GET',
    url: '/.well-known/oauth-authorization-server',
    operation: 'oauth.discovery.oauth',
    security: [],
    summary: 'Where everything is, for OAuth 2.0',
    success: Discovery,
  },
]

const fromOtherSites =
  'Programs in browsers call from anywhere. Basic names a client program here, never a person, and cookies are not read.'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const protocolRoutes = async (app: App, handOver: HandOver): Promise<void> => {
  // The library reads the body itself, with bounds of its own.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const handler: RouteHandlerMethod = async (request, reply) => {
    // RFC 6749 asks for it beside no-store, which the library sends.
    if (request.method === 'POST') reply.header('pragma', 'no-cache')
    await handOver(request, reply)
    return reply
  }
  for (const { method, url, operation, summary, body, security, success, isAlsoPosted = false } of endpoints) {
    const also = isAlsoPosted ? ['POST' as const] : []
    app.route({
      method,
      url,
      config: { operation, access: 'anyone', fromOtherSites },
      schema: {
        summary,
        tags: ['oauth'],
        security,
        ...(body && { body }),
        response: {
          200: success,
          ...refusals(400, ProtocolError),
          401: ProtocolError,
          429: ProtocolError,
          ...refusals(503, ProtocolError),
        },
      },
      handler,
    })
    app.route({
      method: ['OPTIONS', ...also],
      url,
      config: { operation, access: 'anyone', fromOtherSites },
      schema: { hide: true },
      handler,
    })
    const allowed = [method, ...also, ...(method === 'GET' ? ['HEAD'] : []), 'OPTIONS'].sort()
    app.route({
      method: methods.filter((one) => !allowed.includes(one)),
      url,
      exposeHeadRoute: false,
      config: { operation: 'method.refuse', access: 'anyone' },
      schema: { hide: true },
      onRequest: async (request) => {
        throw methodNotAllowed(request.method, allowed.join(', '))
      },
      handler: () => undefined,
    })
  }
}
