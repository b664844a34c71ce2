// The real application on a real database, called without a socket.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { buildApp } from '../../src/app.js'
import { connectionsOf } from '../../src/database.js'
import { openDeps } from '../../src/deps.js'
import { type Compilers, openCompilers } from '../../src/features/forms/index.js'
import { forwardPending } from '../../src/features/rest-services/index.js'
import { loadConfig } from '../../src/platform/config/index.js'
import type { Deps } from '../../src/platform/deps.js'
import type { HttpServer } from '../../src/platform/http/index.js'
import { runPendingJobs } from '../../src/platform/jobs/index.js'
import type { Lookup } from '../../src/platform/outbound/index.js'
import type { PasswordCost } from '../../src/platform/secrets/index.js'
import { openLog } from '../../src/platform/telemetry/index.js'
import { allSettings } from '../../src/settings.js'
import { type TestDatabase, testDatabase } from './database.js'
import { holdAgainstDescription, throwUndescribed } from './described.js'
import { type ReceivedMail, readOutbox } from './outbox.js'

export interface Account {
  id: number
  username: string
  email: string
  password: string
  apiToken: string
}

type Method = NonNullable<InjectOptions['method']>

export interface CallOptions {
  body?: unknown
  form?: Record<string, string>
  headers?: Record<string, string>
  query?: Record<string, string>
  /** The caller's IP address. */
  from?: string
}

/** The names of this machine alone, wherever it stands: asking for others takes a third of a second where there is no network,
 * and where there is one, tests call nobody. */
const ownNames: Lookup = async (host) => {
  if (host === 'localhost' || host.endsWith('.localhost')) return [{ address: '127.0.0.1', family: 4 }]
  throw Object.assign(new Error(`${host} is unknown`), { code: 'ENOTFOUND' })
}

let compilers: Compilers | undefined

/** For all applications of this process: starting a thread takes longer than most tests. It ends with the process. */
const sharedCompilers = (): Compilers => {
  const shared = compilers ?? openCompilers()
  compilers = shared
  return { forAccount: (account) => shared.forAccount(account), close: async () => undefined }
}

/** A test has accounts by the dozen, and nobody steals their hashes. */
const leastCost: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export class TestApp {
  http!: HttpServer
  deps!: Deps
  database!: TestDatabase
  /** Every line the server logged. */
  readonly logged: string[] = []
  readonly #env: Record<string, string>
  readonly #openDatabase: typeof testDatabase
  #folder = ''
  #later = 0
  #accounts = 0

  constructor(env: Record<string, string>, openDatabase = testDatabase) {
    this.#env = env
    this.#openDatabase = openDatabase
  }

  async open(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'sheaf-app-'))
    const config = loadConfig(allSettings, { DATA_DIR: this.#folder, ...this.#env })
    this.database = await this.#openDatabase(connectionsOf(config))
    const log = openLog('debug', { write: (line) => this.logged.push(line) })
    const deps = await openDeps(config, this.database.db, log, { lookup: ownNames })
    this.deps = { ...deps, passwordCost: leastCost, clock: { now: () => new Date(Date.now() + this.#later) } }
    this.http = await buildApp(this.deps, log, sharedCompilers())
    await this.http.app.ready()
    holdAgainstDescription(this.http)
  }

  async close(): Promise<void> {
    const { app } = this.http
    await app.close()
    await this.deps.mail.close()
    await this.deps.outbound.close()
    await this.database.drop()
    await rm(this.#folder, { recursive: true, force: true })
    throwUndescribed(app)
  }

  /** Moves the server's clock. */
  wait(seconds: number): void {
    this.#later += seconds * 1000
  }

  /** Calls below /api/v1. */
  call(method: Method, path: string, options: CallOptions = {}) {
    return this.page(method, `/api/v1${path}`, options)
  }

  /** Calls anywhere on the server. */
  async page(method: Method, url: string, options: CallOptions = {}) {
    const { body, form, headers = {}, query, from } = options
    const answer = await this.http.app.inject({
      method,
      url,
      headers: { ...(form && { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
      ...(query && { query }),
      ...(from && { remoteAddress: from }),
      ...(form && { payload: new URLSearchParams(form).toString() }),
      ...(body !== undefined && { payload: body as object }),
    })
    throwUndescribed(this.http.app, answer)
    return answer
  }

  /** Calls with an account's token. */
  as({ apiToken }: Pick<Account, 'apiToken'>) {
    return (method: Method, path: string, options: CallOptions = {}) =>
      this.call(method, path, { ...options, headers: { authorization: `Token ${apiToken}`, ...options.headers } })
  }

  /** Calls with a name and a password. */
  basic(name: string, password: string) {
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
    return (method: Method, path: string, options: CallOptions = {}) =>
      this.call(method, path, { ...options, headers: { authorization, ...options.headers } })
  }

  /** A new account, registered as a client would. */
  async account(fields: Record<string, unknown> = {}): Promise<Account> {
    const username = String(fields.username ?? `person${++this.#accounts}`)
    const email = String(fields.email ?? `${username}@example.org`)
    const password = String(fields.password ?? `password of ${username}`)
    const made = await this.call('POST', '/profiles', {
      body: { username, email, first_name: 'Person', password, ...fields },
    })
    if (made.statusCode !== 201) throw new Error(`Registration answered ${made.statusCode}: ${made.body}`)
    const user = await this.basic(username, password)('GET', '/user')
    const { id } = made.json()
    return { id, username: made.json().username, email, password, apiToken: user.json().api_token ?? '' }
  }

  /** Runs the jobs that are due, then answers every mail so far. */
  async mails(): Promise<ReceivedMail[]> {
    await runPendingJobs(this.deps.db, this.deps.jobs, this.deps.log)
    return readOutbox(join(this.#folder, 'outbox'))
  }

  /** Forwards what is due to the receivers, and waits for them. */
  forward(): Promise<void> {
    return forwardPending(this.deps)
  }

  async mailsTo(address: string): Promise<ReceivedMail[]> {
    return (await this.mails()).filter(({ to }) => to.includes(address))
  }
}

/** One application for a test file, with these settings; on a database of its own kind where one is given. */
export const testApp = (env: Record<string, string> = {}, openDatabase = testDatabase): TestApp => {
  const app = new TestApp(env, openDatabase)
  beforeAll(() => app.open())
  afterAll(() => app.close())
  return app
}
