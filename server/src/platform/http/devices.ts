// What devices read: tagged, packed where that pays, and next to nothing for what they have already. Most phones ask every
// quarter of an hour, over links that cost money.
import { hash } from 'node:crypto'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matches, packedFromBytes } from './conditional.js'

const isGzip = (coding: string): boolean => {
  const [name = '', weight = ''] = coding.split(';', 2).map((one) => one.trim().toLowerCase())
  return (name === 'gzip' || name === '*') && !/^q=0(\.0*)?$/.test(weight)
}

export const takesGzip = ({ headers }: FastifyRequest): boolean =>
  headers['accept-encoding']?.split(',').some(isGzip) ?? false

/** Packed or not are two representations. */
export const deviceTag = (text: string, isPacked: boolean): string => `"${text}${isPacked ? '-gzip' : ''}"`

/** 96 bits of it: every byte is sent with every answer. */
const shortHash = (body: string | Buffer): string => hash('sha1', body, 'base64url').slice(0, 16)

export const variesByEncoding = (reply: FastifyReply): void => {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
}

/** What RFC 9110 asks of a 304; the rest a device has with the answer that it keeps. */
const keptBy304 = new Set(['etag', 'vary', 'cache-control'])

/** Whether the device has it: then the answer is 304, and only to be sent. A page is given every header, as its browser asks
 * for some of them. */
export const isKnown = (request: FastifyRequest, reply: FastifyReply, tag: string): boolean => {
  reply.header('etag', tag)
  const asked = request.headers['if-none-match']
  if (asked === undefined || !matches(asked, tag)) return false
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  if (request.headers.origin !== undefined) return true
  for (const name of Object.keys(reply.getHeaders())) if (!keptBy304.has(name)) reply.removeHeader(name)
  // That the line stays open needs no words in HTTP/1.1.
  reply.raw.removeHeader('connection')
  return true
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** For answers in memory; files have tags of their own (`sendContent`). */
export const answerDevices = (scope: FastifyInstance): void => {
  // Not async: what is received passes here, too.
  scope.addHook('onSend', (request, reply, body, done) => {
    const isText = typeof body === 'string' || Buffer.isBuffer(body)
    if (!isText || !isRead(request) || reply.statusCode !== 200 || reply.hasHeader('etag')) return done(null, body)
    const isLong = Buffer.byteLength(body) >= packedFromBytes
    if (isLong) variesByEncoding(reply)
    const isPacked = isLong && takesGzip(request)
    if (isKnown(request, reply, deviceTag(shortHash(body), isPacked))) return done(null, null)
    if (!isPacked) return done(null, body)
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    gzip(body, (error, packed) => done(error as null, packed))
  })
}
