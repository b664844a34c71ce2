// The session of the pages: a cookie whose keyed hash stands in `sign_ins`, and proof that a form was opened here.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { isUrl } from '../../platform/words/index.js'
import { endSignIn, findSignIn, insertSignIn, type SignIn } from '../credentials/index.js'
import { formExpired } from './sign-in.errors.js'
import { signInSettings } from './sign-in.settings.js'

export const loginPath = '/accounts/login/'

/** Without a host, like every link between the pages: whoever uses another name of this server stays on it. */
export const loginAddress = (next: string): string => `${loginPath}?${new URLSearchParams({ next })}`

/** Where to go after signing in: a path of this server, never an address that somebody slipped in. It is sent as the parser
 * writes it: so what was judged is what is sent, and it is ASCII, as headers need. */
export const safeNext = (next: string | undefined): string => {
  const start = '/o/applications/'
  if (next === undefined || !/^\/(?![/\\])[^\\\s]*$/.test(next)) return start
  const here = 'http://here.invalid'
  if (!isUrl(next, here)) return start
  const url = new URL(next, here)
  // Without its dots, `/.//host` begins with two slashes.
  if (url.origin !== here || url.pathname.startsWith('//')) return start
  return url.pathname + url.search
}

const isSecure = (request: FastifyRequest): boolean => request.origin.startsWith('https:')

/** `__Host-`: no other host of the domain can set it. Browsers accept it over https only. */
const cookieName = (request: FastifyRequest, name: string): string =>
  isSecure(request) ? `__Host-sheaf-${name}` : `sheaf-${name}`

const setCookie = (request: FastifyRequest, reply: FastifyReply, name: string, value: string, maxAge: number) =>
  reply.setCookie(cookieName(request, name), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(request),
    maxAge,
  })

/** Works also where no plugin has read the header, as on the addresses of the API. */
export const readCookie = (request: FastifyRequest, name: string): string | undefined => {
  const { cookie } = request.headers
  return cookie === undefined ? undefined : (request.cookies ?? fastifyCookie.parse(cookie))[cookieName(request, name)]
}

export const keepCookie = setCookie

export const dropCookie = (request: FastifyRequest, reply: FastifyReply, name: string) =>
  setCookie(request, reply, name, '', 0)

const cookieHash = ({ secrets }: Deps, cookie: string): string => secrets.hash('session', cookie)

export const findSession = async (deps: Deps, request: FastifyRequest): Promise<SignIn | undefined> => {
  const cookie = readCookie(request, 'session')
  return cookie === undefined ? undefined : findSignIn(deps.db, cookieHash(deps, cookie), deps.clock.now())
}

export interface Proven {
  userId: number
  /** What the password was verified against; undefined when an outside provider vouched. */
  passwordHash: string | undefined
}

const signInFor = ({ db, clock, config }: Deps, { userId, passwordHash }: Proven, hash: string | undefined) => {
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + config.of(signInSettings).sessionSeconds * 1000)
  return insertSignIn(db, { userId, passwordHash, cookieHash: hash, createdAt, expiresAt })
}

/** Always a new one: others may know the cookie of a session that was there before. Answers false when the password was
 * changed in this moment. */
export const startSession = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  proven: Proven,
): Promise<boolean> => {
  const cookie = randomBytes(32).toString('base64url')
  if ((await signInFor(deps, proven, cookieHash(deps, cookie))) === undefined) return false
  const former = await findSession(deps, request)
  if (former !== undefined) await endSignIn(deps.db, former.id)
  setCookie(request, reply, 'session', cookie, deps.config.of(signInSettings).sessionSeconds)
  dropCookie(request, reply, 'visitor')
  return true
}

/** For a program that approves with a password: it has no cookie, so nobody comes back to this sign-in. */
export const signInOnce = (deps: Deps, proven: Proven): Promise<number | undefined> =>
  signInFor(deps, proven, undefined)

export const endSession = async (deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const signIn = await findSession(deps, request)
  if (signIn !== undefined) await endSignIn(deps.db, signIn.id)
  dropCookie(request, reply, 'session')
}

const proofOf = ({ secrets }: Deps, cookie: string): string => secrets.hash('csrf', cookie)

/** What a form carries to show that this browser opened it. Before there is a session, a cookie of its own stands in. */
export const csrfToken = (deps: Deps, request: FastifyRequest, reply?: FastifyReply): string => {
  const cookie = readCookie(request, 'session') ?? readCookie(request, 'visitor')
  if (cookie !== undefined) return proofOf(deps, cookie)
  if (reply === undefined) return ''
  const visitor = randomBytes(32).toString('base64url')
  setCookie(request, reply, 'visitor', visitor, 3600)
  return proofOf(deps, visitor)
}

/** Throws 403 for a form that came from elsewhere. */
export const checkCsrf = (deps: Deps, request: FastifyRequest): void => {
  const { csrf } = (request.body ?? {}) as { csrf?: unknown }
  const expected = Buffer.from(csrfToken(deps, request))
  const sent = Buffer.from(typeof csrf === 'string' ? csrf : '')
  if (expected.length === 0 || expected.length !== sent.length || !timingSafeEqual(expected, sent)) throw formExpired()
}

/** Shows that an address was found to be the client's, for the form that was opened in this browser. */
export const wayOutProof = ({ secrets }: Pick<Deps, 'secrets'>, csrf: string, address: string): string =>
  secrets.hash('end-session', `${csrf} ${address}`)
