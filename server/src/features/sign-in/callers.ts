// Who calls by a session: a cookie that browsers send by themselves, so that it counts for this server's own pages alone.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { oncePerTurn } from '../../platform/batching/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Authenticate, anonymous, type Caller, proofHeader, sessionRule } from '../../platform/http/index.js'
import { processSettings } from '../../platform/settings.js'
import { findSignIn, type SignIn } from '../credentials/index.js'
import { cookieHash, findSession, isProof, renewSession, sessionCookie } from './session.js'
import { sessionEnded, staleProof } from './sign-in.errors.js'

const callerOf = ({ userId: id, username }: SignIn, hash: string): Caller => ({
  id,
  username,
  isAnonymous: false,
  credential: { kind: 'session', hash },
})

/** On pages, which check the proof in their forms. */
export const callerBySession = async (deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Caller> => {
  const [cookie, session] = [sessionCookie(request), await findSession(deps, request)]
  if (cookie === undefined || session === undefined) return anonymous
  await renewSession(deps, request, reply, session)
  return callerOf(session, cookieHash(deps, cookie))
}

/** Who calls the API: by its own schemes, else by the session of this server's pages. Whoever sends the proof says that they
 * are signed in: they are told when they are not, rather than taken for a stranger whose record has no sender. */
export const withSessions = (deps: Deps, authenticate: Authenticate): Authenticate => {
  const needs = sessionRule(deps.config.of(processSettings).baseUrl)
  // A page asks for a dozen things at once.
  const find = oncePerTurn(
    (hash: string) => hash,
    (hash) => findSignIn(deps.db, hash, deps.clock.now()),
  )
  /** What the cookie shows; throws 403 for a proof that is none of its. */
  const bySession = async (request: FastifyRequest, reply: FastifyReply, isProven: boolean) => {
    const cookie = sessionCookie(request)
    if (cookie === undefined) return undefined
    if (isProven && !isProof(deps, cookie, request.headers[proofHeader])) throw staleProof()
    const hash = cookieHash(deps, cookie)
    const session = await find(hash)
    if (session === undefined) return undefined
    await renewSession(deps, request, reply, session)
    return callerOf(session, hash)
  }
  return async (request, reply) => {
    const { authorization, cookie, [proofHeader]: proof } = request.headers
    if (authorization !== undefined || (cookie === undefined && proof === undefined)) {
      return authenticate(request, reply)
    }
    const needed = needs(request)
    if (needed === 'nothing helps' || (needed === 'proof' && proof === undefined)) return anonymous
    const caller = await bySession(request, reply, needed === 'proof')
    if (caller === undefined && proof !== undefined) throw sessionEnded()
    return caller ?? anonymous
  }
}
