// Backups that the server makes itself: one job over all nodes looks whether one is due. What a kill cut off is gone on with at the
// next look; what failed is tried again an hour later, and those who run the server are told.
import { resolve } from 'node:path'
import { budgets } from '../../budgets.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { AlreadyHeld } from '../../platform/dump/index.js'
import { defineJob, JobStopped } from '../../platform/jobs/index.js'
import { enqueueMail } from '../../platform/mail-queue/index.js'
import { findSecret } from '../../platform/secrets/index.js'
import { processSettings } from '../../platform/settings.js'
import { samples } from '../../platform/telemetry/index.js'
import { nameOfPlace } from '../../platform/vault/index.js'
import { kept } from '../health/index.js'
import { recordMessage } from '../messaging/index.js'
import { findUpkeep, recordUpkeep } from '../operations/index.js'
import { listOperators } from '../users/index.js'
import { type BackedUp, BackupRunning, backUp, now } from './back-up.js'
import { backupSettings } from './backups.settings.js'
import { prune } from './prune.js'

const hourMs = 3_600_000
/** It is looked every five minutes, and never at the same second: a day is over a little before it is. */
const slackMs = 150_000
/** One mail when it begins to fail, and then one a day. */
const failuresPerMail = 24

/** A terabyte at 12 MB a second. */
const lookJob = defineJob<object>('backups.look', { maxAttempts: 1, seconds: 24 * 3600 })

/** When the last one of any kind began, and what it took; for /server and /metrics. */
const anyTask = 'backup'
/** Of the schedule alone: it decides when the next one is due. */
const scheduledTask = 'backup-scheduled'
const failedTask = 'backup-failed'
const keptTooMuchTask = 'backup-prune-failed'

export const recordBackup = async (db: Db, { manifest, rows, written }: BackedUp): Promise<void> => {
  const begun = new Date(manifest.madeAt)
  const outcome = {
    rows,
    files: manifest.files.rows,
    written: written.bytes,
    missing: manifest.missing,
    damaged: manifest.damaged,
  }
  await recordUpkeep(db, anyTask, outcome, begun)
  if (manifest.by === 'schedule') await recordUpkeep(db, scheduledTask, {}, begun)
}

/** How long ago; never, where a clock that was ahead has written it down. */
const sinceMs = (time: Date | undefined, present: Date): number => {
  const past = present.getTime() - (time?.getTime() ?? 0)
  return past < -slackMs ? Number.POSITIVE_INFINITY : past
}

const isDue = async (deps: Deps): Promise<boolean> => {
  const { db, config } = deps
  const present = await now(deps)
  const [last, failed] = [await findUpkeep(db, scheduledTask), await findUpkeep(db, failedTask)]
  const everyMs = config.of(backupSettings).backupEvery * hourMs
  if (sinceMs(last?.ranAt, present) < everyMs - slackMs) return false
  return (failed?.outcome.failures ?? 0) === 0 || sinceMs(failed?.ranAt, present) >= hourMs - slackMs
}

const make = async (deps: Deps, url: string, program: string, signal: AbortSignal): Promise<void> => {
  const { config, db } = deps
  const { backupPassphrase } = config.of(backupSettings)
  const { secretKey, dataDir } = config.of(processSettings)
  const seals = backupPassphrase !== undefined
  const passphrase = async () => backupPassphrase
  const secret = seals ? (secretKey ?? (await findSecret(resolve(dataDir)))) : undefined
  await backUp(deps, {
    ...{ url, seals, passphrase, secret, program, by: 'schedule', signal },
    // Another node may have made one between the look and the lock.
    isWanted: () => isDue(deps),
    onMade: (made) => recordBackup(db, made),
  })
}

/** Nothing is lost when this fails, but the place grows. */
const tidy = async (deps: Deps, url: string): Promise<void> => {
  const { backupKeep: keep, backupPassphrase } = deps.config.of(backupSettings)
  const seals = backupPassphrase !== undefined
  await prune(deps.db, { url, seals, passphrase: async () => backupPassphrase, keep, now: await now(deps) })
}

/** An event for each of those who run the server, and a mail now and then. */
const tell = async (deps: Deps, message: string, mail: { subject: string } | undefined): Promise<void> => {
  const time = await now(deps)
  await deps.db.transaction(async (tx) => {
    for (const { id, email } of await listOperators(tx)) {
      await recordMessage(tx, { target: { type: 'user', id }, message, userId: null, now: time })
      if (mail !== undefined) await enqueueMail(tx, { to: email, subject: mail.subject, text: `${message}\n` })
    }
  })
}

const failuresOf = async ({ db }: Deps, task: string): Promise<number> =>
  (await findUpkeep(db, task))?.outcome.failures ?? 0

const countFailure = async (deps: Deps, task: string): Promise<number> => {
  const failures = (await failuresOf(deps, task)) + 1
  await recordUpkeep(deps.db, task, { failures }, await now(deps))
  return failures
}

/** Answers whether there were failures before. */
const forgetFailures = async (deps: Deps, task: string): Promise<boolean> => {
  if ((await failuresOf(deps, task)) === 0) return false
  await recordUpkeep(deps.db, task, { failures: 0 }, await now(deps))
  return true
}

const tellFailure = async (deps: Deps, url: string, error: unknown): Promise<void> => {
  const failures = await countFailure(deps, failedTask)
  const last = await findUpkeep(deps.db, scheduledTask)
  const since = last === undefined ? 'There is none yet.' : `The last one is of ${last.ranAt.toISOString()}.`
  const message = `The backup to ${nameOfPlace(url)} failed: ${(error as Error).message} ${since} It is tried again in an hour.`
  await tell(
    deps,
    message,
    failures % failuresPerMail === 1 ? { subject: 'The backup of the server failed' } : undefined,
  )
}

const tellKeptTooMuch = async (deps: Deps, url: string, error: unknown): Promise<void> => {
  const failures = await countFailure(deps, keptTooMuchTask)
  const message = `The backup to ${nameOfPlace(url)} was made, and older ones could not be removed: ${(error as Error).message} The place grows until they can.`
  const isTold = failures % failuresPerMail === 1
  await tell(deps, message, isTold ? { subject: 'Old backups of the server cannot be removed' } : undefined)
}

const look = async (deps: Deps, url: string, program: string, signal: AbortSignal): Promise<void> => {
  if (!(await isDue(deps))) return
  try {
    await make(deps, url, program, signal)
  } catch (error) {
    if (signal.reason instanceof JobStopped) throw signal.reason
    // Somebody makes one by hand: the next look comes soon.
    if (error instanceof BackupRunning) return
    deps.log.error({ err: error }, 'the backup failed')
    await tellFailure(deps, url, error)
    return
  }
  if (await forgetFailures(deps, failedTask)) {
    await tell(deps, `The backup to ${nameOfPlace(url)} works again.`, undefined)
  }
  try {
    await tidy(deps, url)
    await forgetFailures(deps, keptTooMuchTask)
  } catch (error) {
    // Somebody makes one by hand: it is tidied after the next.
    if (error instanceof AlreadyHeld) return
    deps.log.error({ err: error }, 'old backups could not be removed')
    await tellKeptTooMuch(deps, url, error)
  }
}

export const backupJobs = (given: Deps, program: string): void => {
  const { backupUrl } = given.config.of(backupSettings)
  if (backupUrl === undefined) return
  const deps: Deps = { ...given, db: given.db.background }
  deps.jobs.handle(lookJob, (_payload, { signal }) => look(deps, backupUrl, program, signal))
  deps.jobs.schedule(lookJob, '*/5 * * * *')
}

/** Read when the metrics are asked for, and kept for a while, as all that is read of the database is. */
export const watchBackups = (deps: Deps): void => {
  const { db, metrics } = deps
  const read = async () => ({
    present: await now({ ...deps, db: db.background }),
    last: await findUpkeep(db.background, anyTask),
    failed: await findUpkeep(db.background, failedTask),
  })
  type Found = Awaited<ReturnType<typeof read>>
  const current = kept<Found>(read, { present: new Date(0), last: undefined, failed: undefined }, budgets.metrics)
  const publish = (name: string, help: string, valueIn: (found: Found) => number | undefined) =>
    samples(metrics, name, help, [], async () => {
      const value = valueIn(await current())
      return value === undefined ? [] : [{ labels: {}, value }]
    })
  const began = 'When the last backup that ran to its end began, by hand or by schedule.'
  // A time that is not over yet is of a clock that was ahead: when it was, nobody knows.
  const beganAt = ({ last, present }: Found) =>
    last && (Number.isFinite(sinceMs(last.ranAt, present)) ? last.ranAt.getTime() / 1000 : 0)
  publish('backup_timestamp_seconds', began, beganAt)
  publish('backup_written_bytes', 'What the last backup wrote.', ({ last }) => last?.outcome.written)
  const lost = 'Files that the last backup did not find in the store, or otherwise than they were received.'
  publish('backup_lost_files', lost, ({ last }) => last && (last.outcome.missing ?? 0) + (last.outcome.damaged ?? 0))
  const failing = 'Scheduled backups that failed since the last that did not.'
  publish('backup_failures', failing, ({ failed }) => failed?.outcome.failures)
}
