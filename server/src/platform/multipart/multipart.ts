// Multipart bodies with files: small ones from memory, large ones as they arrive.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { type PartInfo, partInfo } from './headers.js'
import { splitParts } from './split.js'

/** Cut short, or not what its content type says. */
export class MultipartMalformed extends Error {}

export class MultipartTooLarge extends Error {
  readonly limitBytes: number
  /** Of the whole body, where it was announced. */
  readonly bytes: number | undefined
  constructor(limitBytes: number, bytes?: number) {
    super(`The body is larger than ${limitBytes} bytes`)
    this.limitBytes = limitBytes
    this.bytes = bytes
  }
}

/** What is wanted in memory is too large for it. */
export class MultipartWantsTooMuch extends Error {}

export interface Part<Kept> extends PartInfo {
  /** In memory, or what `keep` made of the stream. */
  readonly content: Buffer | Kept
}

export interface MultipartOptions<Kept> {
  readonly maxBytes: number
  readonly maxParts: number
  /** The body, where it was read before. */
  readonly whole?: Buffer | undefined
  /** Bodies up to this size are taken as a whole. */
  readonly memoryBytes: number
  /** Of all parts together that are wanted in memory, and of plain fields. */
  readonly maxWantedBytes: number
  /** Parts that are wanted in memory however they arrive. */
  isWanted(info: PartInfo): boolean
  /** Takes any other part of a large body; must read the stream to its end. */
  keep(info: PartInfo, stream: Readable): Promise<Kept>
}

const boundaryOf = (contentType: string): string | undefined => {
  const match = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType)
  return match?.[1] ?? match?.[2]
}

/** The parts of a body that is in memory. */
export const partsIn = (body: Buffer, contentType: string, maxParts: number): Part<never>[] => {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) throw new MultipartMalformed('There is no boundary')
  return partsOf(body, boundary, maxParts)
}

export const readMultipart = async <Kept>(
  request: IncomingMessage,
  options: MultipartOptions<Kept>,
): Promise<Part<Kept>[]> => {
  const boundary = boundaryOf(request.headers['content-type'] ?? '')
  if (boundary === undefined) throw new MultipartMalformed('There is no boundary')
  if (options.whole !== undefined) return partsOf(options.whole, boundary, options.maxParts)
  const announced = Number(request.headers['content-length'] ?? Number.NaN)
  if (announced > options.maxBytes) throw new MultipartTooLarge(options.maxBytes, announced)
  return announced <= options.memoryBytes
    ? partsOf(await readWhole(request, announced), boundary, options.maxParts)
    : streamParts(request, boundary, options)
}

/** By events: the iterator of a stream costs as much as all of the parsing. */
const readWhole = (request: IncomingMessage, announced: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let isWhole = false
    const cut = () => {
      if (!isWhole) reject(new MultipartMalformed('The body was cut short'))
    }
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', cut)
    // Comes behind every end too, when nobody needs an error any more.
    request.on('close', cut)
    request.on('end', () => {
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      isWhole = body.length === announced
      if (isWhole) resolve(body)
      else cut()
    })
  })

const partsOf = (body: Buffer, boundary: string, maxParts: number): Part<never>[] => {
  const slices = splitParts(body, boundary)
  if (slices === undefined || slices.length > maxParts) throw new MultipartMalformed('The body is not multipart')
  return slices.map(({ headers, bytes }) => {
    const info = partInfo(headers)
    if (info === undefined) throw new MultipartMalformed('A part does not say what it is')
    return { ...info, content: bytes }
  })
}

const collect = async (stream: Readable, want: (bytes: number) => void): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    want((chunk as Buffer).length)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

const streamParts = <Kept>(
  request: IncomingMessage,
  boundary: string,
  options: MultipartOptions<Kept>,
): Promise<Part<Kept>[]> =>
  new Promise((resolve, reject) => {
    const parts: Promise<Part<Kept>>[] = []
    const streams: Readable[] = []
    let total = 0
    let wanted = 0
    let seen = 0
    let isOver = false
    const fail = (error: Error) => {
      if (isOver) return
      isOver = true
      request.unpipe(busboy)
      request.off('data', count)
      // Read past to its end: the next request comes behind it on the same connection.
      request.resume()
      // What was still being kept hears of it; what `keep` does then is its own affair.
      for (const stream of streams) stream.destroy(error)
      void Promise.allSettled(parts).then(() => reject(error))
    }
    const count = (chunk: Buffer) => {
      total += chunk.length
      if (total > options.maxBytes) fail(new MultipartTooLarge(options.maxBytes))
    }
    const want = (bytes: number) => {
      wanted += bytes
      if (wanted > options.maxWantedBytes) throw new MultipartWantsTooMuch('The body wants too much memory')
    }
    const busboy = new Busboy({
      // Only what was understood of it: the parser throws for what it does not find itself.
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      // Parts are counted here: one that the parser passes over has nobody who hears that it was cut short, and that would end
      // the process.
      limits: { fieldSize: options.maxWantedBytes + 1, fileSize: options.maxBytes },
    })
    const isTooMany = (): boolean => {
      seen += 1
      if (seen > options.maxParts) fail(new MultipartMalformed('There are too many parts'))
      return seen > options.maxParts
    }
    busboy.on('file', (name, stream, filename, _encoding, type) => {
      const info = { name, filename, type }
      // It may be destroyed before anybody reads it; nobody's error would end the process.
      stream.on('error', () => undefined)
      // What was read before the failure is still taken apart: nobody would ever end what begins now.
      if (isTooMany() || isOver) return void stream.resume()
      streams.push(stream)
      const content = options.isWanted(info) ? collect(stream, want) : options.keep(info, stream)
      const part = content.then((kept) => ({ ...info, content: kept }))
      part.catch((error: unknown) => fail(error as Error))
      parts.push(part)
    })
    busboy.on('field', (name, value, _nameCut, _valueCut, _encoding, type) => {
      if (isTooMany() || isOver) return
      const content = Buffer.from(value)
      try {
        want(content.length)
      } catch (error) {
        return fail(error as Error)
      }
      parts.push(Promise.resolve({ name, filename: undefined, type, content }))
    })
    busboy.on('error', () => fail(new MultipartMalformed('The body is not multipart')))
    busboy.on('finish', () => {
      if (isOver) return
      isOver = true
      request.off('data', count)
      // Also after a failure: whoever hears of it removes what was kept, and must not come before the last of it.
      void Promise.allSettled(parts).then(() => Promise.all(parts).then(resolve, reject))
    })
    request.on('error', () => fail(new MultipartMalformed('The request ended early')))
    request.on('aborted', () => fail(new MultipartMalformed('The request ended early')))
    request.on('data', count)
    request.pipe(busboy)
  })
