// Where it all happens: folders that vanish, one port, and the server in one of four ways.
//   own     one process with the PostgreSQL that it brings along: whoever kills it takes the database down too
//   narrow  the same, but it works on little at once, so that little is too much
//   beside  one process for jobs, which owns the PostgreSQL; another for the web, which reaches it through a door
//   nodes   two whole servers behind a proxy on the port; a process that nobody calls owns the PostgreSQL, which may have a replica
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type Nodes, postmasterOf, type Replica, startNodes, startReplica } from '@sheaf/harness'
import pg from 'pg'
import { type Disk, mountDisk } from './disk.js'
import { type Door, startDoor } from './door.js'
import { type Environment, ServerProcess } from './server.js'

export type Way = 'own' | 'narrow' | 'beside' | 'nodes'

const narrow = { SUBMISSIONS_AT_ONCE: '20', REQUESTS_AT_ONCE: '10' }

const diskMegabytes = 1024

export interface PlaceOptions {
  /** Where files are; without it in a small disk of its own. */
  readonly filesUrl?: string
  /** Settings of each of several nodes, beside those of every server here. */
  readonly nodeSettings?: Environment
  /** Nodes read from a streaming replica where they may. */
  readonly hasReplica?: boolean
}

export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), 'sheaf-torture-'))
  readonly dataDir = join(this.folder, 'data')
  readonly disk: Disk | undefined
  readonly #port: number
  readonly #door: Door
  #web: ServerProcess | undefined
  #jobs: ServerProcess | undefined
  #nodes: Nodes | undefined
  #replica: Replica | undefined
  readonly #options: PlaceOptions
  #way: Way | undefined
  /** What servers logged as errors, killed ones included. */
  readonly errors: string[] = []
  starts = 0

  private constructor(port: number, options: PlaceOptions, door: (socket: () => string) => Door) {
    this.#port = port
    this.#options = options
    const files = join(this.folder, 'files')
    mkdirSync(files)
    this.disk = mountDisk(files, diskMegabytes)
    this.#door = door(() => join(postmasterOf(this.dataDir).socketFolder, '.s.PGSQL.5432'))
  }

  static async open(options: PlaceOptions = {}): Promise<Place> {
    let socket = () => ''
    const door = await startDoor(() => socket())
    return new Place(await freePort(), options, (path) => {
      socket = path
      return door
    })
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get door(): Door {
    return this.#door
  }

  get env(): Environment {
    return {
      DATA_DIR: this.dataDir,
      FILES_URL: this.#options.filesUrl ?? join(this.folder, 'files'),
      SECRET_KEY: 'of the torture, which nobody else uses',
      OUTBOUND_ALLOW_PRIVATE: 'true',
      REST_SERVICE_TIMEOUT_SECONDS: '1',
      REST_SERVICE_CONCURRENCY: '16',
      PORT: String(this.#port),
    }
  }

  /** Running, in this way; started again if it is not. */
  async start(way: Way): Promise<void> {
    if (this.#way !== way) await this.stop()
    this.#way = way
    if (way === 'nodes') return this.#startNodes()
    if (way !== 'beside') {
      const env = way === 'narrow' ? { ...this.env, ...narrow } : this.env
      if (this.#web?.isAlive !== true) this.#web = await this.#begin(env)
      return
    }
    if (this.#jobs?.isAlive !== true) this.#jobs = await this.#begin({ ...this.env, ROLES: 'jobs' })
    if (this.#web?.isAlive === true) return
    this.#web = await this.#begin({
      ...this.env,
      ROLES: 'web',
      DATA_DIR: join(this.folder, 'web'),
      DATABASE_URL: this.#databaseUrl,
    })
  }

  get #databaseUrl(): string {
    return `postgres://postgres@127.0.0.1:${this.#door.port}/sheaf`
  }

  /** Two of them, while the way is `nodes`. */
  get nodes(): Nodes {
    if (this.#nodes === undefined) throw new Error('There is one server, and no nodes')
    return this.#nodes
  }

  /** While the way is `nodes`, where it was asked for. */
  get replica(): Replica {
    if (this.#replica === undefined) throw new Error('There is no replica')
    return this.#replica
  }

  async #startNodes(): Promise<void> {
    if (this.#jobs?.isAlive !== true) this.#jobs = await this.#begin({ ...this.env, ROLES: 'web', PORT: '0' })
    if (this.#options.hasReplica === true) this.#replica ??= await this.#followed()
    const replica = this.#replica === undefined ? {} : { DATABASE_REPLICA_URL: this.#replica.url }
    this.#nodes ??= await startNodes({
      count: 2,
      folder: mkdtempSync(join(this.folder, 'nodes-')),
      port: this.#port,
      settings: { ...this.env, DATABASE_URL: this.#databaseUrl, ...replica, ...this.#options.nodeSettings },
    })
    this.starts += 2
  }

  async #followed(): Promise<Replica> {
    const session = new pg.Client({
      host: postmasterOf(this.dataDir).socketFolder,
      user: 'postgres',
      database: 'sheaf',
    })
    await session.connect()
    try {
      return await startReplica({ dataDir: this.dataDir, session, folder: join(this.folder, 'replica') })
    } finally {
      await session.end()
    }
  }

  async #begin(env: Environment): Promise<ServerProcess> {
    const server = new ServerProcess(env)
    this.starts += 1
    return server.ready()
  }

  async killServer(): Promise<void> {
    await this.#web?.end('SIGKILL')
    this.#collect(this.#web)
    this.#web = undefined
  }

  killPostgres(): void {
    process.kill(postmasterOf(this.dataDir).pid, 'SIGKILL')
  }

  async stop(): Promise<void> {
    await this.#nodes?.close()
    this.#nodes = undefined
    await this.#replica?.stop()
    this.#replica = undefined
    for (const server of [this.#web, this.#jobs]) {
      await server?.end('SIGTERM')
      this.#collect(server)
    }
    this.#web = undefined
    this.#jobs = undefined
    this.#way = undefined
  }

  #collect(server: ServerProcess | undefined): void {
    this.errors.push(...(server?.errors.splice(0) ?? []))
  }

  async remove(): Promise<void> {
    await this.stop()
    this.#door.close()
    this.disk?.unmount()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
