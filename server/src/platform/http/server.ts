// The HTTP server without any room: what every request goes through, in this order: headers, the site it comes from, format,
// caller, body, validation, handler, ETag, compression.

import { randomUUID } from 'node:crypto'
import accepts from '@fastify/accepts'
import compress from '@fastify/compress'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../budgets.js'
import type { Metrics } from '../telemetry/index.js'
import { isUrl } from '../words/index.js'
import { plainAddress } from './addresses.js'
import { acceptBodies, parseForm } from './bodies.js'
import { errorFor, signInFirst, wantsSignInPage } from './challenges.js'
import { answerConditionally, packedFromBytes } from './conditional.js'
import { answerDevices } from './devices.js'
import { continueLate } from './early-answers.js'
import { sendError } from './error-handler.js'
import { asksForPage, htmlErrors, jsonErrors } from './error-renderers.js'
import { AppError, absent, badRequest, methodNotAllowed } from './errors.js'
import { negotiateFormat, originForm, rewriteUrl } from './formats.js'
import {
  apiHeaders,
  pageHeaders,
  sendApiHeaders,
  sendPageHeaders,
  sendProtocolHeaders,
  sessionHeaders,
} from './headers.js'
import { refuseOtherSites } from './other-sites.js'
import { cutIdleReaders } from './readers.js'
import { RequestLog } from './request-log.js'
import { type App, type Authenticate, anonymous } from './room.js'
import { answerOptions, answerOtherMethods, RouteTable } from './routes.js'
import { serializerCompiler } from './serialization.js'
import { keepShares, type Shares } from './shares.js'
import { answerInOrder, closeIdleSockets } from './sockets.js'
import { refuseUnstorable } from './text-faults.js'
import { throttle } from './throttle.js'
import { validatorCompiler } from './validation.js'

export interface HttpOptions {
  log: FastifyBaseLogger
  metrics: Metrics
  /** Fixed scheme and host of absolute addresses; without it they follow the request. */
  baseUrl: string | undefined
  trustProxy: readonly string[]
  /** Requests a minute and caller; 0 is no limit. */
  requestsPerMinute: number
  /** Requests that are worked on at once. */
  shares: Shares
  authenticate: Authenticate
  /** How devices sign in at addresses of their protocol. */
  devices: DeviceDoor
  /** The page to sign in at, from which the way leads on to an address of this server. */
  signInAddress: (next: string) => string
  /** Pages for browsers at addresses that no route has. */
  application?: PagesWithoutRoutes | undefined
}

export interface DeviceDoor {
  readonly authenticate: Authenticate
  /** What a 401 offers beside Basic; undefined for nothing. */
  challenge(request: FastifyRequest): string | undefined
}

export interface PagesWithoutRoutes {
  isPage(request: FastifyRequest): boolean
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
}

export interface HttpServer {
  readonly app: App
  readonly routes: RouteTable
  /** Submissions in hand; those that arrive slowly excepted. */
  receivingNow(): number
  /** Rooms of the API, under /api/v1. */
  api(register: (api: App) => Promise<void>): Promise<void>
  /** Rooms with a protocol and addresses of their own: they know the caller, and read the body themselves. */
  protocol(register: (scope: App) => Promise<void>): Promise<void>
  /** Pages for people, and what is outside the API. */
  pages(register: (pages: App) => Promise<void>): Promise<void>
}

export const createHttpServer = async (options: HttpOptions): Promise<HttpServer> => {
  const app = Fastify({
    loggerInstance: options.log,
    // Our own line per request is written by `observe`.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    childLoggerFactory: (log, bindings) => new RequestLog(log, bindings) as FastifyBaseLogger,
    trustProxy: options.trustProxy.length === 0 ? false : [...options.trustProxy],
    bodyLimit: budgets.bodies.bytes,
    // A whole request must have arrived by then, so that slow senders cannot hold sockets for ever. Ten megabytes of
    // photos at 3 KB a second, which is what a bad link gives, take an hour; so does a film of 100 MB at 30 KB a second.
    requestTimeout: 3_600_000,
    // Who went away without a word is found out by the system.
    http: { keepAlive: true, keepAliveInitialDelay: 60_000 },
    routerOptions: { maxParamLength: 500, querystringParser: parseForm },
    rewriteUrl,
    // The router's own errors pass no hook: they get their headers here.
    frameworkErrors: (_error, request, reply) => {
      reply.headers({ ...apiHeaders, 'x-request-id': request.id })
      sendError(badRequest('The address could not be read.'), request as never, reply as never)
    },
    clientErrorHandler: answerBrokenRequest,
    return503OnClosing: true,
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  // Outside the API there are people too: a browser gets a page.
  app.setNotFoundHandler((request, reply) => {
    const { application } = options
    if (application?.isPage(request)) return application.sendPage(request, reply)
    const isBrowser = asksForPage(request)
    if (isBrowser) reply.headers(pageHeaders)
    sendError(absent(), request, reply, isBrowser ? htmlErrors : jsonErrors)
  })
  // Set for every request by `observe`, before anything can ask.
  app.decorateRequest('caller', null as never)
  app.decorateRequest('format', 'json')
  app.decorateRequest('inFlight', null)
  app.decorateRequest('origin', {
    getter() {
      return options.baseUrl ?? `${this.protocol}://${this.host || 'localhost'}`
    },
  })
  answerInOrder(app)
  closeIdleSockets(app)
  cutIdleReaders(app)
  continueLate(app)
  const routes = new RouteTable()
  routes.collect(app)
  observe(app, options)
  await app.register(accepts)

  const { share, receivingNow } = keepShares(options.shares, options.metrics)
  const isHttps = options.baseUrl?.startsWith('https:') ?? false
  return {
    app,
    routes,
    receivingNow,
    api: async (register) => {
      await app.register(
        async (api: App) => {
          sendApiHeaders(api, isHttps)
          refuseOtherSites(api, options.baseUrl)
          refuseUnstorable(api)
          share(api)
          await throttle(api, options.requestsPerMinute)
          negotiate(api)
          identify(api, options)
          await acceptBodies(api)
          answerConditionally(api)
          await api.register(compress, { threshold: packedFromBytes, encodings: ['gzip'] })
          api.setNotFoundHandler((request, reply) => sendError(unroutable(request), request, reply))
          await register(api)
          answerOtherMethods(api, routes)
        },
        { prefix: '/api/v1' },
      )
    },
    protocol: async (register) => {
      await app.register(async (scope: App) => {
        sendProtocolHeaders(scope, isHttps)
        refuseOtherSites(scope, options.baseUrl)
        refuseUnstorable(scope)
        share(scope)
        identify(scope, { ...options, authenticate: options.devices.authenticate })
        offerBesideBasic(scope, options.devices)
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', (_request, _body, done) => done(null))
        answerDevices(scope)
        await answerOptions(scope, register)
      })
    },
    pages: async (register) => {
      await app.register(async (pages: App) => {
        sendPageHeaders(pages, isHttps)
        refuseOtherSites(pages, options.baseUrl)
        refuseUnstorable(pages)
        share(pages)
        await register(pages)
      })
    },
  }
}

/** Few hosts are asked for, again and again. */
const knownHosts = new LRUCache<string, boolean>({ max: 100 })

const isHost = (host: string): boolean => {
  const known = knownHosts.get(host)
  if (known !== undefined) return known
  const answer = isHostText(host)
  knownHosts.set(host, answer)
  return answer
}

const isHostText = (host: string): boolean => {
  if (host === '') return true
  const address = `http://${host}/`
  return isUrl(address) && new URL(address).pathname === '/' && !/[@?#\\/]/.test(host)
}

const routedMethods = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'

/** A method that no path has is refused as such; any other way to get here is an unknown path. */
const unroutable = ({ method }: FastifyRequest) =>
  routedMethods.split(', ').includes(method) ? absent() : methodNotAllowed(method, routedMethods)

const defaultFormats = ['json'] as const

const negotiate = (api: App): void => {
  api.addHook('onRequest', (request, _reply, done) => {
    // Before the body is read: for an unknown path it does not matter what is in it.
    if (request.is404) return done(unroutable(request))
    try {
      request.format = negotiateFormat(request, request.routeOptions.config.formats ?? defaultFormats)
    } catch (error) {
      return done(error as Error)
    }
    done()
  })
}

const identify = (api: App, { authenticate, signInAddress }: HttpOptions): void => {
  api.addHook('onRequest', async (request, reply) => {
    const { shortcut } = request.routeOptions.config
    if (shortcut !== undefined && (await shortcut(request, reply))) return reply
    request.caller = await authenticate(request, reply)
    if (request.caller.credential.kind === 'session') reply.headers(sessionHeaders)
    if (request.routeOptions.config.access === 'user' && request.caller.isAnonymous) throw signInFirst()
  })
  api.setErrorHandler((error, request, reply) => {
    const told = errorFor(error, request)
    if (told instanceof AppError && wantsSignInPage(told, request)) {
      return reply.redirect(signInAddress(request.originalUrl), 302)
    }
    sendError(told, request, reply)
  })
}

/** In a header of its own: some devices read one challenge a header. */
const offerBesideBasic = (scope: App, { challenge }: DeviceDoor): void => {
  scope.addHook('onSend', (request, reply, _payload, done) => {
    const basic = reply.statusCode === 401 ? reply.getHeader('www-authenticate') : undefined
    const more = typeof basic === 'string' && basic.startsWith('Basic ') ? challenge(request) : undefined
    if (more !== undefined) reply.removeHeader('www-authenticate').header('www-authenticate', [basic, more])
    done()
  })
}

const decoded = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Below /key the next word is a secret, also where the rest of the address is mistyped; below /f, where forms are filled in, any
 * word as long as one is. */
const withoutKeys = (path: string): string => {
  if (!/key|%|\/f\//i.test(path)) return path
  const words = path.split('/')
  const isSecret = (place: number): boolean => {
    let before = place - 1
    while (before > 0 && words[before] === '') before--
    return words[place] !== '' && decoded(words[before] ?? '').toLowerCase() === 'key'
  }
  // A long word is one where the line between the words is mistyped: /key%2F…, /key;…
  const whole = decoded(path)
  const isNear = /key|\/f\//i.test(whole) || whole === path
  const isLong = (word: string): boolean => isNear && word.length >= 32
  return words.map((word, place) => (place > 0 && (isSecret(place) || isLong(word)) ? '***' : word)).join('/')
}

/** Whatever bytes were sent, a line holds no sign that steers a terminal. */
const loggedPath = (url: string): string => {
  const [path = ''] = originForm(url).split('?', 1)
  return withoutKeys(path).replace(
    /[^\x21-\x7e]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/** One log line and one observation per request. The query is left out: it may carry a key. */
const observe = (app: App, { log, metrics }: Pick<HttpOptions, 'log' | 'metrics'>): void => {
  app.addHook('onRequest', (request, reply, done) => {
    request.caller = anonymous
    const operation = request.routeOptions.config?.operation ?? 'unknown'
    metrics.begin(operation)
    // Also for those who hang up, of whom onResponse does not hear.
    reply.raw.on('close', () => metrics.end(operation))
    reply.header('x-request-id', request.id)
    // Absolute addresses are built from it.
    done(isHost(request.host) ? undefined : badRequest('The Host header is not a host.', 'host.malformed'))
  })
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config?.operation ?? 'unknown'
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    metrics.observeRequest(operation, reply.statusCode, reply.elapsedTime / 1000)
    const { id: reqId, method, caller, ip } = request
    const place = { address: plainAddress(ip), operation, method, path: loggedPath(request.originalUrl) }
    const who = caller.isAnonymous ? { user: 0 } : { user: caller.id, account: caller.username }
    log.info({ reqId, ...place, status: reply.statusCode, ms: milliseconds, ...who }, 'request')
    done()
  })
}

/** What is not HTTP at all never reaches a route. */
const answerBrokenRequest = (error: NodeJS.ErrnoException, socket: import('node:net').Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const statuses: Readonly<Record<string, string>> = {
    HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
    ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  }
  const status = statuses[error.code ?? ''] ?? '400 Bad Request'
  const { contentType, body } = jsonErrors(badRequest('The request could not be read.'), '', { headers: {} })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
