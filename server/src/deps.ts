// From configuration to what the rooms are given. Short, and without any room.
import { join, resolve } from 'node:path'
import type { Config } from './platform/config/index.js'
import type { Database } from './platform/db/index.js'
import type { Deps } from './platform/deps.js'
import { openFiles } from './platform/files/index.js'
import { JobHandlers } from './platform/jobs/index.js'
import { openMail } from './platform/mail/index.js'
import { handleMails } from './platform/mail-queue/index.js'
import { type Lookup, mayCallPrivate, openOutbound, outboundSettings } from './platform/outbound/index.js'
import { loadOrMakeSecret, openSecrets, passwordCost } from './platform/secrets/index.js'
import { outsideSettings, processSettings } from './platform/settings.js'
import { openMetrics, type RequestLog } from './platform/telemetry/index.js'

export const dataFolder = (config: Config): string => resolve(config.of(processSettings).dataDir)

/** `lookup` stands in for the system's names in tests. */
export const openDeps = async (
  config: Config,
  db: Database,
  log: RequestLog,
  { lookup }: { lookup?: Lookup } = {},
): Promise<Deps> => {
  const folder = dataFolder(config)
  const { secretKey, ...place } = config.of(processSettings)
  const { filesUrl, smtpUrl, mailFrom } = config.of(outsideSettings)
  const mail = openMail({
    ...(smtpUrl !== undefined && { smtpUrl }),
    from: mailFrom,
    outboxFolder: join(folder, 'outbox'),
    onWritten: (file) => log.info({ file }, 'mail written'),
  })
  const jobs = new JobHandlers()
  handleMails(jobs, mail)
  return {
    config,
    db,
    jobs,
    files: await openFiles(filesUrl, { folder: join(folder, 'files') }),
    mail,
    outbound: openOutbound({
      allowPrivate: mayCallPrivate(config.of(outboundSettings).allowPrivate, place),
      ...(lookup && { lookup }),
    }),
    secrets: openSecrets(secretKey ?? (await loadOrMakeSecret(folder))),
    passwordCost,
    clock: { now: () => new Date() },
    log,
    metrics: openMetrics({ withProcess: true }),
  }
}
