// The server as people run it: its own process, its own database, over the wire.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepareDatabase } from './prepared.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const program = fileURLToPath(new URL('../../bin/sheaf.js', import.meta.url))

/** What runs for a second or two is not worth compiling anew for speed: without it, a start takes a fifth less work. */
const nodeWith = (file: string): [string, ...string[]] => [process.execPath, '--interrupt-budget=1500000', file]

/** What starts the server of another checkout. */
export const serveWith = (file: string): [string, ...string[]] => [...nodeWith(file), 'serve']

export type Environment = Record<string, string>

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Nothing of the machine's own settings reaches the server. */
const environment = (extra: Environment): Environment => ({ PATH: process.env.PATH ?? '', HOME: tmpdir(), ...extra })

/** Settings with which a server waits for less long than its budgets say. */
export const lessPatience = (budgets: Record<string, Record<string, number>>): Environment => ({
  NODE_OPTIONS: `--import ${new URL('less-patience.mjs', import.meta.url)}`,
  LESS_PATIENCE: JSON.stringify(budgets),
})

/** Runs a command to its end. `cwd`: the folder that it is started in. */
export const sheaf = async (
  args: string[],
  env: Environment,
  input = '',
  file = program,
  cwd?: string,
): Promise<Finished> => {
  const [command, ...before] = nodeWith(file)
  const child = spawn(command, [...before, ...args], { env: environment(env), cwd })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (output.stdout += chunk))
  child.stderr.on('data', (chunk) => (output.stderr += chunk))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

export class ServerProcess {
  readonly child: ChildProcess
  output = ''
  address = ''
  #closed: Promise<unknown>

  constructor(env: Environment, [command, ...args]: [string, ...string[]] = serveWith(program)) {
    this.child = spawn(command, args, {
      cwd: root,
      env: environment({ PORT: '0', LOG_LEVEL: 'warn', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.on('data', (chunk) => (this.output += chunk))
    this.child.stderr?.on('data', (chunk) => (this.output += chunk))
    this.#closed = once(this.child, 'close')
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Until it says that it runs. */
  async ready(): Promise<this> {
    while (!/Address +(http:\S+)/.test(this.output)) {
      const ended = await Promise.race([
        this.#closed,
        once(this.child.stdout as NodeJS.ReadableStream, 'data').then(() => undefined),
      ])
      if (ended !== undefined) throw new Error(`The server ended: ${this.output}`)
    }
    this.address = /Address +(http:\S+)/.exec(this.output)?.[1] ?? ''
    return this
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal)
    await this.#closed
    return this.child.exitCode
  }

  call(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.address}${path}`, init)
  }

  register(username: string): Promise<Response> {
    return this.call('/api/v1/profiles', {
      method: 'POST',
      body: new URLSearchParams({
        username,
        email: `${username}@example.org`,
        first_name: 'A',
        password: 'correct horse',
      }),
    })
  }
}

/** A data folder that vanishes with what runs in it. With `hasDatabase`, a database is there as a first start leaves it. */
export const workplace = async ({ hasDatabase = false } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-process-'))
  if (hasDatabase) await prepareDatabase(join(folder, 'postgres'))
  const servers: ServerProcess[] = []
  return {
    folder,
    start: (env: Environment = {}, command?: [string, ...string[]]): ServerProcess => {
      const server = new ServerProcess({ DATA_DIR: folder, ...env }, command)
      servers.push(server)
      return server
    },
    clean: async () => {
      for (const server of servers) await server.end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
