// Signing in by Digest: only on the addresses of devices, only without https, only where the server is set up for it. Over https
// devices send their account's password as Basic, and those that prefer Digest where both are offered would fail with it.
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { type Authenticate, type Caller, type DeviceDoor, limitKey, schemeOf } from '../../platform/http/index.js'
import { emailKey, signInNames } from '../users/index.js'
import { clearAttempts, findAttempts } from './attempts.queries.js'
import { badDigestHeader, isStaleDigest, staleDigest, wrongDigest } from './credentials.errors.js'
import { credentialSettings } from './credentials.settings.js'
import { openDevicePassword } from './device-passwords.js'
import { type DeviceLogin, findDeviceLogin, useDigest } from './device-passwords.queries.js'
import { type DigestAnswer, readDigest } from './digest-header.js'
import { digestChallenge, digestRealm, nonceEnd } from './digest-nonces.js'
import { recordFailure, refuseSpraying, refuseWhenLocked } from './lockout.js'

const longestName = 254

const md5 = (text: string): string => hash('md5', text)

const expected = ({ username, nonce, count, cnonce, uri }: DigestAnswer, method: string, password: string): string =>
  md5(`${md5(`${username}:${digestRealm}:${password}`)}:${nonce}:${count}:${cnonce}:auth:${md5(`${method}:${uri}`)}`)

/** What was answered is for this request: some devices write the whole address. */
const isOfRequest = ({ uri }: DigestAnswer, { originalUrl, origin }: FastifyRequest): boolean =>
  uri === originalUrl || uri === origin + originalUrl

const isRight = (deps: Deps, request: FastifyRequest, answer: DigestAnswer, login: DeviceLogin | undefined) => {
  const password = login && openDevicePassword(deps.secrets, login.id, login.sealed)
  // The same work for every name, known or not.
  const response = expected(answer, request.method, password ?? '')
  const isSame = timingSafeEqual(Buffer.from(response), Buffer.from(answer.response))
  return password !== undefined && login?.mayLogIn === true && isSame && isOfRequest(answer, request)
}

const callerOf = ({ id, username }: DeviceLogin): Caller => ({
  id,
  username,
  isAnonymous: false,
  credential: { kind: 'device', hash: '' },
})

const byDigest = async (deps: Deps, request: FastifyRequest): Promise<Caller> => {
  const { db, clock, secrets } = deps
  const answer = readDigest(request.headers.authorization ?? '')
  if (answer === undefined || answer.username.length > longestName || answer.username.includes('\0')) {
    throw badDigestHeader()
  }
  const address = limitKey(request.ip)
  const login = await findDeviceLogin(db, { names: signInNames(answer.username), address, now: clock.now() })
  const account =
    login === undefined ? `name:${secrets.hash('attempt', emailKey(answer.username))}` : `user:${login.id}`
  const key = { kind: 'digest', account, address }
  refuseWhenLocked(login ? login.lockedUntil : (await findAttempts(db, key, clock.now()))?.lockedUntil, clock.now())
  await refuseSpraying(deps, address)
  const end = nonceEnd(deps, answer.nonce)
  if (end === undefined) throw staleDigest()
  const isAnswered = isRight(deps, request, answer, login)
  if (login === undefined || !isAnswered) {
    await recordFailure(deps, { key, account: login })
    throw wrongDigest()
  }
  if (login.hasAttempts) await clearAttempts(db, key)
  // Known to be theirs, so that what is written down is bounded by what they send.
  const isFirst = end > clock.now() && (await useDigest(db, answer.nonce, Number.parseInt(answer.count, 16), end))
  if (!isFirst) throw staleDigest()
  return callerOf(login)
}

const isPlain = ({ origin }: FastifyRequest): boolean => !origin.startsWith('https:')

/** The same door as others have, with Digest where it is offered. */
export const deviceDoor = (deps: Deps, authenticate: Authenticate): DeviceDoor => {
  const { isDigestEnabled } = deps.config.of(credentialSettings)
  const isOffered = (request: FastifyRequest) => isDigestEnabled && isPlain(request)
  const stale = new WeakSet<FastifyRequest>()
  return {
    authenticate: async (request, reply) => {
      if (!isOffered(request) || schemeOf(request) !== 'digest') return authenticate(request, reply)
      return byDigest(deps, request).catch((error: unknown) => {
        if (isStaleDigest(error)) stale.add(request)
        throw error
      })
    },
    challenge: (request) => (isOffered(request) ? digestChallenge(deps, stale.has(request)) : undefined),
  }
}
