// Senders as devices are: each submission is sent until somebody says yes, under the same instance id.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Chance, chanceOf } from '@sheaf/harness'
import type { Ledger } from './ledger.js'
import { type Body, bodyOf, newSubmission, type Submission } from './submissions.js'

export interface Target {
  readonly address: string
  readonly token: string
  /** Of the phones without an account. */
  readonly key: string
  readonly formId: number
}

export const bodyFor = ({ key }: Target, submission: Submission): Body =>
  bodyOf(submission, key, (seed, size) => chanceOf(seed).bytes(size))

const longestWaitMs = 60_000

export interface Answer {
  /** 0: there was none. */
  readonly status: number
  readonly retryAfter: string | null
}

export const send = async (target: Target, submission: Submission): Promise<Answer> => {
  const { address, token } = target
  const { path, type, bytes } = bodyFor(target, submission)
  try {
    const response = await fetch(address + path, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': type, 'x-openrosa-version': '1.0' },
      body: new Uint8Array(bytes),
      signal: AbortSignal.timeout(longestWaitMs),
    })
    await response.arrayBuffer()
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  } catch {
    return { status: 0, retryAfter: null }
  }
}

export const isYes = ({ status }: Answer): boolean => status === 201 || status === 202

/** Answers that a sender may get while things are broken; anything else is a finding. 502 is the proxy's: a node died with the
 * submission in its hands, and nobody knows what became of it. */
export const isPolite = ({ status, retryAfter }: Answer): boolean =>
  status === 0 ||
  status === 201 ||
  status === 202 ||
  status === 502 ||
  ((status === 503 || status === 507) && retryAfter !== null)

export interface Load {
  /** What was answered that nobody should be answered. */
  readonly rude: Answer[]
  stop(): Promise<void>
}

/** Keeps so many senders at it. Each sends one submission until somebody says yes, as devices do. */
export const startLoad = (target: Target, ledger: Ledger, chance: Chance, senders: number): Load => {
  const rude: Answer[] = []
  let isOver = false
  const sendUntilYes = async (submission: Submission, origin: string | undefined) => {
    while (!isOver) {
      const answer = await send(target, submission)
      ledger.count(answer.status)
      if (!isPolite(answer)) rude.push(answer)
      if (isYes(answer)) return ledger.acknowledge(submission, origin)
      await sleep(chance.between(20, 80))
    }
    ledger.doubt(submission, origin)
  }
  const run = async () => {
    while (!isOver) {
      const edit = chance.isOneIn(10) ? ledger.takeEditable() : undefined
      await sendUntilYes(newSubmission(chance, edit?.replaces), edit?.origin)
      await sleep(chance.between(0, 20))
    }
  }
  const running = Array.from({ length: senders }, run)
  return {
    rude,
    stop: async () => {
      isOver = true
      await Promise.all(running)
    },
  }
}

/** Sends again what nobody knows of, until all of it is acknowledged. Answers what is left when time is up. */
export const settle = async (target: Target, ledger: Ledger, seconds: number): Promise<number> => {
  const end = Date.now() + seconds * 1000
  const run = async () => {
    for (let one = ledger.unknown.shift(); one !== undefined; one = ledger.unknown.shift()) {
      const answer = await send(target, one.submission)
      if (isYes(answer)) ledger.acknowledge(one.submission, one.origin)
      else {
        ledger.doubt(one.submission, one.origin)
        if (Date.now() > end) return
        await sleep(100)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, run))
  return ledger.unknown.length
}
