// Migrations: numbered .sql files, forward only, run under an advisory lock so that any number of nodes may start at
// once, and in one transaction with the record that they ran, so that a kill in the middle leaves nothing half done. Other nodes
// answer meanwhile: whatever a migration changes, it waits for it briefly, since everybody else waits behind it.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from './db.js'
import { databaseError } from './faults.js'
import { beginFloors, floorAfter, newestMigration, raiseFloor, ranTable, schemaState } from './floors.js'

/** Any constant will do, as long as every node uses the same. */
const lockKey = 7_243_001

export interface MigrationReport {
  readonly from: number
  readonly to: number
}

/** A database that a newer version of the program has migrated, and taken away what this one needs. */
export class DatabaseTooNew extends Error {}

/** Others have not let go of the tables for long enough. */
export class TablesInUse extends Error {}

export interface MigrateOptions {
  /** Called before anything runs that raises the floor: throws while somebody is there who would not fit. */
  beforeFloor?(floor: number): Promise<void>
  /** Longest wait for a table: for so long everybody else waits behind the migration. */
  lockMs?: number
  /** Longest time that it is tried again and again. */
  patienceMs?: number
  /** Told once, when it has to wait. */
  onWait?(): void
}

/** Longer than what most requests take, shorter than what a phone waits. */
const usualLockMs = 3000
/** Longer than the longest statement of a request. */
const usualPatienceMs = 600_000
const pauseMs = 500

/** Somebody reads or writes what is to be changed: a table that is locked, or two that wait for each other. */
const isInUse = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')

export const migrate = async (db: Database, folder: string, options: MigrateOptions = {}): Promise<MigrationReport> => {
  const { patienceMs = usualPatienceMs, onWait } = options
  const end = performance.now() + patienceMs
  for (let tries = 0; ; tries++) {
    try {
      return await migrateOnce(db, folder, options)
    } catch (error) {
      if (!isInUse(error)) throw error
      if (performance.now() > end) {
        throw new TablesInUse(
          `The database could not be migrated: others use its tables without a pause (${(error as Error).message}). Nothing was changed. End the longest of their statements (pg_stat_activity), or stop the other nodes, and start again.`,
        )
      }
      if (tries === 0) onWait?.()
      await sleep(pauseMs)
    }
  }
}

const migrateOnce = async (db: Database, folder: string, { beforeFloor, lockMs = usualLockMs }: MigrateOptions) => {
  const newest = await newestMigration(folder)
  const client = await db.pool.connect().catch((error) => {
    throw databaseError(error)
  })
  try {
    await client.query('begin')
    // A table of years is rewritten in minutes, and another node waits for as long.
    await client.query('set local statement_timeout = 0')
    await lockMigrations(client)
    const { version, floor } = await schemaState(client)
    if (floor > newest) {
      throw new DatabaseTooNew(
        `The database needs a program that knows version ${floor}, this one knows versions up to ${newest}. Start the newer program.`,
      )
    }
    if (version < newest) {
      const raised = await floorAfter(folder)
      if (raised > floor && version > 0) await beforeFloor?.(raised)
      // From here on: whoever waits for the lock of migrations waits for as long as they take.
      await client.query(`set local lock_timeout = ${lockMs}`)
      await migrateTo(client, folder)
    }
    await client.query('commit')
    client.release()
    return { from: version, to: Math.max(version, newest) }
  } catch (error) {
    // Ending the connection rolls back and frees the lock, whatever state it is in.
    client.release(true)
    throw error
  }
}

/** Until the transaction ends, nobody else migrates. */
export const lockMigrations = async (client: Pick<pg.ClientBase, 'query'>): Promise<void> => {
  await client.query(`select pg_advisory_xact_lock(${lockKey})`)
}

/** Up to a version, or to the newest, in the transaction of whoever asks. The library is loaded only when there is something to
 * run: a start with nothing to do stays fast. */
export const migrateTo = async (client: Pick<pg.ClientBase, 'query'>, folder: string, version?: number) => {
  const { default: Postgrator } = await import('postgrator')
  const postgrator = new Postgrator({
    migrationPattern: join(folder, '*'),
    driver: 'pg',
    schemaTable: ranTable,
    execQuery: (query) => client.query(query),
  })
  await beginFloors(client)
  await postgrator.migrate(version === undefined ? undefined : String(version))
  await raiseFloor(client, folder)
}
