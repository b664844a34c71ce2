// The session of the pages: a cookie whose keyed hash stands in `sign_ins`, and proof that a form was opened here.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { plainAddress, proofHeader } from '../../platform/http/index.js'
import { isUrl } from '../../platform/words/index.js'
import {
  endSignIn,
  findSignIn,
  insertSignIn,
  renewSignIn,
  type SignIn,
  type SignInPlace,
} from '../credentials/index.js'
import { browserInWords } from './browser-words.js'
import { dropCookie, keepCookie, readCookie } from './cookies.js'
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

/** As `startSession` makes them. Anything else is nobody's, and is not looked for. */
const isCookie = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const sessionCookie = (request: FastifyRequest): string | undefined => {
  const cookie = readCookie(request, 'session')
  return cookie !== undefined && isCookie(cookie) ? cookie : undefined
}

export const cookieHash = ({ secrets }: Pick<Deps, 'secrets'>, cookie: string): string =>
  secrets.hash('session', cookie)

export const findSession = async (deps: Deps, request: FastifyRequest): Promise<SignIn | undefined> => {
  const cookie = sessionCookie(request)
  return cookie === undefined ? undefined : findSignIn(deps.db, cookieHash(deps, cookie), deps.clock.now())
}

export interface Proven {
  userId: number
  /** What the password was verified against; undefined when an outside provider vouched. */
  passwordHash: string | undefined
  /** Whether they chose to stay signed in. */
  stays?: boolean
}

const silenceSeconds = ({ config }: Deps, stays: boolean): number => {
  const { sessionSeconds, staySeconds } = config.of(signInSettings)
  return stays ? staySeconds : sessionSeconds
}

/** Unused for so long, or used for longer than any. */
const endOf = (deps: Deps, { createdAt, stays }: Pick<SignIn, 'createdAt' | 'stays'>, now: Date): Date => {
  const longestMs = deps.config.of(signInSettings).longestSeconds * 1000
  return new Date(Math.min(now.getTime() + silenceSeconds(deps, stays) * 1000, createdAt.getTime() + longestMs))
}

const signInFor = async (
  deps: Deps,
  { userId, passwordHash, stays = false }: Proven,
  browser?: { cookieHash: string; place: SignInPlace },
): Promise<{ id: number; expiresAt: Date } | undefined> => {
  const createdAt = deps.clock.now()
  const expiresAt = endOf(deps, { createdAt, stays }, createdAt)
  const signIn = { userId, passwordHash, cookieHash: browser?.cookieHash, createdAt, expiresAt, stays }
  const id = await insertSignIn(deps.db, { ...signIn, ...(browser && { place: browser.place }) })
  return id === undefined ? undefined : { id, expiresAt }
}

/** What the page is told: the proof is read by it alone, and sent back with whatever changes something. */
export interface StartedSession {
  readonly csrf: string
  readonly expiresAt: Date
}

const keepSession = (deps: Deps, request: FastifyRequest, reply: FastifyReply, cookie: string, expiresAt: Date) =>
  keepCookie(request, reply, 'session', cookie, Math.ceil((expiresAt.getTime() - deps.clock.now().getTime()) / 1000))

/** Always a new one: others may know the cookie of a session that was there before. Answers undefined when the password was
 * changed in this moment. */
export const startSession = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  proven: Proven,
): Promise<StartedSession | undefined> => {
  const cookie = randomBytes(32).toString('base64url')
  const place = { browser: browserInWords(request.headers['user-agent']), address: plainAddress(request.ip) }
  const started = await signInFor(deps, proven, { cookieHash: cookieHash(deps, cookie), place })
  if (started === undefined) return undefined
  const former = await findSession(deps, request)
  if (former !== undefined) await endSignIn(deps.db, former.id)
  keepSession(deps, request, reply, cookie, started.expiresAt)
  dropCookie(request, reply, 'visitor')
  return { csrf: proofOf(deps, cookie), expiresAt: started.expiresAt }
}

/** For a program that approves with a password: it has no cookie, so nobody comes back to this sign-in. */
export const signInOnce = async (deps: Deps, proven: Proven): Promise<number | undefined> =>
  (await signInFor(deps, proven))?.id

/** Between two renewals. Use is not written down each time: a page asks a dozen times at once. */
const renewalMs = 600_000

const isDue = (deps: Deps, { seenAt, stays }: SignIn, now: Date): boolean =>
  now.getTime() - seenAt.getTime() >= Math.min(renewalMs, (silenceSeconds(deps, stays) * 1000) / 3)

/** Use extends a session. Answers when it ends. */
export const renewSession = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  session: SignIn,
): Promise<Date> => {
  const { id, seenAt } = session
  const cookie = sessionCookie(request)
  const now = deps.clock.now()
  if (cookie === undefined || !isDue(deps, session, now)) return session.expiresAt
  const expiresAt = endOf(deps, session, now)
  await renewSignIn(deps.db, { id, seenAt, now, expiresAt, address: plainAddress(request.ip) })
  keepSession(deps, request, reply, cookie, expiresAt)
  return expiresAt
}

export const endSession = async (deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const signIn = await findSession(deps, request)
  if (signIn !== undefined) await endSignIn(deps.db, signIn.id)
  dropCookie(request, reply, 'session')
}

const proofOf = ({ secrets }: Pick<Deps, 'secrets'>, cookie: string): string => secrets.hash('csrf', cookie)

const isSame = (expected: string, sent: unknown): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(typeof sent === 'string' ? sent : '')]
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b)
}

/** Whether a header proves that a page which holds this very session sent it. */
export const isProof = (deps: Pick<Deps, 'secrets'>, cookie: string, sent: unknown): boolean =>
  isSame(proofOf(deps, cookie), sent)

/** What a form carries to show that this browser opened it. Before there is a session, a cookie of its own stands in. */
export const csrfToken = (deps: Deps, request: FastifyRequest, reply?: FastifyReply): string => {
  const cookie = readCookie(request, 'session') ?? readCookie(request, 'visitor')
  if (cookie !== undefined) return proofOf(deps, cookie)
  if (reply === undefined) return ''
  const visitor = randomBytes(32).toString('base64url')
  keepCookie(request, reply, 'visitor', visitor, 3600)
  return proofOf(deps, visitor)
}

/** Throws 403 for a form that came from elsewhere. A script sends the same in a header. */
export const checkCsrf = (deps: Deps, request: FastifyRequest): void => {
  const { csrf } = (request.body ?? {}) as { csrf?: unknown }
  if (!isSame(csrfToken(deps, request), csrf ?? request.headers[proofHeader])) throw formExpired()
}

/** Shows that an address was found to be the client's, for the form that was opened in this browser. */
export const wayOutProof = ({ secrets }: Pick<Deps, 'secrets'>, csrf: string, address: string): string =>
  secrets.hash('end-session', `${csrf} ${address}`)
