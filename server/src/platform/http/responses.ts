// Schemas of the answers that every room shares, so that the description names each refusal.
import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from '../schema/index.js'

export const NoBody = Type.Null({ description: 'No body.' })

const Detail = Type.Object(
  { detail: Type.String() },
  { description: 'What was wrong, in words.', examples: [{ detail: 'Not found.' }] },
)

const Faults = Type.Union(
  [
    Type.Object({ detail: Type.String() }, { additionalProperties: false }),
    Type.Record(Type.String(), Type.Array(Type.String())),
  ],
  {
    description: 'The faulty fields, each with its messages; or what was wrong with the request as a whole.',
    examples: [
      { username: ['This field is required.'] },
      { detail: 'JSON parse error - Unexpected end of JSON input' },
    ],
  },
)

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
}

/** The error answers of a route, for its `response` schema; typed as nothing, so that a handler's value is checked
 * against its successes alone. */
export const errors = (...statuses: number[]): Record<never, TSchema> =>
  Object.fromEntries(
    statuses.map((status) => {
      const [description, schema] = meanings[status] ?? ['An error.', Detail]
      return [status, { ...schema, description }]
    }),
  )

/** A JSON text as the whole body; the framework would send a bare string as plain text. */
export const sendJsonText = (reply: FastifyReply, text: string, status = 200) =>
  reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(text)
