// Submitting as the same sender did before, in one question to the database: the submission is read before it is found out who
// sends it, and stored where everything that let the last one in still holds. Otherwise the request goes its ordinary way, and
// whatever has to be answered is answered there.
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limitKey } from '../../platform/http/index.js'
import type { FoundKey } from '../keys/index.js'
import type { Device, Submissions, Submitted } from '../submissions/index.js'
import { deviceOf } from './device.js'
import { isMultipart, memoryBytes, soleXml } from './submission-body.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Its body, where the shortcut has read it and did not answer. */
    wholeBody: Buffer | null
  }
}

/** Senders are told apart by what they sign in with, where they send from and where to; blank: not at all. Passwords are not
 * kept, not even in memory. */
export const senderOf = ({ headers: { authorization = '' }, originalUrl, ip }: FastifyRequest): string => {
  if (!/^(Token|Basic) /i.test(authorization)) return ''
  const [path = ''] = originalUrl.split('?', 1)
  const shown = authorization.startsWith('Token ') ? authorization : hash('sha256', authorization, 'base64')
  return `${shown} ${limitKey(ip)} ${path}`
}

/** All that is to come is here: what its sender may do cannot change while it arrives. */
const wholeBodyOf = async ({ raw }: FastifyRequest): Promise<Buffer | undefined> => {
  const { 'content-length': length, 'content-type': type = '' } = raw.headers
  if (!isMultipart(type) || !(Number(length) <= memoryBytes)) return undefined
  // Headers and body come in one packet, but one after the other.
  await setImmediate()
  return raw.complete ? ((raw.read() as Buffer | null) ?? undefined) : undefined
}

/** Nothing that the ordinary way would refuse: it is read there, before the body. */
const hasPlainQuery = ({ originalUrl }: FastifyRequest): boolean => {
  const start = originalUrl.indexOf('?')
  return start === -1 || /^\?deviceID=(?:[\w.:~-]|%3a){0,100}$/i.test(originalUrl.slice(start))
}

export interface Door {
  /** Who sends; blank: nobody who can be told apart. */
  readonly senderOf: (request: FastifyRequest) => string
  readonly answer: (request: FastifyRequest, reply: FastifyReply, submitted: Submitted) => unknown
  /** By a key: what the route knows of it. */
  readonly letIn?: (request: FastifyRequest, key: FoundKey, device: Device) => void
}

export const shortcut =
  (submissions: Submissions, { senderOf, answer, letIn }: Door) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const sender = senderOf(request)
    if (sender === '' || !submissions.hasPrecedent(sender) || !hasPlainQuery(request)) return false
    const body = await wholeBodyOf(request)
    if (body === undefined) return false
    request.wholeBody = body
    const xml = soleXml(body, request.headers['content-type'] ?? '')
    const stored = xml && (await submissions.submitLike(sender, xml, (key) => deviceOf(request, key)))
    if (stored === undefined) return false
    const { caller, key } = stored
    request.caller = caller
    if (key !== null) letIn?.(request, key, deviceOf(request, key))
    answer(request, reply, stored)
    return true
  }
