// Schemas of the answers that every room shares, so that the description names each refusal.
import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from '../schema/index.js'

export const NoBody = Type.Null({ description: 'No body.' })

/** Answered in these media types, whatever the formats of the route are. */
export const inMedia = <S extends TSchema>(schema: S, ...types: string[]): S => ({ ...schema, 'x-media': types })

export const Html = inMedia(
  Type.String({ description: 'A page.', examples: ['<!doctype html>\n<html lang="en">…</html>\n'] }),
  'text/html',
)

/** Leads on to another page. */
export const Redirect = Type.Null({ description: 'Leads on; `Location` says where.' })

/** The same from a library that says so in the body too. */
export const RedirectInWords = inMedia(
  Type.String({
    description: 'Leads on; `Location` says where.',
    examples: ['Redirecting to https://map.example.org/callback?code=kT9m0qVbq1oV.'],
  }),
  'text/html',
  'text/plain',
)

/** For whoever has it already. */
export const Unchanged = Type.Null({ description: 'The caller has it already (If-None-Match).' })

/** For programs as JSON, for browsers as a page. */
export const orPage = <S extends TSchema>(schema: S): S => inMedia(schema, 'application/json', 'text/html')

/** Bytes that somebody stored, in the type that they have. */
export const Bytes = (description: string, ...types: string[]) =>
  inMedia(Type.Unknown({ description }), ...(types.length === 0 ? ['*/*'] : types))

/** A description as JSON, or the bytes that it describes. */
export const orBytes = <S extends TSchema>(schema: S, description: string): S =>
  inMedia({ ...schema, description }, 'application/json', '*/*')

/** Described as one of several; what is sent as JSON by its schema is the first. */
export const orAlso = <S extends TSchema>(schema: S, ...others: TSchema[]): S => ({ ...schema, 'x-or': others })

/** A part of a multipart body that is a file; the handler reads it. */
export const FilePart = (description: string, maxLength = 0) =>
  Type.String({ 'x-file': true, maxLength, description: `File part: ${description}` })

export const Detail = Type.Object(
  { detail: Type.String() },
  { description: 'What was wrong, in words.', examples: [{ detail: 'Not found.' }] },
)

export const Faults = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
  description: 'The faulty fields, each with its messages; or what was wrong with the request as a whole.',
  examples: [{ username: ['This field is required.'] }, { detail: 'JSON parse error - Unexpected end of JSON input' }],
})

const meanings: Readonly<Record<number, [string, TSchema]>> = {
  400: ['The request is invalid.', Faults],
  401: ['No credentials, or wrong ones.', Detail],
  403: ['Visible, but not allowed.', Detail],
  404: ['Missing, or not visible to the caller.', Detail],
  405: ['The path does not have this method.', Detail],
  406: ['The Accept header cannot be satisfied.', Detail],
  409: ['Somebody else changed it first.', Detail],
  413: ['The body is too large.', Detail],
  415: ['The content type is not understood.', Detail],
  429: ['Too many requests; Retry-After says when to come back.', Detail],
  503: ['Busy, or about to stop; Retry-After says when to come back.', Detail],
}

/** One for all routes, so that each is described once. */
const refusalOf = new Map<number, TSchema>()

/** The error answers of a route, for its `response` schema; typed as nothing, so that a handler's value is checked
 * against its successes alone. */
export const errors = (...statuses: number[]): Record<never, TSchema> =>
  Object.fromEntries(
    statuses.map((status) => {
      const [description, schema] = meanings[status] ?? ['An error.', Detail]
      const known = refusalOf.get(status) ?? { ...schema, description }
      refusalOf.set(status, known)
      return [status, known]
    }),
  )

/** For a route that refuses in shapes of its own besides the common one. */
export const refusals = (status: number, ...shapes: TSchema[]): Record<never, TSchema> => {
  const [description, schema] = meanings[status] ?? ['An error.', Detail]
  return { [status]: Type.Union([schema, ...shapes], { description }) }
}

/** A JSON text as the whole body; the framework would send a bare string as plain text. */
export const sendJsonText = (reply: FastifyReply, text: string, status = 200) =>
  reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(text)
