// The service under judgement. Only its address and the mails it writes are known here, so any server of this API can
// stand in: ACCEPTANCE_URL names it, ACCEPTANCE_OUTBOX the folder of its .eml files, ACCEPTANCE_TEMP_TOKEN_SECONDS the
// lifetime of its temporary tokens where it is not the default. Without ACCEPTANCE_URL the real server is started in a
// process of its own.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'
import { type ReceivedMail, readOutbox } from '../support/outbox.js'
import { type Environment, workplace } from '../support/process.js'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The parsed JSON, or the text of anything else. */
  body: unknown
  /** The parsed JSON, believed to be this. */
  read: <T>() => T
}

export interface CallOptions {
  auth?: string
  json?: unknown
  form?: Record<string, string>
  /** A body as it is; its content type is in the headers. */
  raw?: string
  headers?: Record<string, string>
}

export interface Person {
  username: string
  email: string
  password: string
  /** The Authorization header with the API token. */
  auth: string
}

export const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

const run = randomBytes(4).toString('hex')
let names = 0

/** A name that no server has yet, however often the suite has judged it. */
export const newName = (stem: string): string => `${stem}-${run}-${++names}`

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '')
  const body: unknown = isJson ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, text, body, read: <T>() => body as T }
}

const bodyOf = ({ json, form, raw }: CallOptions): RequestInit => {
  if (form !== undefined) return { body: new URLSearchParams(form) }
  if (json !== undefined) return { body: JSON.stringify(json) }
  return raw === undefined ? {} : { body: raw }
}

export class Service {
  /** Without a slash at its end. */
  base = ''
  #outbox: string | undefined
  /** What the end has to remove, last made first. */
  readonly #leftovers: (() => Promise<void>)[] = []

  async open(env: Environment): Promise<void> {
    const { ACCEPTANCE_URL: address, ACCEPTANCE_OUTBOX: outbox } = process.env
    if (address !== undefined) {
      this.base = address.replace(/\/$/, '')
      this.#outbox = outbox
      return
    }
    // The database is a new one in the test run's PostgreSQL: setting up another takes longer than all tests of a file.
    const { testDatabase } = await import('../support/database.js')
    const { connection, drop } = await testDatabase()
    this.#leftovers.unshift(drop)
    const place = await workplace()
    this.#leftovers.unshift(place.clean)
    const database = `postgres://${connection.user}@/${connection.database}?host=${encodeURIComponent(connection.host)}`
    const server = await place.start({ DATABASE_URL: database, ...env }).ready()
    this.base = server.address
    this.#outbox = join(place.folder, 'outbox')
  }

  async close(): Promise<void> {
    for (const remove of this.#leftovers) await remove()
  }

  /** Calls below /api/v1. */
  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.page(method, `/api/v1${path}`, options)
  }

  /** Calls anywhere on the service, or a whole address of it. Redirects are answers, not followed. */
  async page(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers = {
      ...(options.auth !== undefined && { authorization: options.auth }),
      ...(options.json !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    }
    const init: RequestInit = { method, headers, redirect: 'manual', ...bodyOf(options) }
    return answerOf(await fetch(new URL(path, this.base), init))
  }

  register(fields: Record<string, unknown>): Promise<Answer> {
    return this.call('POST', '/profiles', { json: fields })
  }

  /** Somebody new, with an account. */
  async person(stem: string, fields: Record<string, unknown> = {}): Promise<Person> {
    const username = newName(stem)
    const person = { username, email: `${username}@example.org`, password: `password of ${username}` }
    const made = await this.register({ ...person, first_name: 'Person', ...fields })
    if (made.status !== 201) throw new Error(`Registration of ${username} answered ${made.status}: ${made.text}`)
    const user = await this.call('GET', '/user', { auth: basic(username, person.password) })
    return { ...person, auth: `Token ${user.read<{ api_token: string }>().api_token}` }
  }

  /** The mails to an address, oldest first, once there are this many. */
  async mails(to: string, count: number): Promise<ReceivedMail[]> {
    const folder = this.#outbox
    if (folder === undefined) {
      throw new Error(
        `This test reads mails: set ACCEPTANCE_OUTBOX to the folder into which ${this.base} writes .eml files.`,
      )
    }
    return vi.waitFor(
      async () => {
        const mails = (await readOutbox(folder)).filter((mail) => mail.to.includes(to))
        if (mails.length < count) throw new Error(`${mails.length} of ${count} mails to ${to} are in ${folder}`)
        return mails
      },
      { timeout: 15_000, interval: 20 },
    )
  }

  /** The parameters of the link in the last of so many mails to an address. */
  async linkTo(to: string, count: number): Promise<URL> {
    const link = (await this.mails(to, count)).at(-1)?.link
    if (link === undefined) throw new Error(`The mail to ${to} has no link`)
    return link
  }
}

/** One service for a test file. The settings are those of the server that is started when none is named. */
export const acceptance = (env: Environment = {}): Service => {
  const service = new Service()
  beforeAll(() => service.open(env))
  afterAll(() => service.close())
  return service
}
