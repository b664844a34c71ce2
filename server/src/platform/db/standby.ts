// One copy of the database, kept by PostgreSQL itself (streaming replication). A connection is handed out when the server behind
// it has come as far as it has to: each is asked by itself, since there may be several servers behind one address.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { budgets } from '../../budgets.js'
import type { Passed, ReplicaReport } from './db.js'
import { DatabaseBusy, DatabaseTooSlow, DatabaseUnavailable, NoPlace, ReaderGone } from './faults.js'
import { ranTable } from './floors.js'
import { type Kind, type KindOptions, openKinds } from './kinds.js'
import { type OnePool, openPool } from './pool.js'
import { covers, type Place } from './position.js'
import { sql } from './sql.js'

/** It is passed over; the database itself is asked. */
export class CopyUnfit extends DatabaseUnavailable {
  readonly why: Passed

  constructor(why: Passed, words: string) {
    super(new Error(words))
    this.why = why
  }
}

/** What the primary says of itself. */
export interface Source {
  readonly place: Place
  readonly identity: Identity
}

export interface Identity {
  /** PostgreSQL's number of a cluster and all of its copies. */
  readonly system: string
  /** Of the database within the cluster, which may hold those of others. */
  readonly database: string
}

/** In a statement of either. */
export const identityColumns = sql`
  (select system_identifier::text from pg_control_system()) as system,
  (select oid::text from pg_database where datname = current_database()) as database`

interface Said extends Place, Identity {
  readonly isCopy: boolean
  /** Seconds since the last commit that it has; null before the first. */
  readonly age: number | null
}

export interface StandbyManner {
  /** How long it is waited for. */
  readonly patienceMs: number
  /** It is read from now on, or is not, with the reason. */
  readonly onChange: (report: ReplicaReport, reason: string) => void
}

/** What the driver's types leave out. */
interface Inner {
  readonly connection: pg.Connection & { readonly stream: { destroy(): void } }
}

const asked = `
  select pg_is_in_recovery() as "isCopy", coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0'::pg_lsn as bytes,
    (select timeline_id from pg_control_checkpoint()) as timeline, ${identityColumns.text},
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) as age`

/** Whether the tables are there for this role, and one that it may not read: tables of others are none of ours. */
const askedForRights = `
  with ran as (select relnamespace, relowner from pg_class where oid = to_regclass('${ranTable}'))
  select current_user as role, exists (select from ran) as "hasTables", (
    select relname from pg_class one join ran using (relnamespace, relowner)
    where relkind in ('r', 'p', 'v', 'm') and not has_table_privilege(one.oid, 'select') limit 1) as forbidden`

interface Rights {
  readonly role: string
  readonly hasTables: boolean
  readonly forbidden: string | null
}

/** A table, schema, column, function or type is missing, or its role may not use it. */
const lacksSomething = new Set(['42P01', '3F000', '42703', '42883', '42704', '42501'])

const { askSeconds, connectSeconds, pauseMs, mostPauseMs, calmLooks } = budgets.replicas

/** Why an error of a copy is no answer: the same question is put to the database itself. Undefined for what would be the answer there too. */
export const whyPassed = (error: unknown): Passed | undefined => {
  if (error instanceof CopyUnfit) return error.why
  if (error instanceof ReaderGone || error instanceof NoPlace) return undefined
  if (error instanceof DatabaseTooSlow || error instanceof DatabaseBusy) return undefined
  const code = codeOf(error instanceof DatabaseUnavailable ? error.cause : error)
  // What is read is removed by what arrives, or both wait for each other.
  if (code === '40001' || code === '40P01') return 'conflict'
  if (code === '25006') return 'write'
  if (lacksSomething.has(code)) return 'refused'
  // Its disk, or itself.
  return error instanceof DatabaseUnavailable || /^(58|XX)/.test(code) ? 'away' : undefined
}

const codeOf = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '')

export class Standby {
  readonly name: string
  readonly requests: Kind
  readonly jobs: Kind
  readonly pools: readonly pg.Pool[]
  /** Grows when a server behind the address stops being a copy: what was read meanwhile may be of neither. */
  promotions = 0
  readonly #looking: OnePool
  readonly #manner: StandbyManner
  readonly #known = new WeakMap<pg.PoolClient, Place>()
  readonly #taken = new Set<pg.PoolClient>()
  #state: ReplicaReport['state'] = 'unknown'
  #lag = { lagBytes: 0, lagSeconds: 0 }
  #identity: Identity | undefined
  #goodLooks = 0

  constructor(options: KindOptions, manner: StandbyManner) {
    const connection = { ...options.connection, isCopy: true, connectionTimeoutMillis: connectSeconds * 1000 }
    const { requests, jobs, pools } = openKinds({ ...options, connection })
    this.requests = requests
    this.jobs = jobs
    this.#looking = openPool({ ...connection, max: 1 })
    this.pools = [...pools, this.#looking.pool]
    this.#manner = manner
    const { host, port } = new pg.Client(options.connection)
    this.name = host.startsWith('/') ? host : `${host}:${port}`
    for (const pool of pools) this.#follow(pool)
  }

  get report(): ReplicaReport {
    return { name: this.name, state: this.#state, ...this.#lag }
  }

  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** Streams and questions in hand. */
  get busy(): number {
    return this.#taken.size
  }

  /** A connection to a server that has come as far. `isFresh`: it is asked in any case. */
  async take(pool: OnePool, needed: Place, isFresh: boolean): Promise<pg.PoolClient> {
    if (!this.isReady) throw new CopyUnfit('away', 'it is not read now')
    const client = await pool.takeClient().catch((error) => {
      throw this.#unfit(error)
    })
    const isThere = await this.#arrives(client, needed, isFresh).catch((error) => {
      client.release(true)
      throw this.#unfit(error)
    })
    if (isThere) return client
    client.release()
    this.#become('behind', `it is more than ${this.#manner.patienceMs} ms behind`)
    throw new CopyUnfit('lag', 'it is behind')
  }

  /** The answer to whoever has asked it meanwhile. */
  promoted(): CopyUnfit {
    return new CopyUnfit('refused', 'it was promoted')
  }

  /** Whether it is there, a copy of this database, readable, and as far. */
  async look({ place, identity }: Source): Promise<void> {
    this.#identity = identity
    try {
      const client = await this.#looking.takeClient()
      let isBroken = true
      try {
        const said = await this.#ask(client)
        const lagBytes = Math.max(0, place.bytes - said.bytes)
        this.#lag = { lagBytes, lagSeconds: lagBytes === 0 ? 0 : Math.max(0, said.age ?? 0) }
        const isThere = covers(said, place) || (await this.#arrives(client, place, false))
        // Tables that were made a moment ago are there when it is as far.
        if (isThere) await this.#askForRights(client)
        isBroken = false
        this.#noteLook(isThere)
      } finally {
        client.release(isBroken)
      }
    } catch (error) {
      this.#become('away', wordsOf(error))
      if (isSilent(error)) for (const client of this.#taken) (client as unknown as Inner).connection.stream.destroy()
    }
  }

  async close(): Promise<void> {
    this.requests.places.close()
    this.jobs.places.close()
    await Promise.all(this.pools.map((pool) => pool.end()))
  }

  /** One that comes and goes is read when it has kept up for some looks. */
  #noteLook(isThere: boolean): void {
    if (!isThere) this.#become('behind', `it is ${this.#lag.lagBytes} bytes behind`)
    else if (this.#state !== 'ready' && (this.#state !== 'behind' || ++this.#goodLooks >= calmLooks)) {
      this.#become('ready', 'it has everything')
    }
  }

  #become(state: ReplicaReport['state'], reason: string): void {
    this.#goodLooks = 0
    const hasChanged = this.#state !== state
    this.#state = state
    if (hasChanged) this.#manner.onChange(this.report, reason)
  }

  async #arrives(client: pg.PoolClient, needed: Place, isFresh: boolean): Promise<boolean> {
    if (!isFresh && covers(this.#known.get(client), needed)) return true
    const until = performance.now() + this.#manner.patienceMs
    for (
      let pause: number = pauseMs;
      !covers(await this.#ask(client), needed);
      pause = Math.min(pause * 2, mostPauseMs)
    ) {
      if (performance.now() + pause > until) return false
      await delay(pause)
    }
    return true
  }

  async #ask(client: pg.PoolClient): Promise<Said> {
    const said = await answerTo<Said>(client, asked)
    if (!said.isCopy) throw this.#refused('it is no copy: nothing follows the database there')
    if (said.system !== this.#identity?.system) throw this.#refused('it is a copy of another database')
    if (said.database !== this.#identity.database) throw this.#refused('it is another database of the same cluster')
    this.#known.set(client, said)
    return said
  }

  /** A role of its own may have been given less than all tables. */
  async #askForRights(client: pg.PoolClient): Promise<void> {
    const { role, hasTables, forbidden } = await answerTo<Rights>(client, askedForRights)
    if (!hasTables) throw this.#refused(`the role "${role}" sees no tables there`)
    if (forbidden !== null) throw this.#refused(`the role "${role}" may not read the table "${forbidden}" there`)
  }

  /** It could not be asked. That all connections are taken says nothing of the server. */
  #unfit(error: unknown): CopyUnfit {
    if (error instanceof CopyUnfit) return error
    if (!isOfPool(error)) this.#become('away', wordsOf(error))
    return new CopyUnfit('away', wordsOf(error))
  }

  #refused(words: string): CopyUnfit {
    this.#become('away', words)
    return new CopyUnfit('refused', words)
  }

  /** A server that is promoted says so with its next answer, before the end of it. */
  #follow(pool: pg.Pool): void {
    pool.on('connect', (client) => {
      const { connection } = client as unknown as Inner
      connection.on('parameterStatus', (told: { parameterName: string; parameterValue: string }) => {
        if (told.parameterName !== 'in_hot_standby' || told.parameterValue !== 'off') return
        this.promotions += 1
        this.#refused('it was promoted')
      })
    })
    pool.on('acquire', (client) => this.#taken.add(client))
    pool.on('release', (_error, client) => this.#taken.delete(client))
    pool.on('remove', (client) => this.#taken.delete(client))
  }
}

const answerTo = async <T>(client: pg.PoolClient, text: string): Promise<T> => {
  const { rows } = await client.query({ text, query_timeout: askSeconds * 1000 } as pg.QueryConfig)
  return rows[0] as T
}

/** The pool's own words, and no server's. */
const isOfPool = (error: unknown): boolean => wordsOf(error) === 'timeout exceeded when trying to connect'

/** Nothing is heard of it: whoever waits for an answer of it would wait as long as the system does, which is hours. */
const isSilent = (error: unknown): boolean =>
  !(
    error instanceof CopyUnfit ||
    error instanceof pg.DatabaseError ||
    (error as Error).cause instanceof pg.DatabaseError
  )

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
