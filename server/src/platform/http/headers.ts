// Headers that every answer of a kind carries. They are constants: nothing is computed per request.
import type { FastifyInstance, FastifyRequest } from 'fastify'

const common = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/** The API is open to browsers of any origin with credentials mode off; what it answers is data, never a document. */
export const apiHeaders = {
  ...common,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Link, Location, ETag, Retry-After, WWW-Authenticate, X-Request-Id, X-Total-Count, X-Total-Count-Exact',
  'cache-control': 'private, no-cache',
  vary: 'Accept, Accept-Encoding, Authorization, Cookie',
}

/** What a browser's session has opened is for pages of this server alone, also as a picture or a script. */
export const sessionHeaders = { 'cross-origin-resource-policy': 'same-origin' }

/** For programs that are no browsers: devices, which have little to spare. */
const protocolHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-cache' }

const protocolPageHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Location, Retry-After, WWW-Authenticate, X-OpenRosa-Accept-Content-Length, X-OpenRosa-Version, X-Request-Id',
  vary: 'Origin',
}

const preflightHeaders = {
  'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, If-None-Match, User-Agent, X-CSRFToken, X-OpenRosa-Version, X-Requested-With',
  'access-control-max-age': '86400',
}

/** Plain pages: their own inline style, nothing else. */
export const pageHeaders = {
  ...common,
  // Not "no-referrer": it makes browsers send "Origin: null" with the page's own forms.
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** One year, once the service is known by an https address. */
const transport = (isHttps: boolean) => (isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {})

/** It carries no credentials: it is answered before anybody asks for them. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

export const sendApiHeaders = (app: FastifyInstance, isHttps: boolean): void => {
  const headers = { ...apiHeaders, ...transport(isHttps) }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    if (isPreflight(request)) reply.headers(preflightHeaders).code(204).send()
    else done()
  })
}

/** Forms are filled in on pages too, of any origin as the API; a device, which has none, is spared the words. */
export const sendProtocolHeaders = (app: FastifyInstance, isHttps: boolean): void => {
  const headers = { ...protocolHeaders, ...transport(isHttps) }
  const toPages = { ...headers, ...protocolPageHeaders }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.headers.origin === undefined ? headers : toPages)
    if (request.headers.cookie !== undefined) reply.header('vary', 'Authorization, Cookie, Origin')
    if (isPreflight(request)) reply.headers(preflightHeaders).code(204).send()
    else done()
  })
}

export const sendPageHeaders = (app: FastifyInstance, isHttps: boolean): void => {
  const headers = { ...pageHeaders, ...transport(isHttps) }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
