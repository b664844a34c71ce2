// One pool, one small interface. Query functions take a `Db` first; a transaction is a `Db` too and is passed down, so
// the same query runs inside and outside of one.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFromStdin, to as copyToStdout } from 'pg-copy-streams'
import { databaseError } from './faults.js'
import { inlineValues } from './inline-values.js'
import type { Sql } from './sql.js'
import { statements } from './statements.js'

export interface Db {
  rows<T extends object>(query: Sql): Promise<T[]>
  /** The first row, if there is one. */
  maybe<T extends object>(query: Sql): Promise<T | undefined>
  /** The one row that the statement always gives. */
  one<T extends object>(query: Sql): Promise<T>
  /** The number of rows touched. */
  run(query: Sql): Promise<number>
  /** Commits when `work` resolves, rolls back when it throws. Inside a transaction it joins that one. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Streams `source` into a `copy … from stdin` statement; answers the number of rows. */
  copyFrom(statement: Sql, source: Readable): Promise<number>
}

export interface Database extends Db {
  /** The same database through connections of their own: whoever uses up all others cannot take these. */
  readonly reserved: Database
  /** The bytes of a `copy (…) to stdout`. The connection goes back when the stream ends or is destroyed. */
  copyTo(statement: Sql): Promise<Readable>
  readonly pool: pg.Pool
  /** New connections go to another place: a database of our own that was started again has a new socket. */
  reconnectTo(connection: pg.PoolConfig): void
  close(): Promise<void>
}

export interface ConnectOptions {
  connection: pg.PoolConfig
  poolSize: number
  /** Connections beside these, see `reserved`. */
  reservedSize?: number
  onIdleError?: (error: Error) => void
}

type Settle = (error: Error | undefined, result: pg.QueryResult) => void
/** What the driver's types know less of than it takes: a statement of its own, and whom to tell. */
interface Executor {
  query(statement: pg.Query, values: undefined, settle: Settle): void
}

const int8 = 20
const numeric = 1700

/** Ids and counts stay far below 2^53, so they are numbers in the program. */
const numberTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    format !== 'binary' && (oid === int8 || oid === numeric) ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/** Whoever waits longer than this on a reserved connection hears that the database is away; it may be only silent. */
const reservedTimeoutMs = 20_000

export const connect = (options: ConnectOptions): Database => {
  const { connection, poolSize, reservedSize = 2 } = options
  const main = openPool(options, { ...connection, max: poolSize })
  const second = openPool(options, { ...connection, max: reservedSize, query_timeout: reservedTimeoutMs })
  const both = {
    reconnectTo: (elsewhere: pg.PoolConfig) => {
      for (const { pool } of [main, second]) Object.assign(pool.options, elsewhere)
    },
    close: async () => {
      await Promise.all([main.pool.end(), second.pool.end()])
    },
  }
  const reserved: Database = {
    ...second,
    ...both,
    get reserved() {
      return reserved
    },
  }
  return { ...main, ...both, reserved }
}

type OnePool = Omit<Database, 'reserved' | 'reconnectTo' | 'close'>

const openPool = ({ onIdleError }: ConnectOptions, settings: pg.PoolConfig): OnePool => {
  const pool = new pg.Pool({
    ...settings,
    types: numberTypes,
    // An idle backend holds 5 to 8 MB; a quiet server gives them back.
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // Without listeners, a connection that the database closes would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) onIdleError?.(error)
  })
  pool.on('connect', (client) => client.on('error', () => undefined))
  const statementOf = statements()

  const queries = (executor: pg.Pool | pg.PoolClient) => {
    const answerTo = <T extends object>(statement: pg.Query) =>
      new Promise<pg.QueryResult<T>>((resolve, reject) => {
        const settle: Settle = (error, result) => (error ? reject(error) : resolve(result))
        ;(executor as unknown as Executor).query(statement, undefined, settle)
      })
    const query = async <T extends object>(asked: Sql) => {
      try {
        return await answerTo<T>(statementOf(asked))
      } catch (error) {
        // The driver's own leads to the socket; this one to whoever asked.
        if (error instanceof Error) Error.captureStackTrace(error)
        throw databaseError(error)
      }
    }
    return {
      rows: async <T extends object>(statement: Sql) => (await query<T>(statement)).rows,
      maybe: async <T extends object>(statement: Sql) => (await query<T>(statement)).rows[0],
      one: async <T extends object>(statement: Sql) => {
        const [row] = (await query<T>(statement)).rows
        if (row === undefined) throw new Error('A statement that always gives a row gave none')
        return row
      },
      run: async (statement: Sql) => (await query(statement)).rowCount ?? 0,
    }
  }

  const withinTransaction = (client: pg.PoolClient): Db => {
    const tx: Db = {
      ...queries(client),
      transaction: (work) => work(tx),
      copyFrom: async (statement, source) => {
        const copy = client.query(copyFromStdin(inlineValues(statement)))
        await pipeline(source, copy)
        return copy.rowCount
      },
    }
    return tx
  }

  const takeClient = () =>
    pool.connect().catch((error) => {
      throw databaseError(error)
    })

  /** `begin` and `commit` fail like any statement. */
  const control = (client: pg.PoolClient, statement: string) =>
    client.query(statement).catch((error) => {
      throw databaseError(error)
    })

  const transaction = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    const client = await takeClient()
    let broken = false
    try {
      await control(client, 'begin')
      const result = await work(withinTransaction(client))
      await control(client, 'commit')
      return result
    } catch (error) {
      // A connection that cannot even roll back must not return to the pool.
      await client.query('rollback').catch(() => {
        broken = true
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    ...queries(pool),
    transaction,
    copyFrom: (statement, source) => transaction((tx) => tx.copyFrom(statement, source)),
    copyTo: async (statement) => {
      const client = await takeClient()
      const stream = client.query(copyToStdout(inlineValues(statement)))
      // A reader that leaves early leaves the protocol in the middle of the copy: that connection is thrown away, and
      // the stream hears of its end when nobody listens any more.
      stream.once('close', () => client.release(!stream.readableEnded))
      stream.on('error', () => undefined)
      return stream
    },
    pool,
  }
}
