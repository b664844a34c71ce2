// What the whole installation holds, for /metrics: read from the database when somebody asks, and kept for a while, so that
// asking often costs little and a database that is away or slow keeps nobody from the other numbers.
import { statfs } from 'node:fs/promises'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { processSettings } from '../../platform/settings.js'
import { type Sample, samples } from '../../platform/telemetry/index.js'
import { countDeliveriesByState, countJobs, databaseBytes, sumFiles } from './installation.queries.js'

export interface Installation {
  readonly databaseBytes: number
  readonly jobs: Awaited<ReturnType<typeof countJobs>>
  readonly deliveries: ReadonlyMap<string, number>
  readonly files: Awaited<ReturnType<typeof sumFiles>>
  /** Bytes of the disk of DATA_DIR. */
  readonly disk: { readonly all: number; readonly free: number }
}

const deliveryStates = ['pending', 'delivered', 'failed', 'skipped']

const read = async ({ db, config }: Deps): Promise<Installation> => {
  const { background } = db
  const disk = await statfs(config.of(processSettings).dataDir)
  const bytes = await databaseBytes(background)
  const jobs = await countJobs(background)
  const deliveries = new Map((await countDeliveriesByState(background)).map(({ state, count }) => [state, count]))
  return {
    databaseBytes: bytes,
    jobs,
    deliveries: new Map(deliveryStates.map((state) => [state, deliveries.get(state) ?? 0])),
    files: await sumFiles(background),
    disk: { all: disk.blocks * disk.bsize, free: disk.bavail * disk.bsize },
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

/** Undefined until the first reading has ended, and while the database is away. */
export const readInstallation = (deps: Deps): (() => Promise<Installation | undefined>) =>
  kept<Installation | undefined>(() => read(deps), undefined, budgets.metrics)

/** Once for all processes behind a port: what they publish is added up. */
export const watchInstallation = (deps: Deps): void => {
  const current = readInstallation(deps)
  const { metrics } = deps
  const publish = (
    name: string,
    help: string,
    labels: readonly string[],
    samplesOf: (installation: Installation) => readonly Sample[],
  ) =>
    samples(metrics, name, help, labels, async () => {
      const installation = await current()
      return installation === undefined ? [] : samplesOf(installation)
    })
  publish('database_bytes', 'Size of the database.', [], ({ databaseBytes: value }) => [{ labels: {}, value }])
  publish(
    'jobs',
    'Background jobs by task and state: due, later, running, given up; none is no line.',
    ['task', 'state'],
    ({ jobs }) => jobs.map(({ task, state, count }) => ({ labels: { task, state }, value: count })),
  )
  publish(
    'deliveries',
    'Deliveries to rest services by state, as long as they are kept.',
    ['state'],
    ({ deliveries }) => [...deliveries].map(([state, value]) => ({ labels: { state }, value })),
  )
  publish('files_bytes', 'Bytes of stored files: of records, of forms, of exports.', ['kind'], ({ files }) =>
    files.map(({ kind, bytes }) => ({ labels: { kind }, value: bytes })),
  )
  publish('disk_bytes', 'The disk of DATA_DIR: all of it, and what is free.', ['part'], ({ disk }) => [
    { labels: { part: 'all' }, value: disk.all },
    { labels: { part: 'free' }, value: disk.free },
  ])
}
