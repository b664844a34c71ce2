// What operators see of the server, gathered now and then: asking often costs little, and what takes long is asked seldom.
import { resolve } from 'node:path'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import type { Static } from '../../platform/schema/index.js'
import { databaseSettings, outsideSettings, processSettings } from '../../platform/settings.js'
import { kept, readInstallation, readiness } from '../health/index.js'
import type { ServerView } from './operations.schemas.js'
import {
  databaseIn,
  deliveriesIn,
  diskIn,
  filesIn,
  jobsIn,
  mailState,
  mailsIn,
  readIn,
  runnersIn,
  settingView,
} from './parts.views.js'
import { processFigures } from './process-figures.js'
import { type Quick, readQuick } from './quick.js'

type View = Static<typeof ServerView>

/** A page that looks every few seconds, in several windows, costs one reading. Sizes and sums are kept for longer, as those of
 * the metrics are. */
const keptMs = 3000
/** Of the time of one connection, and only while an operator looks: a reading that takes a second is kept for five. */
const shareOfTime = 0.2

/** No secret is in it: addresses of databases, stores and mail servers are said to be set, and not shown. */
const backupOf = ({ config }: Deps, quick: Quick | undefined): View['backup'] => {
  const names = [
    `DATA_DIR=${resolve(config.of(processSettings).dataDir)}`,
    ...(config.of(databaseSettings).databaseUrl === undefined ? [] : ['DATABASE_URL=…']),
    ...(config.of(outsideSettings).filesUrl === undefined ? [] : ['FILES_URL=…']),
    ...(config.of(processSettings).secretKey === undefined ? [] : ['SECRET_KEY=…']),
  ]
  return {
    last: quick?.backedUp?.ranAt.toISOString() ?? null,
    steps: [
      `Back up, while it runs: ${names.join(' ')} sheaf backup PLACE --encrypt (a folder, a file ….tar, or s3://…); or set BACKUP_URL and BACKUP_PASSPHRASE`,
      'Keep the passphrase elsewhere. A backup that is not encrypted does not hold SECRET_KEY, or secret.key: keep that with it',
      'See whether it can be restored, now and then: sheaf backup check PLACE',
    ],
  }
}

export const overview = (deps: Deps, { version, migrationsFolder }: { version: string; migrationsFolder: string }) => {
  const { config, metrics } = deps
  const { workers, roles, dataDir } = config.of(processSettings)
  const isBuiltIn = config.of(databaseSettings).databaseUrl === undefined
  const isSent = config.of(outsideSettings).smtpUrl !== undefined
  const startedAt = new Date(Date.now() - process.uptime() * 1000)
  const installationNow = readInstallation(deps)
  const bounds = { ...budgets.metrics, keptMs, shareOfTime }
  const quickNow = kept<Quick | undefined>(() => readQuick(deps), undefined, bounds)

  const read = async (): Promise<View> => {
    const [quick, installation, health, figures] = await Promise.all([
      quickNow(),
      installationNow(),
      readiness(deps, migrationsFolder),
      processFigures(metrics),
    ])
    return {
      version,
      node_version: process.versions.node,
      started_at: startedAt.toISOString(),
      uptime_seconds: Math.floor(process.uptime()),
      processes: { workers, roles: [...roles], memory_bytes: figures.memoryBytes, ...runnersIn(quick) },
      health: { ...health, mail: mailState(quick) },
      disk: diskIn(installation, resolve(dataDir)),
      database: { is_built_in: isBuiltIn, ...databaseIn(quick, installation) },
      files: filesIn(installation),
      jobs: jobsIn(quick, installation),
      mails: { is_sent: isSent, ...mailsIn(quick) },
      deliveries: deliveriesIn(installation),
      stalls: {
        count: figures.stalls.count,
        seconds: figures.stalls.seconds,
        by_operation: [...figures.stalls.byOperation],
      },
      settings: config.inForce.map(settingView),
      backup: backupOf(deps, quick),
      ...readIn(quick),
    }
  }
  return { read }
}
