// The client of the API: typed by the server's own description. Every call goes through `careful`, which adds the proof of the
// session, knows when the line is lost or slow, and asks to sign in again where a session ended, then repeats the call.
import createClient from 'openapi-fetch'
import type { components, paths } from '../../generated/api'
import { lost, reached, watchSlowness } from './connection'
import { errorOf, offlineError, slowError } from './errors'
import { findSession, session, signInAgain, username } from './session'

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
  try {
    const answer = await watchSlowness(fetch(request, { signal: limit }))
    reached()
    return answer
  } catch (error) {
    if (request.signal.aborted) throw error
    if (limit.aborted) throw slowError()
    lost()
    throw offlineError()
  }
}

/** The session may have been renewed in another tab, with another proof, or be somebody else's by now: nothing is done in their
 * name that was begun in another. */
const again = async (request: Request, name: string): Promise<Response> => {
  const isBack = (await findSession()) || (await signInAgain())
  return isBack && username.value === name ? send(request) : new Response(null, { status: 401 })
}

/** The session has ended, or the proof is that of an earlier one. */
const isOver = ({ status, headers }: Response): boolean =>
  status === 401 || (status === 403 && headers.get('x-sheaf-csrf') === 'stale')

/** `fetch` with everything that a call of ours needs: for what the typed client cannot say. */
export const careful = async (input: Request | string, init?: RequestInit): Promise<Response> => {
  const request = typeof input === 'string' ? new Request(new URL(input, location.href), init) : input
  const spare = request.clone()
  const name = username.value
  const answer = await send(request)
  return name !== '' && isOver(answer) ? again(spare, name) : answer
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
