// The client of the API: typed by the server's own description. Every call goes through `careful`, which adds the proof of the
// session, knows when the line is lost or slow, and asks to sign in again where a session ended, then repeats the call.
import createClient from 'openapi-fetch'
import type { components, paths } from '../../generated/api'
import { lost, reached, watchSlowness } from './connection'
import { errorOf, isUnanswered, offlineError, slowError, unansweredError } from './errors'
import { findSession, type Session, session, signInAgain, username } from './session'

export type Schemas = components['schemas']

/** A call that reads; what is sent may be large and the line slow, so that has no bound. */
const longestReadMilliseconds = 90_000

const send = async (request: Request): Promise<Response> => {
  const csrf = session.value?.csrf
  if (csrf !== undefined) request.headers.set('x-sheaf-csrf', csrf)
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  const limit = isReading
    ? AbortSignal.any([request.signal, AbortSignal.timeout(longestReadMilliseconds)])
    : request.signal
  // Without any network nothing leaves the device.
  const wasOnline = globalThis.navigator?.onLine !== false
  const answer = await watchSlowness(fetch(request, { signal: limit })).catch((error: unknown) => {
    if (request.signal.aborted) throw error
    if (limit.aborted) throw slowError()
    lost()
    throw offlineError(!isReading && wasOnline)
  })
  reached()
  if (!isReading && isUnanswered(answer.status)) throw unansweredError(answer.status)
  return answer
}

/** What a person wanted is repeated for them alone: somebody else may have signed in meanwhile, in another tab. An answer that was
 * on its way while they signed in again is of the session before: they are not asked twice. */
const again = async (spare: Request, answer: Response, sentBy: Session): Promise<Response> => {
  const isEnded = answer.status === 401
  const isBack = (await findSession()) || session.value !== sentBy || (isEnded && (await signInAgain()))
  return isBack && username.value === sentBy.username ? send(spare) : answer
}

/** The session ended, or was begun anew in another tab, with another proof. */
const isPast = ({ status, headers }: Response): boolean =>
  status === 401 || (status === 403 && headers.get('x-sheaf-csrf') === 'stale')

/** `fetch` with everything that a call of ours needs: for what the typed client cannot say. */
export const careful = async (input: Request | string, init?: RequestInit): Promise<Response> => {
  const request = typeof input === 'string' ? new Request(new URL(input, location.href), init) : input
  const spare = request.clone()
  const sentBy = session.value
  const answer = await send(request)
  return isPast(answer) && sentBy ? again(spare, answer, sentBy) : answer
}

export const api = createClient<paths>({ baseUrl: globalThis.location?.origin ?? '', fetch: careful })

interface Answered<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** What was answered, or an ApiError thrown: `await got(api.GET('/api/v1/projects'))`. */
export const got = async <T>(call: Promise<Answered<T>>): Promise<T> => {
  const { data, error, response } = await call
  if (!response.ok) throw errorOf(response.status, error, response.headers)
  return data as T
}

/** The same with the headers: pages of lists, totals. */
export const gotWithHeaders = async <T>(call: Promise<Answered<T>>): Promise<{ data: T; headers: Headers }> => {
  const { response } = await call
  return { data: await got(call), headers: response.headers }
}

/** Fields and files as parts of a form: `bodySerializer: asParts`. */
export const asParts = (body: object): FormData => {
  const parts = new FormData()
  for (const [name, value] of Object.entries(body)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one instanceof Blob) parts.append(name, one)
      else if (one !== undefined && one !== null) parts.append(name, String(one))
    }
  }
  return parts
}
