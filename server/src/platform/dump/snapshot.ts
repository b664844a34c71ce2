// One snapshot of a database, table by table, for as long as it takes.
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyToStdout } from 'pg-copy-streams'
import { currentVersion, type Database, databaseError, type Sql } from '../db/index.js'
import { ident, listSequences, listTables, type SequenceState, type TableShape } from './catalog.js'

/** The same text for the same value, whatever the database's own settings are. */
const plainly = [
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
  "set local timezone = 'UTC'",
  "set local datestyle = 'ISO, YMD'",
  "set local intervalstyle = 'postgres'",
  "set local bytea_output = 'hex'",
  'set local extra_float_digits = 1',
  // Tables are read along their keys. A sort of the largest would need its size again on the database's disk.
  'set local enable_sort = off',
]

const rowsPerFetch = 500

export class Snapshot {
  readonly #client: pg.PoolClient

  private constructor(client: pg.PoolClient) {
    this.#client = client
  }

  /** Of the transaction that the connection is in. */
  static async within(client: pg.PoolClient): Promise<Snapshot> {
    for (const setting of plainly) await client.query(setting)
    return new Snapshot(client)
  }

  version(): Promise<number> {
    return currentVersion(this.#client)
  }

  tables(without: readonly string[]): Promise<TableShape[]> {
    return listTables(this.#client, without)
  }

  sequences(): Promise<SequenceState[]> {
    return listSequences(this.#client)
  }

  /** In the order of its key. */
  rowsOf({ name, columns, order: by }: TableShape): AsyncIterable<Buffer> {
    const order = by.length === 0 ? '' : ` order by ${by.join(', ')}`
    return this.#copy(`select ${columns.map(ident).join(', ')} from public.${ident(name)}${order}`)
  }

  /** The rows of a statement without values, in COPY's text format. */
  rowsOfQuery({ text }: Sql): AsyncIterable<Buffer> {
    return this.#copy(text)
  }

  #copy(query: string): Readable {
    const copy = this.#client.query(copyToStdout(`copy (${query}) to stdout`))
    // The driver tells the stream of a failure without ending it.
    copy.on('error', (error: Error) => copy.destroy(error))
    return copy
  }

  /** Rows of a statement, some at a time. */
  async *pages<T extends object>({ text, values }: Sql): AsyncGenerator<T[]> {
    await this.#client.query(`declare listed no scroll cursor for ${text}`, values as unknown[])
    for (;;) {
      const { rows } = await this.#client.query<T>(`fetch ${rowsPerFetch} from listed`)
      if (rows.length > 0) yield rows
      if (rows.length < rowsPerFetch) break
    }
    await this.#client.query('close listed')
  }
}

/** Somebody holds the lock. */
export class AlreadyHeld extends Error {}

export interface Held {
  takeSnapshot<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T>
  /** Throws when the connection, and with it the lock, was lost. */
  confirm(): Promise<void>
}

/**
 * Holds an advisory lock while `work` runs. A statement of others that does not see it held (`pg_locks`) reads what every snapshot
 * taken under it will show too: the lock comes first. It goes with the process, however that ends.
 */
export const whileHolding = async <T>(db: Database, key: number, work: (held: Held) => Promise<T>): Promise<T> => {
  const client = await db.background.pool.connect().catch((error) => {
    throw databaseError(error)
  })
  const takeSnapshot: Held['takeSnapshot'] = async (read) => {
    await client.query('begin isolation level repeatable read, read only')
    const result = await read(await Snapshot.within(client))
    await client.query('commit')
    return result
  }
  const confirm = async () => {
    await client.query('select').catch((error) => {
      throw databaseError(error)
    })
  }
  try {
    // It says nothing while files are copied, for hours perhaps.
    await client.query('set idle_session_timeout = 0')
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [key])
    if (rows[0]?.taken !== true) throw new AlreadyHeld()
    const result = await work({ takeSnapshot, confirm })
    await client.query('select pg_advisory_unlock($1)', [key])
    client.release()
    return result
  } catch (error) {
    // Ending the connection gives up the lock and the snapshot, whatever state they are in.
    client.release(true)
    throw error
  }
}
