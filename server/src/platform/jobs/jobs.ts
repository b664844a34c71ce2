// Background jobs. A job row is written in the transaction of the fact that causes it, so nothing runs before the
// commit and nothing committed is forgotten. Rooms declare a job once and enqueue it by that declaration.
//
// A process says every few seconds that its workers live. A job that is in hand is started again only when its process is
// silent, or when the next one has the database to itself; one that is told to stop gives way, leaves nothing behind, and is
// tried again later.
import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { CronItem, Logger, Runner, TaskList, WorkerEvents } from 'graphile-worker'
import { budgets } from '../../budgets.js'
import type { Database } from '../db/index.js'
import type { Log } from '../telemetry/index.js'
import { FewAtOnce } from './few-at-once.js'
import type { Job } from './job.js'
import { beat, freeAll, isAnyDue } from './jobs.queries.js'
import { JobStopped, RunningJobs } from './running.js'

export interface JobContext {
  /** Aborted when the job has taken too long, or the server stops: whatever takes long heeds it. */
  readonly signal: AbortSignal
}

export interface JobRunner {
  /** Takes no new jobs, tells those in hand to give way, and waits for them, though not for ever. */
  stop(): Promise<void>
}

type Handler = (payload: never, context: JobContext) => Promise<void>

export class JobHandlers {
  readonly #handlers = new Map<string, { handler: Handler; seconds: number }>()
  readonly schedules: CronItem[] = []

  handle<Payload extends object>(
    job: Job<Payload>,
    handler: (payload: Payload, context: JobContext) => Promise<void>,
  ): void {
    if (this.#handlers.has(job.name)) throw new Error(`The job ${job.name} has two handlers`)
    this.#handlers.set(job.name, { handler: handler as Handler, seconds: job.seconds ?? budgets.jobs.seconds })
  }

  /** Runs a job at the times of a cron pattern, once over all nodes. */
  schedule(job: Job<object>, pattern: string): void {
    this.schedules.push({ task: job.name, match: pattern, options: { maxAttempts: job.maxAttempts } })
  }

  get names(): readonly string[] {
    return [...this.#handlers.keys()]
  }

  async run(name: string, payload: unknown, id = name, running = new RunningJobs()): Promise<void> {
    const found = this.#handlers.get(name)
    if (found === undefined) throw new Error(`No handler for the job ${name}`)
    await running.run(id, found.seconds, (signal) => found.handler(payload as never, { signal }))
  }
}

/** Makes the queue's own tables; safe to call again, and on several nodes at once. */
export const prepareJobs = async (db: Database, log: Log): Promise<void> => {
  const { runMigrations } = await import('graphile-worker')
  await runMigrations({ pgPool: db.pool, logger: await quietLogger(log) })
}

export interface RunnerSettings {
  concurrency: number
  /** Nobody else runs jobs on this database: what is in hand at the start was a process's that is gone, and need not be
   * waited for. */
  isAlone?: boolean
  /** How often it looks without being told; notifications make it much faster than that. */
  pollMilliseconds?: number
  /** Shorter in tests. */
  graceMs?: number
  beatMs?: number
  silentMs?: number
}

/** Says that these workers live, until it is stopped; through connections that others cannot use up. */
const beating = async (db: Database, workers: ReadonlySet<string>, log: Log, settings: RunnerSettings) => {
  const { beatMs = budgets.jobs.beatMs, silentMs = budgets.jobs.silentMs } = settings
  const once = () =>
    beat(db.reserved, [...workers], silentMs).catch((err) =>
      log.warn({ err }, 'the job runner cannot say that it lives'),
    )
  await once()
  const timer = setInterval(() => void once(), beatMs)
  return () => clearInterval(timer)
}

/** Runs jobs until it is stopped. A runner that ends or cannot fetch is replaced by a new one, until one holds. */
export const startJobs = async (
  db: Database,
  handlers: JobHandlers,
  log: Log,
  settings: RunnerSettings,
): Promise<JobRunner> => {
  const { parseCronItems, run } = await import('graphile-worker')
  const logger = await quietLogger(log)
  const running = new RunningJobs()
  const workers = new Set<string>()
  const start = async (): Promise<Runner> => {
    const kinds = [new FewAtOnce('mail', budgets.mail.jobsAtOnce), new FewAtOnce('long', budgets.jobs.longAtOnce)]
    const events: WorkerEvents = new EventEmitter()
    for (const kind of kinds) kind.follow(events)
    events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id))
    const runner = await run({
      events,
      forbiddenFlags: () => kinds.flatMap((kind) => kind.forbiddenFlags()),
      pgPool: db.background.pool,
      taskList: taskList(handlers, log, running),
      parsedCronItems: parseCronItems(handlers.schedules),
      concurrency: settings.concurrency,
      pollInterval: settings.pollMilliseconds ?? 2000,
      noHandleSignals: true,
      logger,
      // Without batches the library does not wait until it is written down what became of a job, not even when it stops.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    })
    stopWhenStuck(runner)
    return runner
  }
  if (settings.isAlone === true) await freeAll(db.reserved)
  let runner = await start()
  const stopBeating = await beating(db, workers, log, settings)
  const stopping = new AbortController()
  const supervise = async () => {
    while (!stopping.signal.aborted) {
      const failure = await runner.promise.catch((error: unknown) => error)
      if (stopping.signal.aborted) return
      log.error({ err: failure }, 'the job runner stopped; starting it again')
      runner = await startAgain(start, stopping.signal)
    }
  }
  const supervision = supervise().catch((error) => {
    if (!stopping.signal.aborted) throw error
  })
  return {
    stop: async () => {
      stopping.abort()
      const ending = runner.stop().catch(() => undefined)
      const isDone = await running.stop(ending, settings.graceMs ?? budgets.jobs.graceMs)
      stopBeating()
      if (isDone) await supervision
      else log.error({}, 'jobs in hand did not give way in time; they are tried again by whoever is there next')
    },
  }
}

const mostFailures = 3

/** The library keeps the first answer to "which tasks do I know?", also when that is a failure: a database that is
 * away in that moment would stop all jobs for ever. A runner that fails to fetch several times in a row is ended. */
const stopWhenStuck = (runner: Runner): void => {
  let failures = 0
  const succeed = () => {
    failures = 0
  }
  runner.events.on('worker:getJob:empty', succeed)
  runner.events.on('job:start', succeed)
  runner.events.on('worker:getJob:error', () => {
    failures += 1
    if (failures === mostFailures) void runner.stop().catch(() => undefined)
  })
}

const startAgain = async (start: () => Promise<Runner>, signal: AbortSignal): Promise<Runner> => {
  for (;;) {
    await setTimeout(1000, undefined, { signal })
    const runner = await start().catch(() => undefined)
    if (runner !== undefined) return runner
  }
}

const taskList = (handlers: JobHandlers, log: Log, running: RunningJobs): TaskList =>
  Object.fromEntries(
    handlers.names.map((name) => [
      name,
      async (payload, { job }) => {
        try {
          await handlers.run(name, payload, job.id, running)
        } catch (error) {
          if (error instanceof JobStopped) throw error
          // The payload may hold a link with a secret: only the name, the id and the try are logged.
          log.warn({ job: name, id: job.id, attempt: job.attempts, of: job.max_attempts, err: error }, 'job failed')
          throw error
        }
      },
    ]),
  )

/** The library reports every job; only what needs attention is passed on. That a job has failed is told by `taskList`, without
 * the words of its error twice. */
const quietLogger = async (log: Log): Promise<Logger> => {
  const { Logger } = await import('graphile-worker')
  return new Logger(() => (level, message, meta) => {
    if (meta?.failure === true && meta.job !== undefined) return
    if (level === 'error') log.error({ queue: message }, 'job queue')
    else if (level === 'warning') log.warn({ queue: message }, 'job queue')
  })
}

/** Runs what is due now and returns; for commands and tests that must see the consequences. */
export const runPendingJobs = async (db: Database, handlers: JobHandlers, log: Log): Promise<void> => {
  const { runOnce } = await import('graphile-worker')
  const options = {
    pgPool: db.pool,
    taskList: taskList(handlers, log, new RunningJobs()),
    logger: await quietLogger(log),
    noHandleSignals: true,
  }
  // The next of a queue may be looked for before the one in front of it is written off.
  do await runOnce(options)
  while (await isAnyDue(db))
}
