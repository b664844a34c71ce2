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
}

export const noAnswer: Answer = { status: 0, message: '', isStale: false }

const retryAfterOf = (headers: Headers, now: number): number | undefined => {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}

/** A network that wants to be signed in to answers 200, or leads elsewhere; so does anything that is not this server. */
const isOurs = ({ headers }: Response): boolean => headers.has('x-openrosa-version')

const isStored = (status: number): boolean => status === 201 || status === 202

export const readAnswer = async (answer: Response, now = Date.now()): Promise<Answer> => {
  if (isStored(answer.status) && !isOurs(answer)) return noAnswer
  const message = messageOf(await answer.text().catch(() => ''))
  const retryAfter = retryAfterOf(answer.headers, now)
  const isStale = answer.status === 403 && answer.headers.get('x-sheaf-csrf') === 'stale'
  const end = endIn(answer.headers)
  return {
    status: answer.status,
    message,
    isStale,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(end !== undefined && { end }),
  }
}

export type Outcome = 'stored' | 'unsigned' | 'refused' | 'again'

/** Anything that may be otherwise in a while is tried again. */
export const outcomeOf = ({ status, isStale }: Answer): Outcome => {
  if (isStored(status)) return 'stored'
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
const staysUncertain = ({ status }: Answer): boolean => status === 0 || status >= 500 || status < 400

/** The row after an answer that does not say that it is stored. */
export const afterAnswer = (filled: Filled, answer: Answer, now = Date.now()): Filled => {
  const { status, message, end } = answer
  const reason: Reason = { status, message, ...(end !== undefined && { end }) }
  const isUncertain = staysUncertain(answer)
  const outcome = outcomeOf(answer)
  if (outcome === 'unsigned' || outcome === 'refused') return { ...filled, state: outcome, reason, isUncertain }
  const tries = filled.tries + 1
  const notBefore = answer.retryAfter === undefined ? 0 : now + answer.retryAfter
  return {
    ...filled,
    state: 'waiting',
    reason,
    isUncertain,
    tries,
    notBefore,
    nextAt: Math.max(notBefore, now + pauseOf(tries)),
  }
}
