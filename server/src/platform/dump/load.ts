// Filling an empty database, in one transaction: whoever is killed leaves it empty.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFromStdin } from 'pg-copy-streams'
import { type Database, databaseError, lockMigrations, migrateTo, newestMigration, type Sql } from '../db/index.js'
import { hasTables, ident, listForeignKeys, listTables, type SequenceState, type TableShape } from './catalog.js'
import { Snapshot } from './snapshot.js'

/** The database to be filled holds something. */
export class DatabaseNotEmpty extends Error {}

/** What is to be loaded is not what the program of its version would have made. */
class ShapeDiffers extends Error {}

export interface TableToLoad extends Pick<TableShape, 'name' | 'columns'> {
  readonly rows: number
}

export class Loading {
  readonly #client: pg.PoolClient
  readonly #folder: string

  constructor(client: pg.PoolClient, folder: string) {
    this.#client = client
    this.#folder = folder
  }

  /** Everything that there are migrations for. */
  migrate(): Promise<void> {
    return migrateTo(this.#client, this.#folder)
  }

  /** The tables of a version, as migrations make them. A program that a newer one has migrated the database of may name the
   * version that it knows itself: then it is the next one that has these tables. */
  async migrateFor(version: number, tables: readonly TableToLoad[], without: readonly string[]): Promise<void> {
    const newest = await newestMigration(this.#folder)
    for (let next = version; next <= newest; next++) {
      await migrateTo(this.#client, this.#folder, next)
      if ((await this.#differing(tables, without)).length === 0) return
    }
  }

  /** What is there by now, to be compared with what was to be loaded. */
  snapshot(): Promise<Snapshot> {
    return Snapshot.within(this.#client)
  }

  /** Every table is filled while none refers to another; what refers to nothing is refused when all are. */
  async fill(
    tables: readonly TableToLoad[],
    without: readonly string[],
    rowsOf: (table: TableToLoad) => AsyncIterable<Buffer>,
  ): Promise<void> {
    await this.#compareShapes(tables, without)
    const keys = await listForeignKeys(this.#client)
    for (const { table, name } of keys) {
      await this.#client.query(`alter table public.${ident(table)} drop constraint ${ident(name)}`)
    }
    for (const table of tables) {
      const columns = table.columns.map(ident).join(', ')
      const count = await this.#copy(`public.${ident(table.name)} (${columns})`, rowsOf(table))
      if (count !== table.rows)
        throw new ShapeDiffers(`${table.name} has ${count} rows where ${table.rows} were written`)
    }
    for (const { table, name, definition } of keys) {
      await this.#client.query(`alter table public.${ident(table)} add constraint ${ident(name)} ${definition}`)
    }
  }

  /** `target` is a table with its columns; answers how many rows there were. */
  copy(target: Sql, rows: AsyncIterable<Buffer>): Promise<number> {
    return this.#copy(target.text, rows)
  }

  async #copy(target: string, rows: AsyncIterable<Buffer>): Promise<number> {
    const copy = this.#client.query(copyFromStdin(`copy ${target} from stdin`))
    await pipeline(Readable.from(rows, { objectMode: false }), copy)
    return copy.rowCount
  }

  async setSequences(sequences: readonly SequenceState[]): Promise<void> {
    for (const { name, value, isCalled } of sequences) {
      await this.#client.query('select setval($1::text::regclass, $2::bigint, $3)', [
        `public.${ident(name)}`,
        value,
        isCalled,
      ])
    }
  }

  async run({ text }: Sql): Promise<void> {
    await this.#client.query(text)
  }

  async #compareShapes(tables: readonly TableToLoad[], without: readonly string[]): Promise<void> {
    const differing = await this.#differing(tables, without)
    if (differing.length > 0) throw new ShapeDiffers(`Tables differ: ${differing.join('; ')}`)
  }

  async #differing(tables: readonly TableToLoad[], without: readonly string[]): Promise<string[]> {
    const shapeOf = ({ name, columns }: Pick<TableShape, 'name' | 'columns'>) => `${name} (${columns.join(', ')})`
    const there = new Set((await listTables(this.#client, without)).map(shapeOf))
    const given = new Set(tables.map(shapeOf))
    return [...there].filter((one) => !given.has(one)).concat([...given].filter((one) => !there.has(one)))
  }
}

/** Nodes that start meanwhile wait, as they do for migrations. */
export const loadDatabase = async (
  db: Database,
  migrationsFolder: string,
  work: (loading: Loading) => Promise<void>,
): Promise<void> => {
  const client = await db.background.pool.connect().catch((error) => {
    throw databaseError(error)
  })
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await lockMigrations(client)
    if (await hasTables(client)) throw new DatabaseNotEmpty()
    await work(new Loading(client, migrationsFolder))
    await client.query('commit')
    await client.query('analyze')
    client.release()
  } catch (error) {
    // Ending the connection rolls back, whatever state it is in.
    client.release(true)
    throw error
  }
}

/** Whether `loadDatabase` would find it empty. */
export const isEmptyDatabase = async (db: Database): Promise<boolean> => !(await hasTables(db.pool))
