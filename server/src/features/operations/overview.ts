// What operators see of the server, gathered now and then: asking often costs little, and what takes long is asked seldom.
import { resolve } from 'node:path'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import type { Static } from '../../platform/schema/index.js'
import { databaseSettings, outsideSettings, processSettings } from '../../platform/settings.js'
import { type Installation, kept, readInstallation, readiness } from '../health/index.js'
import {
  countEverything,
  countJobRunners,
  databaseVersion,
  findUpkeep,
  listFailingJobs,
  listFailingServices,
  listLargestTables,
  readMailQueue,
} from './operations.queries.js'
import type { ServerView } from './operations.schemas.js'
import { jobView, serviceView } from './operations.views.js'
import { processFigures } from './process-figures.js'

/** A page that looks every few seconds, in several windows, costs one reading. Sizes and sums are kept for longer, as those of
 * the metrics are. */
const keptMs = 3000

const mostListed = 50
const mostTables = 12

type View = Static<typeof ServerView>

/** What statements of a few milliseconds tell; sizes and sums are read by themselves, see `readInstallation`. */
const readQuick = async (deps: Deps) => {
  const db = deps.db.background
  const [counts, version, tables, failing, mails, runners, services, verified] = await Promise.all([
    countEverything(db),
    databaseVersion(db),
    listLargestTables(db, mostTables),
    listFailingJobs(db, mostListed),
    readMailQueue(db),
    countJobRunners(db),
    listFailingServices(db, mostListed),
    findUpkeep(db, 'verify'),
  ])
  return { counts, version, tables, failing, mails, runners, services, verified, at: deps.clock.now() }
}

type Quick = Awaited<ReturnType<typeof readQuick>>

const jobsIn = (installation: Installation | undefined, state: string): number | null =>
  installation === undefined
    ? null
    : installation.jobs.filter((one) => one.state === state).reduce((total, { count }) => total + count, 0)

const mailState = ({ mails }: Quick): string => (mails.lastError === null ? 'ok' : 'failing')

/** No secret is in it: addresses of databases, stores and mail servers are said to be set, and not shown. */
const backupOf = ({ config }: Deps): View['backup'] => {
  const hasDatabase = config.of(databaseSettings).databaseUrl !== undefined
  const hasFiles = config.of(outsideSettings).filesUrl !== undefined
  const hasKey = config.of(processSettings).secretKey !== undefined
  const folder = resolve(config.of(processSettings).dataDir)
  return {
    last: null,
    steps: [
      ...(hasDatabase
        ? ['Dump the database of DATABASE_URL: pg_dump --format=custom --file=sheaf.dump "$DATABASE_URL"']
        : [`Stop the server, then copy ${folder}: a database that is copied while it runs cannot be relied on`]),
      ...(hasFiles ? ['Copy what FILES_URL names, after the database'] : []),
      ...(hasDatabase && !hasFiles ? [`Copy ${folder}/files, after the database`] : []),
      hasKey
        ? 'Keep SECRET_KEY with it: without it, tokens and keys that are stored cannot be read'
        : `Keep ${folder}/secret.key with it: without it, tokens and keys that are stored cannot be read`,
      'Restore it somewhere else now and then, and run: sheaf verify --files',
    ],
  }
}

export interface Overview {
  read(): Promise<View>
}

export const overview = (deps: Deps, { version, migrationsFolder }: { version: string; migrationsFolder: string }) => {
  const { config, metrics } = deps
  const { workers, roles, dataDir } = config.of(processSettings)
  const startedAt = new Date(Date.now() - process.uptime() * 1000)
  const installationNow = readInstallation(deps)
  const bounds = { ...budgets.metrics, keptMs }
  const quickNow = kept<Quick | undefined>(() => readQuick(deps), undefined, bounds)

  const read = async (): Promise<View> => {
    const [quick, installation, health, figures] = await Promise.all([
      quickNow(),
      installationNow(),
      readiness(deps, migrationsFolder),
      processFigures(metrics),
    ])
    const bytesOf = new Map(installation?.files.map(({ kind, bytes }) => [kind, bytes]))
    return {
      version,
      node_version: process.versions.node,
      started_at: startedAt.toISOString(),
      uptime_seconds: Math.floor(process.uptime()),
      measured_at: quick?.at.toISOString() ?? null,
      processes: {
        workers,
        roles: [...roles],
        job_runners: quick?.runners ?? null,
        memory_bytes: figures.memoryBytes,
      },
      health: { ...health, mail: quick === undefined ? 'unknown' : mailState(quick) },
      disk: {
        folder: resolve(dataDir),
        total_bytes: installation?.disk.all ?? null,
        free_bytes: installation?.disk.free ?? null,
      },
      database: {
        is_built_in: config.of(databaseSettings).databaseUrl === undefined,
        version: quick?.version ?? null,
        bytes: installation?.databaseBytes ?? null,
        largest_tables: (quick?.tables ?? []).map(({ name, bytes, rows }) => ({ name, bytes, estimated_rows: rows })),
      },
      files: {
        count: installation?.files.reduce((sum, { count }) => sum + count, 0) ?? null,
        bytes_of_records: bytesOf.get('records') ?? null,
        bytes_of_forms: bytesOf.get('forms') ?? null,
        bytes_of_exports: bytesOf.get('exports') ?? null,
      },
      counts:
        quick === undefined
          ? null
          : {
              people: quick.counts.people,
              active_people: quick.counts.activePeople,
              organizations: quick.counts.organizations,
              projects: quick.counts.projects,
              forms: quick.counts.forms,
              records: quick.counts.records,
            },
      jobs: {
        due: jobsIn(installation, 'due'),
        later: jobsIn(installation, 'later'),
        running: jobsIn(installation, 'running'),
        given_up: jobsIn(installation, 'given up'),
        failing: (quick?.failing ?? []).map(jobView),
      },
      mails: {
        is_sent: config.of(outsideSettings).smtpUrl !== undefined,
        waiting: quick?.mails.waiting ?? null,
        given_up: quick?.mails.givenUp ?? null,
        last_error: quick?.mails.lastError ?? null,
      },
      deliveries: {
        pending: installation?.deliveries.get('pending') ?? null,
        delivered: installation?.deliveries.get('delivered') ?? null,
        failed: installation?.deliveries.get('failed') ?? null,
        skipped: installation?.deliveries.get('skipped') ?? null,
      },
      failing_services: (quick?.services ?? []).map(serviceView),
      stalls: {
        count: figures.stalls.count,
        seconds: figures.stalls.seconds,
        by_operation: [...figures.stalls.byOperation],
      },
      settings: config.inForce.map(({ group, name, value, isSet, isSecret }) => ({
        group,
        name,
        value,
        is_set: isSet,
        is_secret: isSecret,
      })),
      verified:
        quick?.verified === undefined
          ? null
          : {
              ran_at: quick.verified.ranAt.toISOString(),
              records: quick.verified.outcome.records ?? 0,
              files: quick.verified.outcome.files ?? 0,
              differences: quick.verified.outcome.differences ?? 0,
            },
      backup: backupOf(deps),
    }
  }
  return { read }
}
