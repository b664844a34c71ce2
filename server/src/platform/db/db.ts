// The database as query functions see it. They take a `Db` first; a transaction is a `Db` too and is passed down, so the same
// query runs inside and outside of one.
import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { Signal } from './ending.js'
import type { Reader } from './places.js'
import type { Position } from './position.js'
import type { Sql } from './sql.js'

export interface Db {
  /** The same where it is written, and never a copy: for locks, sequences, and what is kept and brought forward. */
  readonly current: Db
  /** In a statement of `current`: how far it is, for `reading`. Null where nobody reads copies. */
  readonly position: Sql
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

/** Given up by `return`, before its first piece too: a generator that was never begun would not notice. */
export interface ByteStream extends AsyncIterableIterator<Buffer> {
  return(): Promise<IteratorResult<Buffer>>
}

/** One connection, outside of transactions: for definitions that take none, and for locks that last longer. It is closed behind
 * the work, and with it whatever it holds. */
export interface Session extends Pick<Db, 'rows' | 'maybe' | 'one' | 'run'> {
  /** A statement that takes no bound values: they stand in it, quoted. */
  define(statement: Sql): Promise<void>
}

/** Why a copy was passed over: it is behind, away, no copy of this database; it gave up because of what it was sent, or was told to write. */
export type Passed = 'lag' | 'away' | 'refused' | 'conflict' | 'write'

export interface ReplicaReport {
  /** Host and port. */
  readonly name: string
  readonly state: 'unknown' | 'ready' | 'behind' | 'away'
  readonly lagBytes: number
  readonly lagSeconds: number
}

export interface ReplicaWatch {
  /** A question that a copy might answer was answered. */
  read(where: 'replica' | 'primary'): void
  passed(why: Passed): void
}

/** Copies that are read. */
export interface Replicas {
  readonly reports: readonly ReplicaReport[]
  watch(watch: ReplicaWatch): void
  /** How far everybody is, now. */
  look(): Promise<void>
}

export interface Database extends Db {
  /** Several statements in one transaction and one round trip: all of them are sent before any is answered. The rows of each. For
   * connections that receive. */
  flight<T extends object>(statements: readonly Sql[]): Promise<T[][]>
  /** What it is doing is ended when the signal says so. */
  session<T>(work: (session: Session) => Promise<T>, signal: Signal): Promise<T>
  /** The same database through connections of their own: whoever uses up all others cannot take these. */
  readonly reserved: Database
  /** For jobs: connections that requests cannot take, and more time. */
  readonly background: Database
  /** The same database for somebody who reads: they are given few connections at once, others who wait come first, and what is
   * done for them is ended when they have hung up. So it is for reading: what is written through it can be made again, and
   * what others wait for too has a reader who is never gone. */
  readBy(reader: Reader): Database
  /** The same for what may come from a copy: it holds everything that was committed before `asOf`, or before the first question where
   * nothing is said. What writes goes to the database itself, and whatever is read behind that is no older. Rights are never asked
   * here: whoever lost one would keep it for as long as a copy takes. */
  reading(reader: Reader, asOf?: Position | null): Database
  /** The bytes of a `copy (…) to stdout`, through one of the connections for streams. Whoever stops reading gives it back. */
  copyTo(statement: Sql): Promise<ByteStream>
  /** A stream made of one snapshot, which is held until the stream has ended or was given up. */
  snapshot(make: (tx: Db) => Promise<Readable>): AsyncIterable<Buffer>
  /** Copies that are read; undefined without any. */
  readonly replicas: Replicas | undefined
  readonly pool: pg.Pool
  /** Of every kind of connection. */
  readonly pools: readonly pg.Pool[]
  /** Streams that hold a connection now. */
  readonly streamsNow: () => number
  /** New connections go to another place: a database of our own that was started again has a new socket. */
  reconnectTo(connection: pg.PoolConfig): void
  close(): Promise<void>
}
