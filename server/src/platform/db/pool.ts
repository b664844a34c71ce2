// One pool of connections: statements, transactions, and connections for streams.
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFromStdin } from 'pg-copy-streams'
import { Stoppable } from './cancel.js'
import type { Database, Db } from './db.js'
import { Ending, type Signal } from './ending.js'
import { DatabaseTooSlow, databaseError, ReaderGone } from './faults.js'
import { inlineValues } from './inline-values.js'
import type { Places, Reader } from './places.js'
import { noPosition } from './position.js'
import type { Sql } from './sql.js'
import { statements } from './statements.js'

type Settle = (error: Error | undefined, result: pg.QueryResult) => void
/** What the driver's types know less of than it takes: a statement of its own, and whom to tell. */
interface Executor {
  query(statement: pg.Query, values: undefined, settle: Settle): void
}

/** The socket, which the driver's types leave out. */
interface Wired {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } }
}

/** Told to whoever asked: the same question would take as long again. */
const gaveWay = () => new DatabaseTooSlow(new Error('a statement took long while others waited for its connection'))

const int8 = 20
const numeric = 1700

/** Ids and counts stay far below 2^53, so they are numbers in the program. */
const numberTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    format !== 'binary' && (oid === int8 || oid === numeric) ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/** Statements of a pool, or of a transaction. Which of several databases they are for is not theirs to say. */
export type Statements = Omit<Db, 'current' | 'position'>

type TakeClient = () => Promise<pg.PoolClient>

export interface OnePool extends Statements {
  readonly pool: pg.Pool
  readonly takeClient: TakeClient
  /** The same, with connections that were looked at before. */
  readonly through: (takeClient: TakeClient) => OnePool
  /** As `transaction`, of a kind of its own: `begin read only`. What it is doing is ended when the signal says so. */
  readonly transactionOf: <T>(begin: string, work: (tx: Db) => Promise<T>, signal?: Signal) => Promise<T>
  readonly session: Database['session']
  readonly flight: Database['flight']
  /** For somebody who waits: in line with others, and ended when they have hung up. */
  readonly readBy: (places: Places, reader: Reader) => Statements
}

export interface PoolOptions extends pg.PoolConfig {
  onIdleError?: ((error: Error) => void) | undefined
  /** How a transaction says how far the database is. */
  position?: Sql
  /** Of a copy, where nothing is written. */
  isCopy?: boolean
}

export const openPool = ({ onIdleError, position = noPosition, isCopy = false, ...settings }: PoolOptions): OnePool => {
  const pool = new pg.Pool({
    ...settings,
    types: numberTypes,
    // An idle backend holds 5 to 8 MB; a quiet server gives them back.
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: settings.connectionTimeoutMillis ?? 10_000,
    keepAlive: true,
  })
  // Without listeners, a connection that the database closes would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) onIdleError?.(error)
  })
  pool.on('connect', (client) => client.on('error', () => undefined))
  const statementOf = statements()

  const answerOf = <T extends object>(executor: pg.Pool | pg.PoolClient, statement: pg.Query) =>
    new Promise<pg.QueryResult<T>>((resolve, reject) => {
      const settle: Settle = (error, result) => (error ? reject(error) : resolve(result))
      ;(executor as unknown as Executor).query(statement, undefined, settle)
    })

  type AnswerTo = <T extends object>(statement: pg.Query) => Promise<pg.QueryResult<T>>

  const queries = (answerTo: AnswerTo): Pick<Db, 'rows' | 'maybe' | 'one' | 'run'> => {
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
      maybe: async <T extends object>(statement: Sql): Promise<T | undefined> => (await query<T>(statement)).rows[0],
      one: async <T extends object>(statement: Sql) => {
        const [row] = (await query<T>(statement)).rows
        if (row === undefined) throw new Error('A statement that always gives a row gave none')
        return row
      },
      run: async (statement: Sql) => (await query(statement)).rowCount ?? 0,
    }
  }

  const withinTransaction = (client: pg.PoolClient, stoppable: Stoppable | undefined): Db => {
    const answerTo: AnswerTo = (statement) => answerOf(client, statement)
    const tx: Db = {
      get current() {
        // Locks and sequences of a copy look like an answer, and are none.
        if (isCopy) throw new TypeError('A copy was asked for what only the database itself knows')
        return tx
      },
      position,
      ...queries(stoppable === undefined ? answerTo : (statement) => stoppable.run(() => answerTo(statement))),
      transaction: (work) => work(tx),
      copyFrom: async (statement, source) => {
        const copy = client.query(copyFromStdin(inlineValues(statement)))
        await pipeline(source, copy)
        return copy.rowCount
      },
    }
    return tx
  }

  /** `begin`, `commit` and definitions fail like any statement. */
  const control = (client: pg.PoolClient, statement: string) =>
    client.query(statement).catch((error) => {
      throw databaseError(error)
    })

  const over = (takeClient: TakeClient, answerTo: AnswerTo): OnePool => {
    const transactionOf: OnePool['transactionOf'] = async (begin, work, signal) => {
      const client = await takeClient()
      const stoppable = signal === undefined ? undefined : new Stoppable(client, signal)
      let broken = false
      try {
        await control(client, begin)
        const result = await work(withinTransaction(client, stoppable))
        await control(client, 'commit')
        return result
      } catch (error) {
        // A connection that cannot even roll back must not return to the pool.
        await client.query('rollback').catch(() => {
          broken = true
        })
        throw error
      } finally {
        if (stoppable === undefined) client.release(broken)
        else stoppable.release(broken)
      }
    }

    const session: OnePool['session'] = async (work, signal) => {
      const client = await takeClient()
      const stoppable = new Stoppable(client, signal)
      const answerTo: AnswerTo = (statement) => stoppable.run(() => answerOf(client, statement))
      const define = async (statement: Sql) => {
        await stoppable.run(() => control(client, inlineValues(statement)))
      }
      try {
        return await work({ ...queries(answerTo), define })
      } finally {
        stoppable.release(true)
      }
    }

    const flight: OnePool['flight'] = async <T extends object>(asked: readonly Sql[]): Promise<T[][]> => {
      const client = await takeClient()
      const { stream } = (client as unknown as Wired).connection
      const sent = [...asked.map(statementOf), new pg.Query('commit')]
      // Written to the socket at once, when all is there.
      stream.cork()
      const answers = [new pg.Query('begin'), ...sent].map((statement) => answerOf<T>(client, statement))
      stream.uncork()
      const settled = await Promise.allSettled(answers)
      const failed = settled.find((one) => one.status === 'rejected')
      // Behind a statement that failed, `commit` has rolled back. Whatever else failed, the connection is not what it was.
      client.release(failed !== undefined && !(failed.reason instanceof pg.DatabaseError))
      if (failed !== undefined) throw databaseError(failed.reason)
      return settled.slice(1, -1).map((one) => (one as PromiseFulfilledResult<pg.QueryResult<T>>).value.rows)
    }

    const readBy: OnePool['readBy'] = (places, { by, gone }) => {
      const inPlace = async <T>(work: (signal: Signal) => Promise<T>): Promise<T> => {
        const ending = new Ending()
        const end = () => ending.abort(new ReaderGone())
        const place = await places.enter({ by, gone }, () => ending.abort(gaveWay()))
        place.handedOver()
        gone?.addEventListener('abort', end)
        if (gone?.aborted === true) end()
        try {
          return await work(ending)
        } finally {
          gone?.removeEventListener('abort', end)
          place.leave()
        }
      }
      const answerTo: AnswerTo = (statement) =>
        inPlace(async (signal) => {
          const client = await takeClient()
          const stoppable = new Stoppable(client, signal)
          let isBroken = true
          try {
            const answer = await stoppable.run(() => answerOf<never>(client, statement))
            isBroken = false
            return answer
          } finally {
            // As the pool itself does: a connection may not know yet that it is closed.
            stoppable.release(isBroken)
          }
        })
      const transaction: Db['transaction'] = (work) => inPlace((signal) => transactionOf('begin', work, signal))
      const copyFrom: Db['copyFrom'] = (statement, source) => transaction((tx) => tx.copyFrom(statement, source))
      return { ...queries(answerTo), transaction, copyFrom }
    }

    const transaction = <T>(work: (tx: Db) => Promise<T>) => transactionOf('begin', work)
    return {
      ...queries(answerTo),
      transaction,
      transactionOf,
      session,
      flight,
      readBy,
      copyFrom: (statement, source) => transaction((tx) => tx.copyFrom(statement, source)),
      takeClient,
      through,
      pool,
    }
  }

  const through: OnePool['through'] = (takeClient) =>
    over(takeClient, async (statement) => {
      const client = await takeClient()
      let isBroken = true
      try {
        const answer = await answerOf<never>(client, statement)
        isBroken = false
        return answer
      } finally {
        client.release(isBroken)
      }
    })

  const takeClient = () =>
    pool.connect().catch((error) => {
      throw databaseError(error)
    })
  return over(takeClient, (statement) => answerOf(pool, statement))
}
