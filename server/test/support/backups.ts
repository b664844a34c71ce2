// Servers to back up and to restore into, and what is in them: compared without anything that backs up or restores.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BackUpOptions, Backup, backUp, restore } from '../../src/features/backups/index.js'
import { migrationsFolder } from '../../src/paths.js'
import { type Database, type Db, sql } from '../../src/platform/db/index.js'
import { type Files, openFiles } from '../../src/platform/files/index.js'
import { openLog } from '../../src/platform/telemetry/index.js'
import { type TestDatabase, testDatabase } from './database.js'

export interface Source {
  readonly db: Database
  readonly files: Files
}

export interface EmptyServer extends Source {
  readonly database: TestDatabase
  readonly folder: string
  remove(): Promise<void>
}

const log = openLog('error', { write: () => undefined })

export const emptyServer = async (): Promise<EmptyServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-restored-'))
  const database = await testDatabase({ from: 'template0' })
  const files = await openFiles(undefined, { folder: join(folder, 'files') })
  const remove = async () => {
    files.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
  return { db: database.db, database, files, folder, remove }
}

export const noPassphrase = async () => undefined

/** By hand, in the clear, unless something else is said. */
export const backUpTo = (source: Source, url: string, options: Partial<BackUpOptions> = {}) =>
  backUp(
    { ...source, clock: { now: () => new Date() } },
    { url, seals: false, passphrase: noPassphrase, secret: undefined, program: 'test', by: 'hand', ...options },
  )

interface RestoreFrom {
  id?: string
  passphrase?: string
  keepsFiles?: boolean
  folder?: string
}

export const restoreTo = async (
  { db, files }: Source,
  urls: string | string[],
  { id, passphrase, keepsFiles = false, folder = migrationsFolder }: RestoreFrom = {},
): Promise<void> => {
  const backup = await Backup.open([urls].flat(), async () => passphrase, id)
  try {
    await restore(backup, { db, files, log, migrationsFolder: folder }, { keepsFiles })
  } finally {
    backup.close()
  }
}

const notCompared = ['schema_migrations', 'schema_versions', 'chart_cache', 'job_workers', 'nodes']

const rowsOf = async (db: Db, table: string): Promise<string[]> => {
  // The name is the catalog's own; the statement is made where names can be quoted.
  const { statement } = await db.one<{ statement: string }>(
    sql`select format('select one::text as row from public.%I one order by 1', ${table}::text) as statement`,
  )
  return (await db.rows<{ row: string }>({ text: statement, values: [], strings: [statement] } as never)).map(
    ({ row }) => row,
  )
}

/** Every row of every table as text, every sequence, every job that waits, every file by its hash. */
export const contentsOf = async ({ db, files }: Source): Promise<Record<string, unknown>> => {
  const tables = await db.rows<{ name: string }>(sql`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
  const contents: Record<string, unknown> = {}
  for (const { name } of tables) if (!notCompared.includes(name)) contents[name] = await rowsOf(db, name)
  contents['the sequences'] = await db.rows(sql`
    select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' order by 1`)
  contents['the jobs'] = await db.rows(sql`
    select task_identifier as task, queue_name as queue, run_at as at, key, priority, flags from graphile_worker.jobs
    where attempts < max_attempts order by id`)
  contents['the constraints'] = await db.rows(sql`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`)
  const pending = await db.rows<{ key: string }>(sql`select file_key as key from pending_files`)
  contents['the files'] = await filesIn(files, new Set(pending.map(({ key }) => key)))
  return contents
}

/** Without what belongs to nothing, and without small pictures, which are made anew. */
const filesIn = async (files: Files, pending: ReadonlySet<string>): Promise<string[]> => {
  const found: string[] = []
  for await (const { key } of files.list()) {
    const hash = createHash('sha256')
    for await (const piece of (await files.get(key)).stream) hash.update(piece as Buffer)
    if (!pending.has(key) && !/-(small|medium|large)$/.test(key)) found.push(`${key} ${hash.digest('hex')}`)
  }
  return found
}
