// Request bodies: JSON, form-encoded and multipart fields, all bounded, all arriving as one plain object.
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest, tooLarge } from './errors.js'

export const bodyLimitBytes = 1024 * 1024

/** Together about the same bound as a JSON body: a hundred fields of at most 100 KB. */
const multipartLimits = { fields: 100, fieldSize: 100_000, fieldNameSize: 200, files: 10, fileSize: bodyLimitBytes }

export const acceptBodies = async (app: FastifyInstance): Promise<void> => {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    // An empty body is no body; the route's schema says what is missing.
    if (text.trim() === '') return done(null, undefined)
    parseJson(request, text, (error, value) =>
      // A bare null says as little as no body.
      error === null
        ? done(null, value ?? undefined)
        : done(badRequest(`JSON parse error - ${error.message}`, 'json.malformed')),
    )
  })
  await app.register(formbody, { bodyLimit: bodyLimitBytes, parser: parseForm })
  await app.register(multipart, { limits: multipartLimits })
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart() && request.routeOptions.config.streamsBody !== true) {
      request.body = await multipartFields(request)
    }
  })
}

/** Form-encoded text, and query strings: of a name that is sent twice, the last one counts. */
export const parseForm = (text: string): Record<string, string> =>
  text === '' ? {} : Object.fromEntries(new URLSearchParams(text))

/** The fields of a multipart body. Files are read past: no route that comes here takes one. */
const multipartFields = async (request: FastifyRequest): Promise<Record<string, unknown>> => {
  const fields: Record<string, unknown> = {}
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        for await (const _ of part.file);
        continue
      }
      if (part.valueTruncated) throw tooLarge(`The field "${part.fieldname}" is larger than 100000 bytes.`)
      fields[part.fieldname] = part.value
    }
  } catch (error) {
    // Limits have a status of their own; what the parser stumbles over has none.
    if ('status' in (error as object) || 'statusCode' in (error as object)) throw error
    throw badRequest('The multipart body could not be read: it is cut short or malformed.', 'multipart.malformed')
  }
  return fields
}
