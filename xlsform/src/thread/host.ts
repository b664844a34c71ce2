// Work in a thread of its own, so that the program answers others meanwhile. What eats memory or time ends the thread, and
// not the program.
import { Worker } from 'node:worker_threads'

export interface ThreadOptions {
  /** What runs there. It says that it is ready, then answers one piece of work after the other. */
  readonly program: URL
  /** The thread starts when it is needed, and ends when nothing was asked of it for this long. */
  readonly idleMilliseconds: number
  /** Work that takes longer is given up; loading the program and waiting for others or for a core do not count. */
  readonly timeoutMilliseconds: number
  readonly memoryMegabytes: number
}

/** What the program sends. */
export type ThreadMessage<Outcome> = { readonly kind: 'ready' } | { readonly kind: 'done'; readonly outcome: Outcome }

/** The work took longer than it may. */
export class ThreadTooSlow extends Error {
  readonly milliseconds: number
  constructor(milliseconds: number) {
    super(`The thread took longer than ${milliseconds} milliseconds`)
    this.milliseconds = milliseconds
  }
}

/** The work needed more memory than it may. */
export class ThreadOutOfMemory extends Error {
  constructor() {
    super('The thread ran out of memory')
  }
}

/** Whoever has the thread does not need it any more. */
export class ThreadClosed extends Error {
  constructor() {
    super('The thread was closed')
  }
}

/** A program that is not there by then never will be. */
const longestLoadMilliseconds = 60_000

/** On a machine that is busy with others, work may take so many times as long by the clock. */
const patience = 4

interface Task<Work, Outcome> {
  readonly work: Work
  resolve(outcome: Outcome): void
  reject(fault: unknown): void
}

/** One piece of work at a time, in the order in which they came. What ends the thread is refused, and the next one gets a
 * new thread. */
export class ThreadHost<Work, Outcome> {
  readonly #options: ThreadOptions
  readonly #waiting: Task<Work, Outcome>[] = []
  #current: Task<Work, Outcome> | undefined
  #worker: Worker | undefined
  #isReady = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  /** Rejects with one of the errors above, or with the one that ended the thread. */
  ask(work: Work): Promise<Outcome> {
    if (this.#isClosed) return Promise.reject(new ThreadClosed())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      this.#next()
    })
  }

  /** What is in hand, what waits and what comes is refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    const refused = this.#waiting.splice(0)
    if (this.#current !== undefined) refused.unshift(this.#current)
    this.#current = undefined
    for (const { reject } of refused) reject(new ThreadClosed())
    await this.#end()
  }

  #next(): void {
    if (this.#isClosed || this.#current !== undefined) return
    this.#current = this.#waiting.shift()
    if (this.#current === undefined) {
      this.#rest()
      return
    }
    clearTimeout(this.#timer)
    this.#worker ??= this.#start()
    this.#worker.ref()
    if (this.#isReady) this.#hand(this.#worker, this.#current)
    else this.#watch(longestLoadMilliseconds)
  }

  #hand(worker: Worker, { work }: Task<Work, Outcome>): void {
    this.#watchWork()
    try {
      worker.postMessage(work)
    } catch (fault) {
      // What cannot be copied into another thread.
      this.#lose(fault)
    }
  }

  #watch(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#lose(new ThreadTooSlow(milliseconds)), milliseconds)
  }

  /** What a thread computes is part of what its process computes. So work that is late in a process that had little of the
   * cores is not slow: it waits for its turn. */
  #watchWork(): void {
    const allowed = this.#options.timeoutMilliseconds
    const began = performance.now()
    const before = process.cpuUsage()
    const look = () => {
      const { user, system } = process.cpuUsage(before)
      const left = Math.min(allowed - (user + system) / 1000, patience * allowed - (performance.now() - began))
      if (left < 1) this.#lose(new ThreadTooSlow(allowed))
      else this.#timer = setTimeout(look, left)
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(look, allowed)
  }

  /** A thread that waits for work does not keep the program alive. */
  #rest(): void {
    this.#worker?.unref()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#end(), this.#options.idleMilliseconds).unref()
  }

  /** The thread is gone, and with it what it was working on. */
  #lose(fault: unknown): void {
    void this.#end()
    const task = this.#current
    this.#current = undefined
    task?.reject(fault)
    this.#next()
  }

  async #end(): Promise<void> {
    const ending = this.#worker
    this.#worker = undefined
    this.#isReady = false
    clearTimeout(this.#timer)
    await ending?.terminate()
  }

  #start(): Worker {
    const { program, memoryMegabytes } = this.#options
    const worker = new Worker(program, {
      // Not those of the program that starts it: some of them are for its own start.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    })
    const lose = (fault: unknown) => {
      if (worker === this.#worker) this.#lose(fault)
    }
    worker.on('message', (message: ThreadMessage<Outcome>) => {
      if (worker === this.#worker) this.#hear(worker, message)
    })
    worker.on('error', (fault: NodeJS.ErrnoException) =>
      lose(fault.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadOutOfMemory() : fault),
    )
    worker.on('exit', () => lose(new Error('The thread ended')))
    return worker
  }

  #hear(worker: Worker, message: ThreadMessage<Outcome>): void {
    if (message.kind === 'ready') {
      this.#isReady = true
      if (this.#current !== undefined) this.#hand(worker, this.#current)
      return
    }
    const task = this.#current
    this.#current = undefined
    task?.resolve(message.outcome)
    this.#next()
  }
}
