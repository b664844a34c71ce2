// What an answer means for what waits. Only the server's own "it is stored" ends the waiting; only a person discards.
import { endIn, messageOf } from './server-words'
import type { Filled, KeyEnd, Reason } from './types'

/** One answer, or none. */
export interface Answer {
  /** 0: none came. */
  readonly status: number
  readonly message: string
  /** Milliseconds, where the server said when to come again. */
  readonly retryAfter?: number
  /** Of another session: who is signed in has to be asked for again. */
  readonly isStale: boolean
  /** Of a link or a key: why it takes nothing any more. */
  readonly end?: KeyEnd
  /** Of this server, and not of a network or a proxy before it. */
  readonly isOurs: boolean
}

export const noAnswer: Answer = { status: 0, message: '', isStale: false, isOurs: false }

/** Milliseconds. */
export const retryAfterOf = (headers: Headers, now = Date.now()): number | undefined => {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}

/** A network that wants to be signed in to answers 200, 403 or 404, or leads elsewhere; so does anything that is not this server.
 * All that this server says to devices has this header, refusals as well. */
export const isOurs = ({ headers }: Response): boolean => headers.has('x-openrosa-version')

const isStored = (status: number): boolean => status === 201 || status === 202

export const readAnswer = async (answer: Response, now = Date.now()): Promise<Answer> => {
  if (isStored(answer.status) && !isOurs(answer)) return noAnswer
  const message = isOurs(answer) ? messageOf(await answer.text().catch(() => '')) : ''
  const retryAfter = retryAfterOf(answer.headers, now)
  const isStale = answer.status === 403 && answer.headers.get('x-sheaf-csrf') === 'stale'
  const end = endIn(answer.headers)
  return {
    status: answer.status,
    message,
    isStale,
    isOurs: isOurs(answer),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(end !== undefined && { end }),
  }
}

export type Outcome = 'stored' | 'unsigned' | 'refused' | 'again'

/** Anything that may be otherwise in a while is tried again; so is what somebody else says in the place of this server, but 413 of
 * a proxy that takes less than the server: it would say so each time. */
export const outcomeOf = ({ status, isStale, isOurs: isHeard }: Answer): Outcome => {
  if (isStored(status)) return 'stored'
  if (status === 413) return 'refused'
  if (!isHeard) return 'again'
  if (status === 401) return 'unsigned'
  if (isStale || status < 400 || status >= 500) return 'again'
  return [408, 425, 429].includes(status) ? 'again' : 'refused'
}

const firstPauseMilliseconds = 5_000
const longestPauseMilliseconds = 600_000

/** Growing, and not the same for everybody: whoever lost the line together does not come back in the same moment. */
export const pauseOf = (tries: number, chance = Math.random()): number =>
  Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 3 ** Math.min(tries - 1, 10)) * (0.75 + chance / 2)

/** Whether it may have been stored although nobody said so. */
const mayBeStored = (answer: Answer): boolean =>
  answer.status >= 500 || (!answer.isOurs && answer.status !== 413) || answer.status < 400

/** What was uncertain before an attempt stays so after a refusal: that this one was not taken says nothing of those before it. Only
 * 409 does: the server looks first whether it has the edit already. */
const isUncertainAfter = (answer: Answer, wasUncertain: boolean): boolean =>
  mayBeStored(answer) || (wasUncertain && !(answer.isOurs && answer.status === 409))

/** The longest that a server is believed. What lies further ahead was set by a clock that was wrong. */
const longestRetryMilliseconds = 86_400_000

/** Milliseconds until then. */
export const waitUntil = (at: number, now = Date.now()): number =>
  at <= now || at - now > longestRetryMilliseconds ? 0 : at - now

/** The row after an answer that does not say that it is stored. `wasUncertain`: before this attempt. */
export const afterAnswer = (filled: Filled, answer: Answer, wasUncertain: boolean, now = Date.now()): Filled => {
  const { status, message, end } = answer
  const reason: Reason = { status, message, ...(end !== undefined && { end }) }
  const isUncertain = isUncertainAfter(answer, wasUncertain)
  const outcome = outcomeOf(answer)
  if (outcome === 'unsigned' || outcome === 'refused') return { ...filled, state: outcome, reason, isUncertain }
  return { ...paused(filled, answer.retryAfter, now), reason, isUncertain }
}

/** Nobody could be asked, and nothing was posted. */
export const afterSilence = (filled: Filled, now = Date.now()): Filled => ({
  ...paused(filled, undefined, now),
  reason: { status: 0, message: '' },
})

const paused = (filled: Filled, retryAfter: number | undefined, now: number): Filled => {
  const tries = filled.tries + 1
  const notBefore = retryAfter === undefined ? 0 : now + Math.min(retryAfter, longestRetryMilliseconds)
  const nextAt = Math.max(notBefore, now + pauseOf(tries))
  return { ...filled, state: 'waiting', tries, notBefore, nextAt }
}
