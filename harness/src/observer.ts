// Loaded into the server that is measured or attacked: writes down every moment in which its event loop answered nobody, for how much of it
// the loop was at work, and which requests were in its hands. The load, the database and the server share the cores of one
// machine: the rest is waiting for a core, which is no request's doing.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isMainThread } from 'node:worker_threads'

const everyMs = 10
const worthTellingMs = 1
const mostRequests = 8
const mostOfAddress = 300

/** Milliseconds that the main thread has been on a core so far. Linux only; elsewhere it counts as always there. */
const timeAtWork = (): number => {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return performance.now()
  }
}

const tenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10

const observe = (file: string): void => {
  const inHand = new Set<string>()
  const touched = new Set<string>()
  let number = 0
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    // What looks on does not count.
    if (request.url === '/healthz') return
    number += 1
    const name = `${number} ${request.method} ${String(request.url).slice(0, mostOfAddress)}`
    inHand.add(name)
    touched.add(name)
    response.once('close', () => inHand.delete(name))
  })
  let last = performance.now()
  let workBefore = timeAtWork()
  setInterval(() => {
    const now = performance.now()
    const work = timeAtWork()
    const silent = now - last - everyMs
    const stall = Math.min(silent, work - workBefore)
    if (silent > worthTellingMs) {
      const requests = [...touched].slice(-mostRequests).map((name) => name.slice(name.indexOf(' ') + 1))
      const line = { at: Date.now(), stall: tenths(stall), silent: tenths(silent), requests }
      appendFileSync(file, `${JSON.stringify(line)}\n`)
    }
    touched.clear()
    for (const name of inHand) touched.add(name)
    last = now
    workBefore = work
  }, everyMs).unref()
}

if (isMainThread && process.env.STALLS_FILE !== undefined) observe(process.env.STALLS_FILE)
