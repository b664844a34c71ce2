// What an answer means, and when to try again.
import { type OutboundAnswer, OutboundFailed, OutboundRefused } from '../../platform/outbound/index.js'
import { lostReason } from './sealing.js'

export interface Verdict {
  /** again: it may succeed later. refused: it never will. deleted: there is nothing to send any more. interrupted: by
   * ourselves, which counts for nothing. */
  readonly kind: 'delivered' | 'again' | 'refused' | 'deleted' | 'interrupted'
  /** The receiver as a whole does not work; not only this record. */
  readonly isDown: boolean
  readonly status: number | null
  readonly error: string | null
  readonly response: string | null
  /** The receiver asked for this pause. */
  readonly waitSeconds: number
}

/** A receiver that works may still not want this one record. */
const aboutTheRecord = new Set([400, 409, 413, 415, 422])

const isWorthAnotherTry = (status: number): boolean => status === 408 || status === 429 || status >= 500

const isSuccess = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300

export const judgeAnswer = (answer: OutboundAnswer, now: Date): Verdict => {
  const { status } = answer
  const response = printable(answer.body)
  if (isSuccess(status)) {
    return { kind: 'delivered', isDown: false, status, error: null, response, waitSeconds: 0 }
  }
  const isAgain = isWorthAnotherTry(status)
  const isRedirect = status >= 300 && status < 400
  return {
    kind: isAgain ? 'again' : 'refused',
    isDown: !aboutTheRecord.has(status),
    status,
    error: isRedirect
      ? `It answered ${status}, a redirect that a POST does not follow. Give the address that it leads to.`
      : `It answered ${status}.`,
    response,
    // Of what is never tried again it means nothing, least of all for other records.
    waitSeconds: isAgain ? retryAfter(answer.headers['retry-after'], now) : 0,
  }
}

const noAnswer = { isDown: false, status: null, error: null, response: null, waitSeconds: 0 } as const

export const judgeFailure = (error: Error): Verdict => {
  const status = error instanceof OutboundFailed ? error.status : undefined
  // The receiver has said that it has it; how the rest of its answer went does not matter.
  if (isSuccess(status)) return { ...noAnswer, kind: 'delivered', status: status ?? null }
  const kind = error instanceof OutboundRefused ? 'refused' : 'again'
  return { ...noAnswer, kind, isDown: true, status: status ?? null, error: error.message }
}

export const deleted: Verdict = { ...noAnswer, kind: 'deleted', error: 'The submission was deleted.' }
export const interrupted: Verdict = { ...noAnswer, kind: 'interrupted' }
/** The service rests like one whose receiver is down: the former SECRET_KEY may come back. */
export const unreadable: Verdict = { ...noAnswer, kind: 'again', isDown: true, error: lostReason }
export const unprepared: Verdict = { ...noAnswer, kind: 'again', error: 'The delivery could not be prepared.' }

/** PostgreSQL takes no zero bytes, and half a character at the end helps nobody. */
const printable = (body: Buffer): string =>
  body
    .toString('utf8')
    .replaceAll('\0', '')
    .replace(/\ufffd$/, '')

const longestWaitSeconds = 24 * 3600

/** Seconds, or a date. */
const retryAfter = (header: string | undefined, now: Date): number => {
  const text = header?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, seconds), longestWaitSeconds)
}

/** Seconds before each try after the first; then the last one for ever. */
const steps = [1, 2, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400] as const

/** A seventh more or less, so that what failed together does not come back together. */
const jitter = (seconds: number, random: () => number): number => seconds * (0.85 + random() * 0.3)

export const nextTryAt = (tries: number, waitSeconds: number, now: Date, random = Math.random): Date => {
  const step = steps[Math.min(tries, steps.length) - 1] ?? steps[0]
  return new Date(now.getTime() + Math.max(jitter(step, random), waitSeconds) * 1000)
}

/** Failures in a row after which the receiver is taken to be down, and left alone for a while between calls. */
export const downAfter = 5
const longestRestSeconds = 300

/** How long a service rests after so many failures in a row. */
export const restSeconds = (failures: number, random = Math.random): number =>
  failures < downAfter ? 0 : jitter(Math.min(2 ** (failures - downAfter), longestRestSeconds), random)
