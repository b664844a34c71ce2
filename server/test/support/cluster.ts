// One PostgreSQL per test run, and one migrated database in it from which every test file copies its own.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { migrateAll } from '../../src/database.js'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/index.js'
import { connect } from '../../src/platform/db/index.js'
import { openLog } from '../../src/platform/telemetry/index.js'
import { type Catalog, readCatalog } from './citus/catalog.js'

const run = promisify(execFile)

export const templateDatabase = 'sheaf'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { host: string; user: string }
    /** Data of a PostgreSQL with one migrated database, to be copied. */
    preparedData: string
    /** Of the migrated database. */
    catalog: Catalog
  }
}

/** Tests end with their data: nothing here has to survive a crash, or to be cleaned up in the background. */
const settingsFor = (workers: number) => ({
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Ten for each application, of which a file has one to three.
  max_connections: String(Math.max(100, 30 * workers)),
})

const prepare = async (folder: string, settings: Record<string, string>) => {
  const postgres = await startEmbeddedPostgres({ folder, settings })
  const db = connect({ connection: { ...postgres.connection, database: templateDatabase }, poolSize: 2 })
  await migrateAll(db, openLog('warn'))
  const catalog = await readCatalog(db)
  await db.close()
  await postgres.stop()
  const copy = join(folder, 'prepared')
  await run('cp', ['-a', postgres.dataFolder, copy])
  return { preparedData: copy, catalog }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const home = await mkdtemp(join(tmpdir(), 'sheaf-test-'))
  const folder = join(home, 'postgres')
  const settings = settingsFor(Number(project.vitest.config.maxWorkers))
  const { preparedData, catalog } = await prepare(folder, settings)
  const postgres = await startEmbeddedPostgres({ folder, settings })
  const { host, user } = postgres.connection
  project.provide('postgres', { host, user })
  project.provide('preparedData', preparedData)
  project.provide('catalog', catalog)
  return async () => {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}
