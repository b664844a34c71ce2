// The loop that forwards submissions, in every process that runs jobs. It is woken by calls that have come back, and looks
// every second for what is new: a notification from each receiving transaction would make their commits wait for each
// other.
import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../../platform/deps.js'
import { type ReadRecords, Turns } from './turns.js'

export interface Sender {
  /** Takes nothing new, waits a little for what is in hand, and gives the rest back. */
  stop(): Promise<void>
}

interface Options {
  pollMilliseconds?: number
  /** How long a stop waits for receivers. */
  graceMilliseconds?: number
  /** Submissions that this process has in hand. */
  receivingNow?: () => number
}

/** Calls come back in bunches: gathered, a turn writes and claims twice as much with the same statements. */
const gatherMilliseconds = 4

/** So many submissions at once keep a process busy. Receiving comes first: the device waits for it, and what was received is
 * forwarded a little later just as well. */
const muchToReceive = 16
const leisureMilliseconds = 100

export const startSender = (deps: Deps, readRecords: ReadRecords, options: Options = {}): Sender => {
  const { pollMilliseconds = 1000, graceMilliseconds = 5000, receivingNow = () => 0 } = options
  const bell = newBell()
  const turns = new Turns(deps, readRecords, bell.ring)
  let isStopping = false
  const loop = async () => {
    let pushedAt = 0
    let isFailing = false
    while (!isStopping) {
      bell.reset()
      const hasFailed = await turnOf(turns, Date.now() - pushedAt >= pollMilliseconds).then(
        (hasPushed) => {
          if (hasPushed) pushedAt = Date.now()
          return false
        },
        (error) => {
          if (!isFailing) deps.log.error({ err: error }, 'forwarding failed; it is tried again every second')
          return true
        },
      )
      isFailing = hasFailed
      // After a failure every result would ring at once.
      if (hasFailed) bell.reset()
      if (!isStopping) await bell.rungWithin(pollMilliseconds)
      if (!isStopping) await pause(receivingNow() < muchToReceive ? gatherMilliseconds : leisureMilliseconds)
    }
  }
  const running = loop()
  return {
    stop: async () => {
      isStopping = true
      bell.ring()
      await running
      const cut = setTimeout(() => turns.interrupt(), graceMilliseconds)
      await turns.settle()
      clearTimeout(cut)
      await turns
        .writeResults()
        .catch((error) => deps.log.warn({ err: error }, 'what was forwarded last could not be written down'))
    },
  }
}

const turnOf = async (turns: Turns, isPushDue: boolean): Promise<boolean> => {
  // First what is due: a push that cannot go on must not hold it up.
  await turns.take()
  if (isPushDue) await turns.push()
  return isPushDue
}

/** Sends what is due now, waits for it and returns; for tests that must see the consequences. */
export const forwardDue = async (deps: Deps, readRecords: ReadRecords): Promise<void> => {
  const turns = new Turns(deps, readRecords)
  let count: number
  do {
    await turns.push()
    count = await turns.take()
    await turns.settle()
    await turns.writeResults()
  } while (count > 0)
}

/** Something that is waited for, at most for a while. */
const newBell = () => {
  let hasRung = false
  let answer = () => {}
  return {
    ring: () => {
      hasRung = true
      answer()
    },
    reset: () => {
      hasRung = false
    },
    rungWithin: (milliseconds: number) =>
      new Promise<void>((resolve) => {
        if (hasRung) return resolve()
        const timer = setTimeout(resolve, milliseconds)
        answer = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}
