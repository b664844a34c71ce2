// A file as the whole answer: to be saved, never shown as a page of ours, and in parts for who asks for a part.
import { pipeline, Readable, Transform } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { StoreUnavailable } from '../files/index.js'
import { matches, packedFromBytes } from './conditional.js'
import { deviceTag, isKnown, takesGzip, variesByEncoding } from './devices.js'
import { AppError } from './errors.js'

export interface Content {
  /** As it is offered for saving. */
  readonly name: string
  readonly mimetype: string
  /** Stands for these bytes and no others, such as their hash; becomes the ETag. */
  readonly tag: string
  /** Of a device's file: how long it is, where packing it may pay. Ranges are never packed. */
  readonly packableBytes?: number | undefined
  /** Not called for a caller who has the bytes already. */
  find(): Promise<Bytes>
}

interface Bytes {
  readonly bytes: number
  /** Both ends are included; undefined is everything. Called at most once, and only when bytes are to be sent. */
  open(range: ByteRange | undefined): Promise<Readable>
}

interface ByteRange {
  readonly start: number
  readonly end: number
}

const safeType = /^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w.+-]+)*$/

/** By these a page of ours would take a file that somebody sent for its own script or look: `script-src 'self'` allows it. */
const codeType = /^[^;]*(?:java|ecma|live|j)script|^[^;]*css|^[^;]*wasm/i

const servedType = (mimetype: string): string =>
  safeType.test(mimetype) && !codeType.test(mimetype) ? mimetype : 'application/octet-stream'

/** RFC 6266: plain characters for old clients, the true name for the others. */
export const dispositionOf = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%;/]/g, '_')
  if (plain === name) return `attachment; filename="${name}"`
  const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_')).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const unsatisfiable = (bytes: number) =>
  new AppError({
    code: 'content.range',
    status: 416,
    message: `The file has ${bytes} bytes; the range lies outside of it.`,
    headers: { 'content-range': `bytes */${bytes}` },
  })

/** What cannot be read as one range is ignored, as RFC 9110 14.2 allows; several ranges at once too. */
const rangeOf = (header: string | undefined, bytes: number): ByteRange | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  if (start >= bytes || (first === '' && Number(last) === 0)) throw unsatisfiable(bytes)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  return { start, end }
}

/** A range counts only for the very bytes that the caller has begun with. */
const wantedRange = (request: FastifyRequest, etag: string, bytes: number): ByteRange | undefined => {
  const condition = request.headers['if-range']
  return condition === undefined || condition === etag ? rangeOf(request.headers.range, bytes) : undefined
}

/** What a store sends beyond the length that was announced would be read as the next answer on the same line; what it
 * leaves out, as the beginning of that. Either way the line is closed. */
const exactly = (length: number, source: Readable): Readable => {
  let left = length
  const guard = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(new StoreUnavailable('The file is longer than it was when it was stored'))
      else done(null, chunk)
    },
    flush(done) {
      done(left === 0 ? null : new StoreUnavailable('The file is shorter than it was when it was stored'))
    },
  })
  // Whoever reads the guard hears of the failure.
  pipeline(source, guard, () => undefined)
  return guard
}

/** What is text; pictures, films and archives are packed already. */
const packableType = /^text\/|[/+](?:json|xml|csv|geo\+json)(?:;|$)|^image\/svg/i

const mayPack = ({ mimetype, packableBytes = 0 }: Content): boolean =>
  packableBytes >= packedFromBytes && packableType.test(mimetype)

/** Packed on its way: nobody holds it as a whole. */
const sendPacked = async (request: FastifyRequest, reply: FastifyReply, content: Content) => {
  variesByEncoding(reply)
  if (isKnown(request, reply, deviceTag(content.tag, true))) return reply.send()
  const { bytes, open } = await content.find()
  reply.headers({
    'content-type': servedType(content.mimetype),
    'content-disposition': dispositionOf(content.name),
    'content-encoding': 'gzip',
    'content-security-policy': sandbox,
  })
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const packed = createGzip()
  // Whoever reads it hears of the failure.
  pipeline(exactly(bytes, await open(undefined)), packed, () => undefined)
  return reply.send(packed)
}

const sandbox = "sandbox; default-src 'none'"

/** The route needs `compress: false`: packed bytes have other ranges and would need another tag. */
export const sendContent = async (request: FastifyRequest, reply: FastifyReply, content: Content) => {
  if (mayPack(content)) {
    if (request.headers.range === undefined && takesGzip(request)) return sendPacked(request, reply, content)
    variesByEncoding(reply)
  }
  const etag = `"${content.tag}"`
  reply.headers({ etag, 'content-security-policy': sandbox })
  const known = request.headers['if-none-match']
  if (known !== undefined && matches(known, etag)) return reply.code(304).send()
  const { bytes, open } = await content.find()
  const range = wantedRange(request, etag, bytes)
  const length = range === undefined ? bytes : range.end - range.start + 1
  const stream = request.method === 'HEAD' ? Readable.from([]) : exactly(length, await open(range))
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
  }
  return reply
    .headers({
      'content-type': servedType(content.mimetype),
      'content-disposition': dispositionOf(content.name),
      'content-length': length,
      'accept-ranges': 'bytes',
    })
    .send(stream)
}
