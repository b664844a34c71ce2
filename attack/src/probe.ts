// In a thread of its own, so that the attacker's work does not count: asks /healthz all the while, and keeps how long it took.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

const everyMs = 20

export class Health {
  readonly #worker = new Worker(new URL(import.meta.url))
  longestMs = 0

  constructor() {
    this.#worker.on('message', (ms: number) => {
      this.longestMs = Math.max(this.longestMs, ms)
    })
    this.#worker.unref()
  }

  /** 0: nobody is asked. */
  watch(port: number): void {
    this.#worker.postMessage(port)
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}

const ask = (agent: Agent, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({ agent, port, host: '127.0.0.1', path: '/healthz' }, (response) => {
      response.resume()
      response.once('end', () => resolve(true))
      response.once('error', () => resolve(false))
    })
    asked.once('error', () => resolve(false))
  })

const run = async (): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let port = 0
  parentPort?.on('message', (next: number) => {
    port = next
  })
  for (;;) {
    await sleep(everyMs)
    const [asked, begun] = [port, performance.now()]
    if (asked === 0) continue
    const isAnswered = await ask(agent, asked)
    if (isAnswered && asked === port) parentPort?.postMessage(performance.now() - begun)
  }
}

if (!isMainThread) void run()
