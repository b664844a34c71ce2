// The connections of one process: for requests, for receiving, for jobs, and for streams. Each kind has its own, so that
// whoever uses up one kind takes nothing from the others, and its own time for a statement. Copies that are read have the same.
import type pg from 'pg'
import { budgets } from '../../budgets.js'
import type { Database, ReplicaReport } from './db.js'
import { type Kind, notIdle, openKinds, within } from './kinds.js'
import type { Reader } from './places.js'
import { openPool } from './pool.js'
import { noPosition, positionNow } from './position.js'
import { StreamingReplicas } from './replicas.js'
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
  /** Copies of it that may be read. */
  replicas?: readonly pg.PoolConfig[]
  /** How long a copy is waited for, instead of the budget. */
  patienceMs?: number
  /** A copy is read from now on, or is not, with the reason. */
  onReplica?: (report: ReplicaReport, reason: string) => void
}

/** The database may be silent and not only slow: then it is the driver that gives up. */
const notSilent: pg.PoolConfig = { query_timeout: budgets.database.receivingSeconds * 1000 }

/** What is sent does not wait for the answer to what was sent before, see `flight`. */
const inFlights: pg.PoolConfig = { pipeline: true }

export const connect = (options: ConnectOptions): Database => {
  const {
    poolSize,
    reservedSize = 2,
    onIdleError,
    replicas: copies = [],
    patienceMs,
    onReplica = () => undefined,
  } = options
  const { statementSeconds = budgets.database.statementSeconds, streamSeconds = budgets.database.streamSeconds } =
    options
  const position = copies.length === 0 ? noPosition : positionNow
  const connection = { ...options.connection, onIdleError, position }
  const kindOptions = { poolSize, statementSeconds, streamSeconds }
  const { requests, jobs, pools: others } = openKinds({ ...kindOptions, connection })
  const receiving = openPool({
    ...connection,
    max: reservedSize,
    ...within(budgets.database.receivingSeconds),
    ...notIdle,
    ...notSilent,
    ...inFlights,
  })
  const pools = [...others, receiving.pool]
  const replicas =
    copies.length === 0
      ? undefined
      : new StreamingReplicas({
          copies: copies.map((copy) => ({ ...kindOptions, connection: { ...copy, onIdleError } })),
          primary: jobs.queries,
          patienceMs: patienceMs ?? budgets.replicas.patienceMs,
          onChange: onReplica,
        })
  const all = {
    pools: [...pools, ...(replicas?.pools ?? [])],
    replicas,
    position,
    streamsNow: () => requests.places.taken,
    reconnectTo: (elsewhere: pg.PoolConfig) => {
      for (const { options } of pools) Object.assign(options, elsewhere)
    },
    close: async () => {
      await replicas?.close()
      requests.places.close()
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
  const databaseOf = (kind: Kind, reader?: Reader): Database => {
    const database: Database = {
      ...kind.queries,
      ...(reader !== undefined && kind.queries.readBy(kind.readers, reader)),
      ...streamsOf(kind.streamed, kind.places, reader ?? nobody),
      ...all,
      get current() {
        return database
      },
      get reserved() {
        return reserved
      },
      get background() {
        return background
      },
      readBy: (other) => databaseOf(kind, other),
      reading: (other, asOf) => {
        const primary = databaseOf(kind, other)
        return replicas?.reading({ primary, kind, reader: other, asOf }) ?? primary
      },
    }
    return database
  }
  const reserved = databaseOf({ ...requests, queries: receiving })
  const background = databaseOf(jobs)
  return databaseOf(requests)
}

/** The server itself. */
const nobody: Reader = { by: undefined }
