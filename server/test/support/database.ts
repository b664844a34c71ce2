import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type ConnectOptions, connect, type Database } from '../../src/platform/db/index.js'
import { templateDatabase } from './cluster.js'

export interface TestDatabase {
  readonly db: Database
  readonly connection: { host: string; user: string; database: string }
  drop(): Promise<void>
}

const asAdmin = async (statement: string): Promise<void> => {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A database of its own, copied from the migrated one; `from: 'template0'` for an empty one. */
export const testDatabase = async ({
  from = templateDatabase,
  poolSize = 10,
  ...options
}: Partial<Omit<ConnectOptions, 'connection'>> & { from?: string } = {}): Promise<TestDatabase> => {
  const database = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${database} template ${from}`)
  const connection = { ...inject('postgres'), database }
  const db = connect({ ...options, connection, poolSize })
  const drop = async () => {
    await db.close()
    await asAdmin(`drop database ${database} with (force)`)
  }
  return { db, connection, drop }
}
