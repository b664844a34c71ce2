// Migrations: numbered .sql files, forward only, run under an advisory lock so that any number of nodes may start at
// once, and in one transaction with the record that they ran, so that a kill in the middle leaves nothing half done.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Database } from './db.js'
import { databaseError } from './faults.js'

const versionTable = 'schema_versions'
/** Any constant will do, as long as every node uses the same. */
const lockKey = 7_243_001

export interface MigrationReport {
  readonly from: number
  readonly to: number
}

/** A database that a newer version of the program has migrated. */
export class DatabaseTooNew extends Error {}

/** The highest number among the files, e.g. 3 for `0003.do.teams.sql`. */
export const newestMigration = async (folder: string): Promise<number> =>
  Math.max(0, ...(await readdir(folder)).map((name) => Number(/^(\d+)\.do\..*\.sql$/.exec(name)?.[1] ?? 0)))

/** The version the database is at; 0 for an empty one. */
export const currentVersion = async (client: Pick<pg.ClientBase, 'query'>): Promise<number> => {
  const { rows } = await client.query(`select to_regclass('${versionTable}') is not null as known`)
  if (rows[0]?.known !== true) return 0
  const versions = await client.query(`select coalesce(max(version), 0) as version from ${versionTable}`)
  return Number(versions.rows[0]?.version)
}

export const migrate = async (db: Database, folder: string): Promise<MigrationReport> => {
  const newest = await newestMigration(folder)
  const client = await db.pool.connect().catch((error) => {
    throw databaseError(error)
  })
  try {
    await client.query('begin')
    // A table of years is rewritten in minutes, and another node waits for as long.
    await client.query('set local statement_timeout = 0')
    await lockMigrations(client)
    const version = await currentVersion(client)
    if (version > newest) {
      throw new DatabaseTooNew(
        `The database is at version ${version}, this program knows versions up to ${newest}. Start the newer program.`,
      )
    }
    if (version < newest) await migrateTo(client, folder)
    await client.query('commit')
    client.release()
    return { from: version, to: newest }
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
    schemaTable: versionTable,
    execQuery: (query) => client.query(query),
  })
  await postgrator.migrate(version === undefined ? undefined : String(version))
}
