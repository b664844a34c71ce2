// What the whole installation holds, for /metrics: read from the database when somebody asks, and kept for a while, so that
// asking often costs little and a database that is away or slow keeps nobody from the other numbers.
import { statfs } from 'node:fs/promises'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { processSettings } from '../../platform/settings.js'
import { type Sample, samples } from '../../platform/telemetry/index.js'
import { countDeliveriesByState, countJobs, databaseBytes, sumFiles } from './installation.queries.js'

interface Reading {
  readonly database: readonly Sample[]
  readonly jobs: readonly Sample[]
  readonly deliveries: readonly Sample[]
  readonly files: readonly Sample[]
  readonly disk: readonly Sample[]
}

const nothing: Reading = { database: [], jobs: [], deliveries: [], files: [], disk: [] }

const deliveryStates = ['pending', 'delivered', 'failed', 'skipped']

const read = async ({ db, config }: Deps): Promise<Reading> => {
  const { background } = db
  const disk = await statfs(config.of(processSettings).dataDir)
  const database = await databaseBytes(background)
  const jobs = await countJobs(background)
  const deliveries = new Map((await countDeliveriesByState(background)).map(({ state, count }) => [state, count]))
  const files = await sumFiles(background)
  return {
    database: [{ labels: {}, value: database }],
    jobs: jobs.map(({ task, state, count }) => ({ labels: { task, state }, value: count })),
    deliveries: deliveryStates.map((state) => ({ labels: { state }, value: deliveries.get(state) ?? 0 })),
    files: files.map(({ kind, bytes }) => ({ labels: { kind }, value: bytes })),
    disk: [
      { labels: { part: 'all' }, value: disk.blocks * disk.bsize },
      { labels: { part: 'free' }, value: disk.bavail * disk.bsize },
    ],
  }
}

/** The last reading, and a new one when it is old: whoever asks waits for that a little, and gets the last one after all. */
export const kept = <T>(
  readNow: () => Promise<T>,
  initial: T,
  { keptMs, waitMs, shareOfTime }: { keptMs: number; waitMs: number; shareOfTime: number },
): (() => Promise<T>) => {
  let last = initial
  let freshUntil = Number.NEGATIVE_INFINITY
  let reading: Promise<unknown> | undefined
  const begin = (): Promise<unknown> => {
    const begun = performance.now()
    return readNow()
      .then(
        (value) => {
          last = value
        },
        () => {
          last = initial
        },
      )
      .finally(() => {
        const now = performance.now()
        // What takes long is read seldom.
        freshUntil = now + Math.max(keptMs, (now - begun) / shareOfTime)
        reading = undefined
      })
  }
  return async () => {
    if (performance.now() < freshUntil) return last
    reading ??= begin()
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise((resolve) => {
      timer = setTimeout(resolve, waitMs)
    })
    await Promise.race([reading, waited])
    clearTimeout(timer)
    return last
  }
}

/** Once for all processes behind a port: what they publish is added up. */
export const watchInstallation = (deps: Deps): void => {
  const current = kept(() => read(deps), nothing, budgets.metrics)
  const { metrics } = deps
  samples(metrics, 'database_bytes', 'Size of the database.', [], async () => (await current()).database)
  samples(
    metrics,
    'jobs',
    'Background jobs by task and state: due, later, running, given up; none is no line.',
    ['task', 'state'],
    async () => (await current()).jobs,
  )
  samples(
    metrics,
    'deliveries',
    'Deliveries to rest services by state, as long as they are kept.',
    ['state'],
    async () => (await current()).deliveries,
  )
  samples(
    metrics,
    'files_bytes',
    'Bytes of stored files: of records, of forms, of exports.',
    ['kind'],
    async () => (await current()).files,
  )
  samples(
    metrics,
    'disk_bytes',
    'The disk of DATA_DIR: all of it, and what is free.',
    ['part'],
    async () => (await current()).disk,
  )
}
