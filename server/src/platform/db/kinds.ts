// Connections of one kind: for requests or for jobs, each with its places for those who read.
import type pg from 'pg'
import { budgets } from '../../budgets.js'
import { Places, readerBounds, streamBounds, unbounded } from './places.js'
import { type OnePool, openPool, type PoolOptions } from './pool.js'

/** One kind of connections, and what those who read through them have of it. */
export interface Kind {
  readonly name: 'requests' | 'jobs'
  readonly queries: OnePool
  readonly readers: Places
  readonly streamed: OnePool
  readonly places: Places
}

/** Connections for jobs: those in hand, and the runner's own. */
export const backgroundSize = 6

/** Beside the connections of a pool of this size. */
export const streamsBeside = (poolSize: number): number =>
  Math.max(2, Math.floor(poolSize * budgets.streams.shareOfPool))

/** The database ends a statement that takes longer; whoever asked hears of it. */
export const within = (seconds: number): pg.PoolConfig => ({ statement_timeout: seconds * 1000 })

export const notIdle: pg.PoolConfig = {
  idle_in_transaction_session_timeout: budgets.database.idleInTransactionSeconds * 1000,
}

export interface KindOptions {
  readonly connection: PoolOptions
  readonly poolSize: number
  readonly statementSeconds: number
  readonly streamSeconds: number
}

export interface Kinds {
  readonly requests: Kind
  readonly jobs: Kind
  readonly pools: readonly pg.Pool[]
}

export const openKinds = ({ connection, poolSize, statementSeconds, streamSeconds }: KindOptions): Kinds => {
  const open = (max: number, ...settings: pg.PoolConfig[]) =>
    openPool(Object.assign({ ...connection, max }, ...settings))
  const queries = open(poolSize, within(statementSeconds), notIdle)
  const jobs = open(backgroundSize, within(budgets.database.backgroundSeconds))
  // A snapshot is idle while its reader is: its place is what bounds it.
  const streamed = open(streamsBeside(poolSize), within(streamSeconds))
  return {
    requests: {
      name: 'requests',
      queries,
      readers: new Places(readerBounds(poolSize)),
      streamed,
      places: new Places(streamBounds(streamsBeside(poolSize))),
    },
    jobs: {
      name: 'jobs',
      queries: jobs,
      readers: new Places(unbounded),
      streamed: jobs,
      places: new Places(streamBounds(backgroundSize)),
    },
    pools: [queries, jobs, streamed].map(({ pool }) => pool),
  }
}
