// A worker that hangs (a request that never lets go of its one thread, a process that was stopped) still gets its share of
// the connections and answers none of them. So the first process asks each of them now and then, and ends the silent.
import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { budgets } from './budgets.js'
import type { Log } from './platform/telemetry/index.js'

const mostUnanswered = Math.ceil(budgets.workers.silentMs / budgets.workers.askMs)

/** `ask` resolves to whether there was an answer. Questions are counted, not time: a machine that slept for an hour has
 * asked once. */
export const watchWorker = (worker: Worker, ask: () => Promise<boolean>, log: Log): void => {
  let unanswered = 0
  const timer = setInterval(async () => {
    unanswered += 1
    if (unanswered > mostUnanswered) {
      log.error({ pid: worker.process.pid }, 'a worker does not answer; ending it')
      // It may be stopped, or deaf to anything milder.
      worker.process.kill('SIGKILL')
    } else if (await ask()) unanswered = 0
  }, budgets.workers.askMs)
  worker.once('exit', () => clearInterval(timer))
}

/** Asked to finish; ended when it has not by then. */
export const endWorker = async (worker: Worker, log: Log): Promise<void> => {
  const ended = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  const timer = setTimeout(() => {
    log.error({ pid: worker.process.pid }, 'a worker did not finish in time; ending it')
    worker.process.kill('SIGKILL')
  }, budgets.workers.endMs)
  await ended
  clearTimeout(timer)
}
