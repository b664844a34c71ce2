// Making a backup: one snapshot of the database, then the files that it names, then the manifest. Whoever is killed on the way
// leaves parts that the next one goes on with, and nothing that looks like a backup.
import { databaseTime } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { AlreadyHeld, type Held, type Snapshot, segmentsOf, whileHolding } from '../../platform/dump/index.js'
import { Damaged, openVault, type Place, type Vault, type VaultOptions } from '../../platform/vault/index.js'
import { filesHeldKey } from '../uploads/index.js'
import { requireApart } from './apart.js'
import { type CopiedFiles, copyFiles, spoolWanted } from './back-up-files.js'
import { installationOf } from './installation.queries.js'
import { findNewest, type IndexEntry, listBackups, type Manifest, newId, putManifest, queueName } from './manifest.js'
import { waitingJobs } from './queue.queries.js'
import { Backup } from './reading.js'
import { Segments } from './segments.js'
import type { Spool } from './spool.js'

/** Rows that mean nothing elsewhere: what migrations write themselves, what is counted again, who lives. */
export const leftOut = ['schema_migrations', 'schema_versions', 'chart_cache', 'job_workers', 'nodes']

export interface Progress {
  onRows?(table: string, rows: number): void
  onFile?(done: number, all: number, bytes: number): void
  onLoss?(kind: 'missing' | 'damaged', what: string): void
}

export interface BackUpOptions {
  readonly url: string
  /** Another place: what the newest backup there holds is not copied again. */
  readonly since?: string | undefined
  readonly seals: boolean
  readonly passphrase: VaultOptions['passphrase']
  /** The installation's secret, where it is to go along. */
  readonly secret: string | undefined
  readonly program: string
  readonly by: Manifest['by']
  readonly progress?: Progress
  readonly signal?: AbortSignal
  /** Asked when nobody else can make one any more; if not, it throws BackupRunning: somebody just did. */
  isWanted?(): Promise<boolean>
  /** While nobody else can make one. */
  onMade?(made: BackedUp): Promise<void>
}

export interface BackedUp {
  readonly manifest: Manifest
  readonly rows: number
  readonly written: { readonly segments: number; readonly files: number; readonly bytes: number }
}

export class BackupRunning extends Error {}

const filesAtOnce = 4

interface FromSnapshot extends Pick<Manifest, 'version' | 'tables' | 'sequences' | 'queue'> {
  readonly wanted: Spool
}

const readSnapshot = async (snapshot: Snapshot, segments: Segments, progress: Progress): Promise<FromSnapshot> => {
  const tables: Manifest['tables'][number][] = []
  for (const shape of await snapshot.tables(leftOut)) {
    const onRows = (rows: number) => progress.onRows?.(shape.name, rows)
    const rows = await segments.write(shape.name, segmentsOf(snapshot.rowsOf(shape)), onRows)
    tables.push({ name: shape.name, columns: shape.columns, ...rows })
  }
  return {
    version: await snapshot.version(),
    tables,
    sequences: await snapshot.sequences(),
    queue: await segments.write(queueName, segmentsOf(snapshot.rowsOfQuery(waitingJobs))),
    wanted: await spoolWanted(snapshot),
  }
}

/** The one whose parts need not be copied again. */
const earlierIn = async (vault: Vault): Promise<Earlier> => {
  const newest = vault.place.isArchive ? undefined : await findNewest(vault)
  return newest && { backup: new Backup(newest, [vault]), isElsewhere: false }
}

export const backUp = async (deps: Pick<Deps, 'db' | 'files' | 'clock'>, options: BackUpOptions): Promise<BackedUp> => {
  const { url, since, passphrase, seals } = options
  const elsewhere = since === undefined ? undefined : await Backup.open([since], passphrase)
  let vault: Vault | undefined
  try {
    const installation = await installationOf(deps.db)
    const requires = (place: Place) => requireApart(deps.files, place)
    await elsewhere?.requireApart(deps.files)
    const opened = await openVault(url, {
      mode: 'write',
      passphrase,
      seals,
      like: elsewhere?.lock,
      requires,
      installation,
    })
    vault = opened
    return await whileHolding(deps.db, filesHeldKey, async (held) => {
      if ((await options.isWanted?.()) === false) throw new BackupRunning('A backup of this server was just made.')
      const earlier = elsewhere === undefined ? await earlierIn(opened) : { backup: elsewhere, isElsewhere: true }
      const made = await write(deps, opened, { ...options, installation }, earlier, held)
      await options.onMade?.(made)
      return made
    })
  } catch (error) {
    if (error instanceof AlreadyHeld) throw new BackupRunning('A backup of this server is being made already.')
    throw error
  } finally {
    elsewhere?.close()
    vault?.place.close()
  }
}

type Earlier = { readonly backup: Backup; readonly isElsewhere: boolean } | undefined

/** What the new one would rest on is proved by reading it; a damaged one is told rather than handed on. */
async function* listOf({ backup, isElsewhere }: NonNullable<Earlier>): AsyncGenerator<IndexEntry> {
  try {
    yield* backup.files()
  } catch (error) {
    if (!(error instanceof Damaged) || isElsewhere) throw error
    const { id } = backup.manifest
    throw new Damaged(`${error.message}. Remove it and backups/${id}.json, or back up to another place.`)
  }
}

/** The database's: by it nodes agree. Tests put their clock forward. */
export const now = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Date> => {
  const ahead = clock.now().getTime() - Date.now()
  return new Date((await databaseTime(db)).getTime() + ahead)
}

const write = async (
  deps: Pick<Deps, 'db' | 'files' | 'clock'>,
  vault: Vault,
  { secret, program, by, progress = {}, signal, installation }: BackUpOptions & { installation: string | undefined },
  earlier: Earlier,
  { takeSnapshot, confirm }: Held,
): Promise<BackedUp> => {
  const begun = await now(deps)
  const elsewhere = earlier?.isElsewhere === true ? earlier.backup.manifest : undefined
  const segments = await Segments.open(vault, elsewhere, signal)
  const { wanted, ...rows } = await takeSnapshot((snapshot) => readSnapshot(snapshot, segments, progress))
  let copied: CopiedFiles
  try {
    copied = await copyFiles(
      {
        from: deps.files,
        to: vault,
        earlier: earlier && { files: listOf(earlier), isElsewhere: earlier.isElsewhere },
        atOnce: vault.place.isArchive ? 1 : filesAtOnce,
        signal,
        onFile: (...told) => progress.onFile?.(...told),
        onLoss: (...told) => progress.onLoss?.(...told),
      },
      wanted,
      segments,
    )
  } finally {
    await wanted.close()
  }
  const manifest: Manifest = {
    id: newId(begun, vault.place.isArchive ? undefined : (await listBackups(vault)).at(-1)),
    madeAt: begun.toISOString(),
    installation,
    program,
    by,
    needs: elsewhere === undefined ? [] : [elsewhere.id, ...elsewhere.needs],
    secret: secret ?? null,
    ...rows,
    files: copied.index,
    missing: copied.missing,
    damaged: copied.damaged,
  }
  // Whoever lost the connection has lost the hold on files: some may be gone.
  await confirm()
  await putManifest(vault, manifest)
  await vault.place.finish()
  return {
    manifest,
    rows: rows.tables.reduce((sum, table) => sum + table.rows, 0),
    written: {
      segments: segments.written,
      files: copied.written.files,
      bytes: segments.bytes + copied.written.bytes,
    },
  }
}
