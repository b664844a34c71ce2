// Whether a backup can be restored: it is, into a database that is thrown away, and what is there then is compared with what was
// written, row by row. Files are read and held against their hashes, and not kept.

import type { Deps } from '../../platform/deps.js'
import { type Loading, loadDatabase, segmentsOf } from '../../platform/dump/index.js'
import type { Files } from '../../platform/files/index.js'
import { prepareJobs } from '../../platform/jobs/index.js'
import { type Verification, verify, withoutSecret } from '../verification/index.js'
import { leftOut, type Progress } from './back-up.js'
import type { Backup } from './reading.js'
import { loadBackup, requireKnownVersion } from './restore.js'
import { entriesOf, proveFiles, spoolIndex } from './restore-files.js'
import type { Spool } from './spool.js'

export interface Checked {
  readonly tables: number
  readonly rows: number
  readonly files: number
  /** Tables that are not what was written, after they were restored. */
  readonly differing: readonly string[]
  readonly verification: Verification
}

/** Written out once more, the same rows give the same segments. */
const compareTables = async (backup: Backup, loading: Loading, { onRows }: Progress): Promise<string[]> => {
  const snapshot = await loading.snapshot()
  const expected = new Map(backup.manifest.tables.map((table) => [table.name, table.segments]))
  const differing: string[] = []
  for (const shape of await snapshot.tables(leftOut)) {
    const names: (string | undefined)[] = []
    let rows = 0
    for await (const segment of segmentsOf(snapshot.rowsOf(shape))) {
      names.push(backup.nameOf(segment))
      rows += segment.rows
      onRows?.(shape.name, rows)
    }
    const wanted = (expected.get(shape.name) ?? []).map(({ name }) => name)
    if (names.join() !== wanted.join()) differing.push(shape.name)
  }
  return differing
}

const refuse = async (): Promise<never> => {
  throw new Error('Files of a backup are only listed')
}

/** A store that has what the backup has. */
const filesOf = (index: Spool): Files => ({
  list: async function* () {
    for await (const { key, bytes } of entriesOf(index)) yield { key, bytes, modifiedAt: new Date(0) }
  },
  // Asked for what was not listed.
  exists: async () => false,
  put: refuse,
  get: refuse,
  delete: refuse,
  check: async () => undefined,
  close: () => undefined,
})

/** `deps` are of a database that nobody else uses. */
export const checkBackup = async (
  backup: Backup,
  deps: Deps,
  { migrationsFolder, progress = {} }: { migrationsFolder: string; progress?: Progress },
): Promise<Checked> => {
  const { manifest } = backup
  await requireKnownVersion(manifest, migrationsFolder)
  const index = await spoolIndex(backup)
  try {
    await proveFiles(backup, index, { atOnce: backup.isArchive ? 1 : 4, onFile: progress.onFile })
    await prepareJobs(deps.db, deps.log)
    let differing: string[] = []
    await loadDatabase(deps.db, migrationsFolder, async (loading) => {
      await loadBackup(backup, loading, progress)
      differing = await compareTables(backup, loading, progress)
      await loading.migrate()
    })
    const found = await verify({ ...deps, db: deps.db.background, files: filesOf(index) }, { readsFiles: false })
    return {
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: index.count,
      differing,
      verification: manifest.secret === null ? withoutSecret(found) : found,
    }
  } finally {
    await index.close()
  }
}
