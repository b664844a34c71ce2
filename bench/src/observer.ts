// Loaded into the server that is measured: writes down every moment in which its event loop answered nobody, and for how much
// of it the loop was at work. Load, database and server share the cores of one machine: the rest is waiting for a core, which
// is no request's doing.
import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const everyMs = 10
const worthTellingMs = 1

/** Milliseconds that the main thread has been on a core so far. Linux only; elsewhere it counts as always there. */
const timeAtWork = (): number => {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return performance.now()
  }
}

const observe = (file: string): void => {
  let last = performance.now()
  let workBefore = timeAtWork()
  setInterval(() => {
    const now = performance.now()
    const work = timeAtWork()
    const silent = now - last - everyMs
    if (silent > worthTellingMs) {
      appendFileSync(file, `${Math.min(silent, work - workBefore).toFixed(1)} ${silent.toFixed(1)}\n`)
    }
    last = now
    workBefore = work
  }, everyMs).unref()
}

if (isMainThread && process.env.STALLS_FILE !== undefined) observe(process.env.STALLS_FILE)
