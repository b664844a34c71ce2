// The connections of one process: for requests, for receiving, for jobs, and for streams. Each kind has its own, so that
// whoever uses up one kind takes nothing from the others, and its own time for a statement.
import type pg from 'pg'
import { budgets } from '../../budgets.js'
import type { Database } from './db.js'
import { Places, type Reader, readerBounds, streamBounds, unbounded } from './places.js'
import { type OnePool, openPool } from './pool.js'
import { streamsOf } from './streams.js'

export interface ConnectOptions {
  connection: pg.PoolConfig
  poolSize: number
  /** Connections beside these, see `reserved`. */
  reservedSize?: number
  /** Instead of the budgets. */
  statementSeconds?: number
  streamSeconds?: number
  onIdleError?: (error: Error) => void
}

/** Connections for jobs: those in hand, and the runner's own. */
export const backgroundSize = 6

/** Beside the connections of a pool of this size. */
export const streamsBeside = (poolSize: number): number =>
  Math.max(2, Math.floor(poolSize * budgets.streams.shareOfPool))

/** The database ends a statement that takes longer; whoever asked hears of it. */
const within = (seconds: number): pg.PoolConfig => ({ statement_timeout: seconds * 1000 })

const notIdle: pg.PoolConfig = {
  idle_in_transaction_session_timeout: budgets.database.idleInTransactionSeconds * 1000,
}

/** The database may be silent and not only slow: then it is the driver that gives up. */
const notSilent: pg.PoolConfig = { query_timeout: budgets.database.receivingSeconds * 1000 }

/** What is sent does not wait for the answer to what was sent before, see `flight`. */
const inFlights: pg.PoolConfig = { pipeline: true }

export const connect = (options: ConnectOptions): Database => {
  const { connection, poolSize, reservedSize = 2, onIdleError } = options
  const { statementSeconds = budgets.database.statementSeconds, streamSeconds = budgets.database.streamSeconds } =
    options
  const { receivingSeconds, backgroundSeconds } = budgets.database
  const open = (max: number, ...settings: pg.PoolConfig[]) =>
    openPool(Object.assign({ ...connection, max, onIdleError }, ...settings))
  const main = open(poolSize, within(statementSeconds), notIdle)
  const receiving = open(reservedSize, within(receivingSeconds), notIdle, notSilent, inFlights)
  const jobs = open(backgroundSize, within(backgroundSeconds))
  // A snapshot is idle while its reader is: its place is what bounds it.
  const streamed = open(streamsBeside(poolSize), within(streamSeconds))
  const places = new Places(streamBounds(streamsBeside(poolSize)))
  const pools = [main, receiving, jobs, streamed].map(({ pool }) => pool)
  const all = {
    pools,
    streamsNow: () => places.taken,
    reconnectTo: (elsewhere: pg.PoolConfig) => {
      for (const { options } of pools) Object.assign(options, elsewhere)
    },
    close: async () => {
      places.close()
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
  /** One kind of connections, and what those who read through them have of it. */
  interface Kind {
    readonly queries: OnePool
    readonly readers: Places
    readonly streamed: OnePool
    readonly places: Places
  }
  const databaseOf = (kind: Kind, reader?: Reader): Database => ({
    ...kind.queries,
    ...(reader !== undefined && kind.queries.readBy(kind.readers, reader)),
    ...streamsOf(kind.streamed, kind.places, reader ?? nobody),
    ...all,
    get reserved() {
      return reserved
    },
    get background() {
      return background
    },
    readBy: (other) => databaseOf(kind, other),
  })
  const readers = new Places(readerBounds(poolSize))
  const ofJobs = { readers: new Places(unbounded), places: new Places(streamBounds(backgroundSize)) }
  const reserved = databaseOf({ queries: receiving, readers, streamed, places })
  const background = databaseOf({ queries: jobs, streamed: jobs, ...ofJobs })
  return databaseOf({ queries: main, readers, streamed, places })
}

/** The server itself. */
const nobody: Reader = { by: undefined }
