import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type ConnectOptions, connect, type Database } from '../../src/platform/db/index.js'
import { guarded } from './citus/guard.js'
import { templateDatabase } from './cluster.js'

export interface TestDatabase {
  readonly db: Database
  readonly connection: { host: string; user: string; database: string }
  drop(): Promise<void>
}

let admin: pg.Pool | undefined

/** Over one connection for all files of a process, which does not keep it alive. */
const asAdmin = async (statement: string): Promise<void> => {
  admin ??= new pg.Pool({ ...inject('postgres'), database: 'postgres', max: 1, allowExitOnIdle: true })
  await admin.query(statement)
}

/** A database of its own, copied from the migrated one; `from: 'template0'` for an empty one, which may have an order of texts of a
 * language. */
export const testDatabase = async ({
  from = templateDatabase,
  poolSize = 10,
  locale,
  ...options
}: Partial<Omit<ConnectOptions, 'connection'>> & { from?: string; locale?: string } = {}): Promise<TestDatabase> => {
  const database = `test_${randomBytes(6).toString('hex')}`
  // Copying its files takes half the time of writing every page of them to the log.
  const order = locale === undefined ? '' : ` locale_provider icu icu_locale '${locale}'`
  await asAdmin(`create database ${database} template ${from} strategy file_copy${order}`)
  const connection = { ...inject('postgres'), database }
  const db = guarded(connect({ ...options, connection, poolSize }))
  const drop = async () => {
    await db.close()
    await asAdmin(`drop database ${database} with (force)`)
  }
  return { db, connection, drop }
}
