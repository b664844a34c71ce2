// The jobs that this process has in hand: each is told when to give way.
import { setTimeout } from 'node:timers/promises'

/** It took longer than it may. */
export class JobTooLong extends Error {
  readonly seconds: number
  constructor(seconds: number) {
    super(`The job takes longer than ${seconds} seconds`)
    this.seconds = seconds
  }
}

/** The process stops; the job is tried again later, perhaps by another one. */
export class JobStopped extends Error {
  constructor() {
    super('The server was stopped while the job ran')
  }
}

export class RunningJobs {
  readonly #running = new Map<string, AbortController>()
  readonly #pace: number
  #isStopping = false

  /** In tests a second may be shorter. */
  constructor(pace = 1) {
    this.#pace = pace
  }

  /** What is in hand is not begun a second time, whatever the queue takes it for. */
  async run(id: string, seconds: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#isStopping) throw new JobStopped()
    if (this.#running.has(id)) throw new Error(`The job ${id} is still in hand`)
    const controller = new AbortController()
    this.#running.set(id, controller)
    const timer = globalThis.setTimeout(() => controller.abort(new JobTooLong(seconds)), seconds * 1000 * this.#pace)
    try {
      await work(controller.signal)
    } finally {
      clearTimeout(timer)
      this.#running.delete(id)
    }
  }

  /** Tells all of them to give way; false when one has not in time. */
  async stop(waiting: Promise<unknown>, graceMs: number): Promise<boolean> {
    this.#isStopping = true
    for (const controller of this.#running.values()) controller.abort(new JobStopped())
    const given = new AbortController()
    const late = setTimeout(graceMs, false, { signal: given.signal }).catch(() => false)
    const isDone = await Promise.race([waiting.then(() => true), late])
    given.abort()
    return isDone
  }
}

/** What cannot be told to stop is not waited for. */
export const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  // Whatever becomes of it then, nobody waits for it.
  work.catch(() => undefined)
  signal.throwIfAborted()
  let giveUp = () => {}
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', giveUp)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
