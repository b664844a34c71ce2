// Moments in which the event loop answered nobody, because something was at work for too long: counted, with what was in hand
// then. Waiting for a core is no request's doing and does not count.
import { closeSync, openSync, readSync } from 'node:fs'
import { budgets } from '../../budgets.js'
import type { Log } from './log.js'
import type { Metrics } from './metrics.js'

const everyMs = 25
const mostNamed = 10

interface WorkClock {
  /** Milliseconds that the main thread has been on a core so far. */
  read(): number
  close(): void
}

/** Linux tells; elsewhere a thread counts as always at work. */
export const openWorkClock = (): WorkClock => {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
    const bytes = Buffer.alloc(64)
    const read = () => Number.parseInt(bytes.toString('latin1', 0, readSync(file, bytes, 0, 64, 0)), 10) / 1e6
    return { read, close: () => closeSync(file) }
  } catch {
    return { read: () => performance.now(), close: () => undefined }
  }
}

/** Looks until it is stopped. */
export const watchStalls = (metrics: Metrics, log: Log): { stop(): Promise<void> } => {
  const clock = openWorkClock()
  let before = { at: performance.now(), work: clock.read() }
  const look = () => {
    const now = { at: performance.now(), work: clock.read() }
    const ms = Math.round(Math.min(now.at - before.at - everyMs, now.work - before.work))
    before = now
    if (ms < budgets.eventLoop.stallMs) return
    const inHand = metrics.inHand()
    metrics.observeStall(inHand.length === 1 ? (inHand[0] ?? '') : inHand.length === 0 ? 'none' : 'several', ms / 1000)
    log.warn({ ms, inHand: inHand.slice(0, mostNamed) }, 'nobody was answered for a while')
  }
  const timer = setInterval(look, everyMs).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      clock.close()
    },
  }
}
