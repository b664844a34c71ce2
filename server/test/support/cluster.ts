// One PostgreSQL per test run, and one migrated database in it from which every test file copies its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateAll } from '../../src/database.js'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/index.js'
import { connect } from '../../src/platform/db/index.js'
import { openLog } from '../../src/platform/telemetry/index.js'

export const templateDatabase = 'sheaf'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { host: string; user: string }
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-test-'))
  const postgres = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    // Tests end with their data: nothing here has to survive a crash.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '100' },
  })
  const db = connect({ connection: { ...postgres.connection, database: templateDatabase }, poolSize: 2 })
  await migrateAll(db, openLog('warn'))
  await db.close()
  const { host, user } = postgres.connection
  project.provide('postgres', { host, user })
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
