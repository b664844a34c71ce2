// Several processes behind one port: the first keeps the database and runs the jobs, its workers answer requests. A worker
// that ends is replaced.
import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { joinSnapshots, type Log, type Metrics, type MetricsSnapshot } from './platform/telemetry/index.js'
import { endWorker, watchWorker } from './worker-watch.js'

/** What the first process and its workers say to each other. */
type Message =
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'database moved' }
  | { readonly kind: 'metrics of all?'; readonly id: string }
  | { readonly kind: 'metrics of all'; readonly id: string; readonly text: string }
  | { readonly kind: 'own metrics?'; readonly id: string }
  | { readonly kind: 'own metrics'; readonly id: string; readonly snapshot: MetricsSnapshot }

/** A worker that does not answer by then is left out of the sum. */
const answerMilliseconds = 2000
/** So many ends in a row, each so soon after its start, are a fault that another start does not mend. */
const mostShortLives = 5
const shortLifeMilliseconds = 10_000

export const isWorker = cluster.isWorker

export interface Workers {
  /** The one that they share. */
  readonly port: number
  /** The database was started again, at another place. */
  databaseMoved(): void
  /** Finishes what is in flight. */
  close(): Promise<void>
}

export interface WorkersOptions {
  readonly count: number
  readonly log: Log
  /** Of the first process: from now on they tell of all processes. */
  readonly metrics: Metrics
  onFailure(): void
}

/** Answers when all of them listen. */
export const startWorkers = async ({ count, log, metrics, onFailure }: WorkersOptions): Promise<Workers> => {
  let isClosing = false
  let areListening = false
  let shortLives = 0
  let failure: string | undefined
  const alive = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

  const ownMetrics = (worker: Worker): Promise<MetricsSnapshot | undefined> =>
    ask(worker, (id) => ({ kind: 'own metrics?', id })).then((answer) =>
      answer?.kind === 'own metrics' ? answer.snapshot : undefined,
    )
  const ofFirst = metrics.snapshot
  metrics.text = async () => {
    const ofWorkers = await Promise.all(alive().map(ownMetrics))
    return joinSnapshots([await ofFirst(), ...ofWorkers.filter((one) => one !== undefined)])
  }

  const fork = (): Worker => {
    const begun = performance.now()
    const worker = cluster.fork()
    worker.on('message', async (message: Message) => {
      if (message.kind === 'failed') failure = message.reason
      if (message.kind !== 'metrics of all?') return
      const text = await metrics.text()
      tell(worker, { kind: 'metrics of all', id: message.id, text })
    })
    const isWell = () => ownMetrics(worker).then((answer) => answer !== undefined)
    worker.once('listening', () => watchWorker(worker, isWell, log))
    worker.once('exit', (code, signal) => {
      if (isClosing || !areListening) return
      log.error({ code, signal, pid: worker.process.pid, reason: failure }, 'a worker ended; starting another')
      shortLives = performance.now() - begun < shortLifeMilliseconds ? shortLives + 1 : 0
      if (shortLives < mostShortLives) fork()
      else onFailure()
    })
    return worker
  }

  const start = async () => {
    const worker = fork()
    const listening = once(worker, 'listening').then(([address]) => (address as { port: number }).port)
    const ended = once(worker, 'exit').then(() => undefined)
    return Promise.race([listening, ended])
  }
  // The first alone: what keeps it from listening would keep all of them.
  const ports = [await start()]
  if (ports[0] !== undefined) ports.push(...(await Promise.all(Array.from({ length: count - 1 }, start))))
  const close = async () => {
    isClosing = true
    await Promise.all(alive().map((worker) => endWorker(worker, log)))
  }
  const [port] = ports
  if (port === undefined || ports.includes(undefined)) {
    await close()
    throw new WorkerFailed(failure ?? 'A worker ended before it listened.')
  }
  areListening = true
  const databaseMoved = () => {
    for (const worker of alive()) tell(worker, { kind: 'database moved' })
  }
  return { port, databaseMoved, close }
}

class WorkerFailed extends Error {}

/** In a worker that cannot start: the first process says why, once for all of them. */
export const failInFirst = (reason: string): void => {
  process.send?.({ kind: 'failed', reason } satisfies Message, undefined, undefined, () => process.exit(1))
}

/** In a worker: what the first process wants to know and tells. */
export const obeyFirst = (metrics: Metrics, onDatabaseMoved: () => void): void => {
  process.on('message', async (message: Message) => {
    if (message.kind === 'database moved') onDatabaseMoved()
    if (message.kind === 'own metrics?') {
      const snapshot = await metrics.snapshot()
      process.send?.({ kind: 'own metrics', id: message.id, snapshot } satisfies Message)
    }
  })
  metrics.text = async () => {
    const answer = await ask(cluster.worker as Worker, (id) => ({ kind: 'metrics of all?', id }))
    return answer?.kind === 'metrics of all' ? answer.text : joinSnapshots([await metrics.snapshot()])
  }
}

/** To one that may be ending: without somebody who hears of the failure, it would end this process too. */
const tell = (other: Worker, message: Message, onFailure: () => void = () => undefined): void => {
  other.send(message, (error) => {
    if (error) onFailure()
  })
}

/** Undefined: no answer in time, or nobody there. */
export const ask = (other: Worker, question: (id: string) => Message): Promise<Message | undefined> =>
  new Promise((resolve) => {
    const id = randomUUID()
    const done = (answer?: Message) => {
      clearTimeout(timer)
      other.off('message', hear)
      resolve(answer)
    }
    const hear = (message: Message) => {
      if ('id' in message && message.id === id) done(message)
    }
    const timer = setTimeout(done, answerMilliseconds)
    other.on('message', hear)
    tell(other, question(id), done)
  })
