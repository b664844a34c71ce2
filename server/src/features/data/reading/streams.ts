// What comes from the database in small pieces goes out in large ones, and nothing goes out before the first piece has
// come: until then a failure is still an answer with a status of its own.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { dispositionOf } from '../../../platform/http/index.js'

type Bytes = AsyncIterable<Buffer>

export const jsonType = 'application/json; charset=utf-8'

/** One chunk of an answer. */
const chunkBytes = 64 * 1024

async function* inChunks(source: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const piece of source) {
    const buffer = typeof piece === 'string' ? Buffer.from(piece) : piece
    waiting.push(buffer)
    bytes += buffer.length
    if (bytes < chunkBytes) continue
    yield Buffer.concat(waiting, bytes)
    waiting = []
    bytes = 0
    // One record may give millions of pieces, and making them waits for nothing.
    await setImmediate()
  }
  if (bytes > 0) yield Buffer.concat(waiting, bytes)
}

/** Lines of a stream, without their ends, as many at once as have come together. Between two chunks others get their turn:
 * working through the lines waits for nothing, and would keep the process from everybody else. */
export async function* batchesOfLines(source: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let unfinished: Buffer[] = []
  for await (const chunk of source) {
    const lines: string[] = []
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      unfinished.push(chunk.subarray(from, end))
      lines.push(unfinished.length === 1 ? (unfinished[0] as Buffer).toString() : Buffer.concat(unfinished).toString())
      unfinished = []
      from = end + 1
    }
    if (from < chunk.length) unfinished.push(chunk.subarray(from))
    if (lines.length > 0) yield lines
    await setImmediate()
  }
  if (unfinished.length > 0) yield [Buffer.concat(unfinished).toString()]
}

/** The same one by one. */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const lines of batchesOfLines(source)) yield* lines
}

/** `[` + the records with commas between them + `]`, from records that each stand behind a comma. */
export async function* jsonList(records: Bytes): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of records) {
    yield isFirst ? Buffer.concat([Buffer.from('['), chunk.subarray(1)]) : chunk
    isFirst = false
  }
  yield Buffer.from(isFirst ? '[]' : ']')
}

export async function* withCommas(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const text of texts) {
    yield isFirst ? text : `,${text}`
    isFirst = false
  }
}

/** The same, from records as they are. */
export async function* jsonListOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield '['
  yield* withCommas(texts)
  yield ']'
}

/** The same stream with its first piece in hand: what fails before it is thrown here. No generator: one whose reader hangs up
 * before its first turn never ends, and the database waits for it. */
const begun = async (source: Bytes): Promise<AsyncIterableIterator<Buffer>> => {
  const iterator = source[Symbol.asyncIterator]()
  const first = await iterator.next()
  let isFirst = true
  const body: AsyncIterableIterator<Buffer> = {
    next: () => {
      if (!isFirst) return iterator.next()
      isFirst = false
      return Promise.resolve(first)
    },
    // When a reader stops, the database stops too.
    return: async () => {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => body,
  }
  return body
}

/** A body that is text already: the framework would serialise it once more. */
export const sendText = (reply: FastifyReply, type: string, text: string) =>
  reply.type(type).serializer(String).send(text)

export const sendStream = async (reply: FastifyReply, type: string, source: AsyncIterable<Buffer | string>) => {
  const body = await begun(inChunks(source))
  return reply.type(type).send(Readable.from(body, { objectMode: false }))
}

export interface Export {
  readonly bytes: AsyncIterable<Buffer | string>
  /** Complete when the bytes have ended. */
  readonly rowCount: () => number
}

/** Trailers come behind chunks. HTTP/1.0 has none, and proxies often speak it; an answer without a body has none either. */
const takesTrailers = ({ method, raw }: FastifyRequest): boolean => method !== 'HEAD' && raw.httpVersion !== '1.0'

/** A file that says behind its end whether it is whole: the trailers come only when nothing is cut off. */
export const sendFile = async (
  reply: FastifyReply,
  { type, filename }: { type: string; filename: string },
  { bytes, rowCount }: Export,
) => {
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of inChunks(bytes)) {
      hash.update(chunk)
      yield chunk
    }
    // The framework's own trailers are announced with blanks between them, where HTTP wants commas.
    reply.raw.addTrailers({ 'X-Row-Count': String(rowCount()), 'X-Content-SHA256': hash.digest('hex') })
  }
  const body = await begun(hashed())
  if (takesTrailers(reply.request)) reply.header('trailer', 'X-Row-Count, X-Content-SHA256')
  return reply
    .type(type)
    .header('content-disposition', dispositionOf(filename))
    .send(Readable.from(body, { objectMode: false }))
}
