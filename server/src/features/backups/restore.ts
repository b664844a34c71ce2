// Restoring: files first, then the database in one transaction. Whoever is killed leaves an empty database, and files of which the
// next restore of the same backup keeps those that are right.
import { type Database, newestMigration } from '../../platform/db/index.js'
import { DatabaseNotEmpty, isEmptyDatabase, type Loading, loadDatabase } from '../../platform/dump/index.js'
import type { Files } from '../../platform/files/index.js'
import { prepareJobs } from '../../platform/jobs/index.js'
import type { Log } from '../../platform/telemetry/index.js'
import { leftOut, type Progress } from './back-up.js'
import { type Manifest, queueName } from './manifest.js'
import { enqueueWaitingJobs, makeWaitingJobs, waitingJobsTarget } from './queue.queries.js'
import type { Backup } from './reading.js'
import { requireNoOthers, restoreFiles, spoolIndex } from './restore-files.js'

/** It was made by a newer program. */
export class BackupTooNew extends Error {}

export interface Target {
  readonly db: Database
  readonly files: Files
  readonly log: Log
  readonly migrationsFolder: string
}

export interface RestoreOptions {
  readonly progress?: Progress
  /** The store may hold other files: it is the one that the backup was made of. */
  readonly keepsFiles: boolean
  /** Before the database is committed. */
  beforeCommit?(): Promise<void>
}

const filesAtOnce = 4

export const requireKnownVersion = async ({ version, program }: Manifest, migrationsFolder: string): Promise<void> => {
  const newest = await newestMigration(migrationsFolder)
  if (version <= newest) return
  throw new BackupTooNew(
    `The backup is of version ${version} of the database (program ${program}), this program knows versions up to ${newest}. Restore it with the newer program.`,
  )
}

/** Tables, sequences and jobs as they were, at the version that they were of. */
export const loadBackup = async (backup: Backup, loading: Loading, progress: Progress): Promise<void> => {
  const { manifest } = backup
  // An older program has not left out what it did not know.
  const given = manifest.tables.filter(({ name }) => !leftOut.includes(name))
  await loading.migrateFor(manifest.version, given, leftOut)
  const tables = new Map(given.map((table) => [table.name, table]))
  await loading.fill(given, leftOut, async function* ({ name }) {
    const table = tables.get(name)
    if (table === undefined) return
    let rows = 0
    for await (const segment of backup.rowsOf(name, table)) {
      yield segment
      rows += 1
      progress.onRows?.(name, Math.round((table.rows * rows) / table.segments.length))
    }
  })
  await loading.setSequences(manifest.sequences)
  await loading.run(makeWaitingJobs)
  await loading.copy(waitingJobsTarget, backup.rowsOf(queueName, manifest.queue))
  await loading.run(enqueueWaitingJobs)
}

export const restore = async (backup: Backup, target: Target, options: RestoreOptions): Promise<void> => {
  const { db, files, log, migrationsFolder } = target
  const { progress = {}, keepsFiles, beforeCommit } = options
  await requireKnownVersion(backup.manifest, migrationsFolder)
  // Looked at again in the transaction; here, so that nothing is copied in vain.
  if (!(await isEmptyDatabase(db))) throw new DatabaseNotEmpty()
  await backup.requireApart(files)
  const index = await spoolIndex(backup)
  try {
    if (!keepsFiles) await requireNoOthers(files, index)
    const atOnce = backup.isArchive ? 1 : filesAtOnce
    await restoreFiles(backup, index, files, { atOnce, onFile: progress.onFile })
  } finally {
    await index.close()
  }
  await prepareJobs(db, log)
  await loadDatabase(db, migrationsFolder, async (loading) => {
    await loadBackup(backup, loading, progress)
    await loading.migrate()
    await beforeCommit?.()
  })
}
