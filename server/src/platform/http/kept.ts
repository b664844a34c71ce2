// Long texts that stay the same for everybody: packed once, tagged once.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matches, tagOf } from './conditional.js'

const zip = promisify(gzip)
/** Packed once and sent often: as small as it gets. */
const pack = (text: string): Promise<Buffer> => zip(text, { level: 9 })

export class Kept {
  readonly #text: string
  readonly #tags: Readonly<Record<'plain' | 'packed', string>>
  #packed: Promise<Buffer> | undefined

  constructor(text: string) {
    this.#text = text
    this.#tags = { plain: tagOf(text, false), packed: tagOf(text, true) }
  }

  /** With its tag, packed for those who can unpack it; 304 for those who have it. */
  async send(request: FastifyRequest, reply: FastifyReply) {
    const { 'if-none-match': asked, 'accept-encoding': encodings = '' } = request.headers
    const isPacked = /\bgzip\b|\*/.test(encodings)
    const tag = isPacked ? this.#tags.packed : this.#tags.plain
    reply.header('vary', 'Accept-Encoding').header('etag', tag)
    if (asked !== undefined && matches(asked, tag)) {
      return reply.code(304).removeHeader('content-type').send() as never
    }
    if (!isPacked) return reply.serializer(asItIs).send(this.#text) as never
    this.#packed ??= pack(this.#text)
    return reply.header('content-encoding', 'gzip').send(await this.#packed) as never
  }
}

const asItIs = (text: unknown): string => text as string
