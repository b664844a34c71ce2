// Drawing in a thread of its own, started when the first page is asked for: loading the library takes 200 ms and a
// picture 20, in which the server would answer nobody.
import { Worker } from 'node:worker_threads'
import { budgets } from '../../../budgets.js'
import { unavailable } from '../../../platform/http/index.js'
import { fairGate } from '../../../platform/queues/index.js'
import type { Done, Drawing, Work } from './messages.js'

export interface Drawer {
  /** One SVG for each width. */
  draw(by: string, drawing: Drawing, widths: readonly number[]): Promise<readonly string[]>
  close(): Promise<void>
}

interface Waiting {
  resolve(pictures: readonly string[]): void
  reject(fault: unknown): void
}

/** The same from the sources and from what is built. */
const program = new URL('../../../../dist/features/charts/drawing/worker.js', import.meta.url)

/** A picture takes longer only when something is wrong. */
const patienceMilliseconds = 20_000
/** A thread holds about 40 MB; when nobody looks at charts, it goes. */
const idleMilliseconds = 60_000

export class DrawingThread implements Drawer {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #number = 0
  /** Whoever waits when it is closed is not drawn for when it starts again. */
  #era = 0
  readonly #inLine = fairGate(budgets.queues.drawings)

  draw(by: string, drawing: Drawing, widths: readonly number[]): Promise<readonly string[]> {
    const era = this.#era
    return this.#inLine(by, async () => {
      if (era !== this.#era) throw unavailable()
      return this.#drawNow(drawing, widths)
    })
  }

  #drawNow(drawing: Drawing, widths: readonly number[]): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const number = ++this.#number
      this.#waiting.set(number, { resolve, reject })
      this.#worker ??= this.#start()
      this.#worker.ref()
      this.#watch()
      this.#worker.postMessage({ number, drawing, widths } satisfies Work)
    })
  }

  async close(): Promise<void> {
    this.#era += 1
    await this.#end(unavailable())
  }

  #start(): Worker {
    // Not the arguments of the program: some of them are for its own start.
    const worker = new Worker(program, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 256 } })
    const lose = (fault: unknown) => {
      if (worker === this.#worker) void this.#end(fault)
    }
    worker.on('message', (done: Done) => this.#hear(done))
    worker.on('error', lose)
    worker.on('exit', () => lose(new Error('The thread that draws ended')))
    return worker
  }

  #hear(done: Done): void {
    const waiting = this.#waiting.get(done.number)
    this.#waiting.delete(done.number)
    this.#watch()
    if ('fault' in done) waiting?.reject(done.fault)
    else waiting?.resolve(done.pictures)
  }

  /** Whoever waits is told when it takes too long; a thread without work does not keep the program alive. */
  #watch(): void {
    clearTimeout(this.#timer)
    if (this.#waiting.size > 0) {
      this.#timer = setTimeout(() => void this.#end(unavailable()), patienceMilliseconds)
      return
    }
    this.#worker?.unref()
    this.#timer = setTimeout(() => void this.#end(unavailable()), idleMilliseconds).unref()
  }

  async #end(fault: unknown): Promise<void> {
    const ending = this.#worker
    this.#worker = undefined
    clearTimeout(this.#timer)
    const left = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of left) reject(fault)
    await ending?.terminate()
  }
}
