// What pages have in common: bodies as browsers and programs send them, and who is asking for what.
import cookie from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { type App, asksForPage, htmlErrors, jsonErrors, sendError } from '../../platform/http/index.js'

/** People get pages; programs, which say who they are in a header or ask for JSON, get JSON. */
export const wantsPage = (request: FastifyRequest): boolean => {
  if (asksForPage(request)) return true
  const { headers } = request
  const accept = headers.accept ?? ''
  return !accept.includes('json') && !headers['content-type']?.includes('json') && headers.authorization === undefined
}

const wantsErrorPage = (app: App): void => {
  app.setErrorHandler((error, request, reply) =>
    sendError(error, request, reply, wantsPage(request) ? htmlErrors : jsonErrors),
  )
}

const formLimitBytes = 64 * 1024

/** Of a name that is sent twice, the last one counts. */
const acceptForms = (app: App): void => {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimitBytes },
    (_request, text: string, done) => done(null, Object.fromEntries(new URLSearchParams(text))),
  )
}

/** Nothing on these pages may be kept by a cache or shown again from one. */
export const noStore = (app: App): void => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
}

/** For the routes of this scope. */
export const servePages = async (app: App): Promise<void> => {
  await app.register(cookie)
  acceptForms(app)
  wantsErrorPage(app)
  noStore(app)
}
