// A strong ETag on every successful GET whose body is in memory, and 304 when the caller has it already. The plugin of
// the framework also tags errors and writes, and does not read a list of tags; hence these lines.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Below about one packet, gzip costs more than it saves. */
export const packedFromBytes = 1400

/** Packed or not are two representations: a strong tag tells them apart. */
export const tagOf = (body: string | Buffer, packed: boolean) =>
  `"${createHash('sha1').update(body).digest('base64url')}${packed ? '-gzip' : ''}"`

const isPacked = (request: FastifyRequest, body: string | Buffer): boolean =>
  Buffer.byteLength(body) >= packedFromBytes && /\bgzip\b|\*/.test(request.headers['accept-encoding'] ?? '')

/** Weak comparison, as RFC 9110 13.1.2 asks for If-None-Match. */
export const matches = (header: string, tag: string) =>
  header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)

export const answerConditionally = (app: FastifyInstance): void => {
  // Not async: every answer passes here, and most need nothing.
  app.addHook('onSend', (request, reply, body, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || reply.statusCode !== 200 || !(typeof body === 'string' || Buffer.isBuffer(body))) {
      return done(null, body)
    }
    // What is kept comes with its tag.
    if (reply.hasHeader('etag')) return done(null, body)
    const tag = tagOf(body, isPacked(request, body))
    reply.header('etag', tag)
    const asked = request.headers['if-none-match']
    if (asked === undefined || !matches(asked, tag)) return done(null, body)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    done(null, null)
  })
}
