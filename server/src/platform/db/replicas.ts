// Which copy is read, and what a database is that reads from one. A request reads from one copy. When that is behind, away or gives
// up, the rest of the request goes to the database itself; what was answered is never older than what was answered before.
import type { Readable } from 'node:stream'
import { budgets } from '../../budgets.js'
import type { ByteStream, Database, Db, ReplicaReport, Replicas, ReplicaWatch } from './db.js'
import { DatabaseUnavailable } from './faults.js'
import { ranTable } from './floors.js'
import type { Kind, KindOptions } from './kinds.js'
import type { Reader } from './places.js'
import type { OnePool } from './pool.js'
import { type Place, type Position, placeOf, positionNow } from './position.js'
import { sql } from './sql.js'
import { type Identity, identityColumns, type Source, Standby, type StandbyManner, whyPassed } from './standby.js'
import { streamsOf } from './streams.js'

/** Behind its first piece, a stream of a copy has broken off; from the database itself it can be read again. */
export class CopyLost extends DatabaseUnavailable {}

export interface ReplicasOptions extends StandbyManner {
  readonly copies: readonly KindOptions[]
  /** Where the primary is asked how far it is. */
  readonly primary: OnePool
}

export interface ReadingOptions {
  /** The database itself, for the same reader. */
  readonly primary: Database
  readonly kind: Kind
  readonly reader: Reader
  readonly asOf: Position | null | undefined
}

interface CopyOptions extends ReadingOptions {
  readonly standby: Standby
  /** The connections to it. */
  readonly copies: Kind
  readonly watch: ReplicaWatch
  /** Looks at all copies. */
  readonly look: () => void
}

const { lookMs } = budgets.replicas

export class StreamingReplicas implements Replicas {
  readonly #standbys: readonly Standby[]
  readonly #primary: OnePool
  #watch: ReplicaWatch = { read: () => undefined, passed: () => undefined }
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isClosed = false

  constructor({ copies, primary, ...manner }: ReplicasOptions) {
    this.#standbys = copies.map((options) => new Standby(options, manner))
    this.#primary = primary
    void this.#lookOn()
  }

  get reports(): readonly ReplicaReport[] {
    return this.#standbys.map(({ report }) => report)
  }

  get pools() {
    return this.#standbys.flatMap(({ pools }) => pools)
  }

  watch(watch: ReplicaWatch): void {
    this.#watch = watch
  }

  look(): Promise<void> {
    this.#looking ??= this.#lookAtAll().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
    await Promise.all(this.#standbys.map((standby) => standby.close()))
  }

  reading({ primary, kind, reader, asOf }: ReadingOptions): Database {
    const standby = this.#leastBusy()
    if (standby === undefined) {
      this.#watch.passed(this.reports.some(({ state }) => state === 'behind') ? 'lag' : 'away')
      this.#watch.read('primary')
      return primary
    }
    const copies = kind.name === 'jobs' ? standby.jobs : standby.requests
    const given = { primary, kind, reader, asOf, standby, copies, watch: this.#watch, look: () => void this.look() }
    return new CopyReading(given).database
  }

  #leastBusy(): Standby | undefined {
    let chosen: Standby | undefined
    for (const standby of this.#standbys)
      if (standby.isReady && (chosen === undefined || standby.busy < chosen.busy)) chosen = standby
    return chosen
  }

  async #lookOn(): Promise<void> {
    await this.look()
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#lookOn(), lookMs).unref()
  }

  /** While the primary is away, nothing is known of anybody. */
  async #lookAtAll(): Promise<void> {
    const source = await this.#source().catch(() => undefined)
    if (source !== undefined) await Promise.all(this.#standbys.map((standby) => standby.look(source)))
  }

  /** Before the first migration there is nothing to read. */
  async #source(): Promise<Source | undefined> {
    const { position, hasTables, ...identity } = await this.#primary.one<
      Identity & { position: Position | null; hasTables: boolean }
    >(sql`
      select ${positionNow} as position, to_regclass(${ranTable}::text) is not null as "hasTables", ${identityColumns}`)
    return position === null || !hasTables ? undefined : { place: placeOf(position), identity }
  }
}

/** What one request, or job, reads. */
class CopyReading {
  readonly #standby: Standby
  readonly #copies: Kind
  readonly #watch: ReplicaWatch
  readonly #look: () => void
  readonly #given: ReadingOptions
  /** What is read has to be as far; unknown where the database itself was asked since. */
  #needed: Place | undefined
  #isGivenUp = false

  constructor(given: CopyOptions) {
    this.#standby = given.standby
    this.#copies = given.copies
    this.#watch = given.watch
    this.#look = given.look
    this.#given = given
    if (given.asOf) this.#needed = placeOf(given.asOf)
  }

  get database(): Database {
    const { primary } = this.#given
    const inPrimary = this.#inPrimary
    const current: Db = {
      get current() {
        return current
      },
      position: primary.position,
      rows: (query) => inPrimary(primary.rows(query)),
      maybe: (query) => inPrimary(primary.maybe(query)),
      one: (query) => inPrimary(primary.one(query)),
      run: (query) => inPrimary(primary.run(query)),
      transaction: (work) => inPrimary(primary.transaction(work)),
      copyFrom: (statement, source) => inPrimary(primary.copyFrom(statement, source)),
    }
    return {
      ...primary,
      reserved: primary.reserved,
      background: primary.background,
      current,
      rows: (query) => this.#answer((db) => db.rows(query)),
      maybe: (query) => this.#answer((db) => db.maybe(query)),
      one: (query) => this.#answer((db) => db.one(query)),
      run: current.run,
      transaction: current.transaction,
      copyFrom: current.copyFrom,
      session: (work, signal) => inPrimary(primary.session(work, signal)),
      copyTo: (statement) => this.#copyTo(statement),
      snapshot: (make) => this.#snapshot(make),
    }
  }

  /** Whatever the database itself has said, copies are not asked for what was before. */
  readonly #inPrimary = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      this.#needed = undefined
    }
  }

  /** Undefined where copies are not asked. */
  async #goal(): Promise<Place | undefined> {
    if (this.#isGivenUp) return undefined
    if (this.#needed !== undefined) return this.#needed
    const { position } = await this.#given.kind.queries.one<{ position: Position | null }>(sql`
      select ${positionNow} as position`)
    if (position === null) this.#isGivenUp = true
    else this.#needed = placeOf(position)
    return this.#isGivenUp ? undefined : this.#needed
  }

  /** Throws what would be the answer anywhere. */
  #giveUp(error: unknown): void {
    const why = whyPassed(error)
    if (why === undefined) throw error
    this.#isGivenUp = true
    this.#watch.passed(why)
    // Whether it is the copy, or what was made of its answer, is seen by looking.
    if (why === 'away') this.#look()
  }

  /** From the copy, or from the database itself where the copy is none. */
  async #tried<T>(
    ofCopy: (goal: Place) => Promise<T>,
    ofPrimary: () => Promise<T>,
    discard: (answer: T) => unknown = () => undefined,
  ): Promise<T> {
    const goal = await this.#goal()
    if (goal !== undefined) {
      try {
        const { promotions } = this.#standby
        const answer = await ofCopy(goal)
        if (promotions === this.#standby.promotions) {
          this.#watch.read('replica')
          return answer
        }
        discard(answer)
        this.#giveUp(this.#standby.promoted())
      } catch (error) {
        this.#giveUp(error)
      }
    }
    this.#watch.read('primary')
    return this.#inPrimary(ofPrimary())
  }

  #answer<T>(ask: (db: Pick<Db, 'rows' | 'maybe' | 'one'>) => Promise<T>): Promise<T> {
    const { queries, readers } = this.#copies
    const { reader, primary } = this.#given
    return this.#tried(
      (goal) => ask(queries.through(() => this.#standby.take(queries, goal, false)).readBy(readers, reader)),
      () => ask(primary),
    )
  }

  #streams(goal: Place) {
    const { streamed, places } = this.#copies
    const pool = streamed.through(() => this.#standby.take(streamed, goal, true))
    return streamsOf(pool, places, this.#given.reader)
  }

  #copyTo(statement: Parameters<Database['copyTo']>[0]): Promise<ByteStream> {
    return this.#tried(
      async (goal) => begun(await this.#streams(goal).copyTo(statement)),
      () => this.#given.primary.copyTo(statement),
      (stream) => stream.return(),
    )
  }

  async *#snapshot(make: (tx: Db) => Promise<Readable>): AsyncGenerator<Buffer> {
    const ofPrimary = () => this.#given.primary.snapshot(make)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const stream = await this.#tried<AsyncIterator<Buffer>>(
      async (goal) => begun(this.#streams(goal).snapshot(make)[Symbol.asyncIterator]()),
      async () => ofPrimary(),
      (given) => given.return?.(),
    )
    try {
      for (let next = await stream.next(); next.done !== true; next = await stream.next()) yield next.value
    } finally {
      await stream.return?.()
    }
  }
}

/** A stream with its first piece in hand: what fails before that can begin again elsewhere. */
const begun = async (source: AsyncIterator<Buffer>): Promise<ByteStream> => {
  let first: IteratorResult<Buffer> | undefined = await source.next()
  const stream: ByteStream = {
    next: async () => {
      const given = first
      first = undefined
      if (given !== undefined) return given
      try {
        return await source.next()
      } catch (error) {
        throw whyPassed(error) === undefined ? error : new CopyLost(error as Error)
      }
    },
    return: async () => {
      await source.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => stream,
  }
  return stream
}
