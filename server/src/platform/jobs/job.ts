// The declaration of a job: what a room enqueues it by, and what its handler is registered for.
import type { Kind } from './few-at-once.js'

export interface Job<Payload extends object> {
  /** Dotted, the room first: `mail.send`. */
  readonly name: string
  /** Tries before it is given up; they back off exponentially: 10 take about 3 hours, 14 about 11 days. */
  readonly maxAttempts: number
  /** Only a few of a kind are in hand at once. */
  readonly kind?: Kind
  /** How long one try may take. */
  readonly seconds?: number
  /** Marks the payload's type; never set. */
  readonly payload?: Payload
}

export const defineJob = <Payload extends object>(
  name: string,
  options: { maxAttempts: number; kind?: Kind; seconds?: number },
): Job<Payload> => ({ name, ...options })
