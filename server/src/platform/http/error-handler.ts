// Whatever is thrown becomes one AppError, one log line and one answer in the route's protocol.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseTooSlow, DatabaseUnavailable, ReaderGone } from '../db/index.js'
import { StoreFull, StoreUnavailable } from '../files/index.js'
import { challengeHeaders } from './challenges.js'
import { type ErrorRenderer, jsonErrors } from './error-renderers.js'
import {
  AppError,
  badRequest,
  internal,
  storeTrouble,
  tooLarge,
  tooSlow,
  unavailable,
  unsupportedMediaType,
} from './errors.js'

export const sendError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  otherwise: ErrorRenderer = jsonErrors,
): void => {
  const appError = toAppError(error, request)
  logError(appError, request)
  const render = request.routeOptions.config?.renderError ?? otherwise
  const { contentType, body, headers } = render(appError, request.id, request)
  if (headers !== undefined) reply.headers(headers)
  reply.code(appError.status).headers(challengeHeaders(appError, request)).header('content-type', contentType)
  // What was promised for the success does not hold for the error.
  reply
    .removeHeader('etag')
    .removeHeader('content-disposition')
    .removeHeader('trailer')
    .removeHeader('content-encoding')
  reply.serializer(asIs).send(body)
}

/** The caller hung up in the middle: nobody reads the answer, and nothing is wrong with us. */
const aborted = () => badRequest('The request ended early.', 'request.aborted')

const asIs = (body: unknown) => body as string

const toAppError = (error: unknown, request: FastifyRequest): AppError => {
  if (error instanceof AppError) return error
  if (error instanceof DatabaseTooSlow) return tooSlow(error.cause)
  if (error instanceof DatabaseUnavailable) return unavailable(error.cause)
  if (error instanceof StoreFull || error instanceof StoreUnavailable) return storeTrouble(error)
  if (error instanceof ReaderGone || (request.raw.destroyed && !request.raw.complete)) return aborted()
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType((request.headers['content-type'] ?? '').slice(0, 100))
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(`The request body is too large. The limit is ${request.routeOptions.bodyLimit ?? 0} bytes.`)
    case 'FST_REQ_FILE_TOO_LARGE':
      return tooLarge('A file in the request is too large.')
    case 'FST_PARTS_LIMIT':
    case 'FST_FIELDS_LIMIT':
    case 'FST_FILES_LIMIT':
      return tooLarge('The multipart body has too many parts.')
  }
  // The framework's own 4xx: its message may quote internals, so the caller gets a general one.
  if (statusCode >= 400 && statusCode < 500) return badRequest('The request could not be read.', code.toLowerCase())
  return internal(error)
}

/** Expected errors are one line without their message, which may quote what the caller sent. */
const logError = (error: AppError, request: FastifyRequest): void => {
  // A flood is told by the metrics, not by a line for each.
  if (error.code === 'overloaded') request.log.debug({ code: error.code }, 'request refused')
  else if (error.status === 503 || error.status === 507)
    request.log.warn({ code: error.code, err: error.cause }, 'request failed')
  else if (error.status >= 500) request.log.error({ code: error.code, err: error.cause ?? error }, 'request failed')
  else request.log.debug({ code: error.code, status: error.status }, 'request refused')
}
