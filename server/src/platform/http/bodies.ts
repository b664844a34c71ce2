// Request bodies: JSON, form-encoded and multipart fields, all bounded, all arriving as one plain object.
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parse as parseJson } from 'secure-json-parse'
import { budgets } from '../../budgets.js'
import { badRequest, tooLarge, unsupportedMediaType } from './errors.js'
import { noteJson, refuseUnchecked } from './text-faults.js'

const { bytes: most, fields, fieldBytes } = budgets.bodies

/** Parts are bounded one by one here and in their sum below, like a JSON body. */
const multipartLimits = {
  fields,
  fieldSize: fieldBytes,
  fieldNameSize: 200,
  files: 10,
  fileSize: most,
  // Fields and files have their bounds. Past a bound of its own the parser passes over parts of which nobody hears that they
  // were cut short, and that would end the process.
  parts: Number.MAX_SAFE_INTEGER,
}

export const acceptBodies = async (app: FastifyInstance): Promise<void> => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    noteJson(request, text)
    // An empty body is no body; the route's schema says what is missing.
    if (text.trim() === '') return done(null, undefined)
    try {
      // A bare null says as little as no body.
      done(null, parseJson(text) ?? undefined)
    } catch (error) {
      done(badRequest(`JSON parse error - ${(error as Error).message}`, 'json.malformed'))
    }
  })
  await app.register(formbody, { bodyLimit: most, parser: parseForm })
  await app.register(multipart, { limits: multipartLimits })
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart() && request.routeOptions.config.streamsBody !== true) {
      request.body = await multipartFields(request)
    }
    refuseUnchecked(request)
    if (request.routeOptions.config.queryFillsBody === true && isFillable(request.body)) {
      request.body = { ...(request.query as object), ...request.body }
    }
  })
}

/** Anything but an object is left for the validator to refuse. */
const isFillable = (body: unknown): body is object | undefined =>
  body === undefined || (typeof body === 'object' && body !== null && !Array.isArray(body))

/** Form-encoded text, and query strings: of a name that is sent twice, the last one counts. */
export const parseForm = (text: string): Record<string, string> =>
  text === '' ? {} : Object.fromEntries(new URLSearchParams(text))

/** The fields of a multipart body. Files are read past: no route that comes here takes one. */
const multipartFields = async (request: FastifyRequest): Promise<Record<string, unknown>> => {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw unsupportedMediaType(encoding)
  const fields: Record<string, unknown> = {}
  let bytes = 0
  const count = (more: number) => {
    bytes += more
    if (bytes > most) throw tooLarge(`The request body is too large. The limit is ${most} bytes.`)
  }
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        for await (const chunk of part.file) count(chunk.length)
        continue
      }
      if (part.valueTruncated) throw tooLarge(`The field "${part.fieldname}" is larger than ${fieldBytes} bytes.`)
      count(String(part.value).length)
      fields[part.fieldname] = part.value
    }
  } catch (error) {
    // Limits have a status of their own; what the parser stumbles over has none.
    if ('status' in (error as object) || 'statusCode' in (error as object)) throw error
    throw badRequest('The multipart body could not be read: it is cut short or malformed.', 'multipart.malformed')
  }
  return fields
}
