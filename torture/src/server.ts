// The server as shipped, in a process of its own, killed and started again on the same port and folder.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../server/bin/sheaf.js', import.meta.url))

export type Environment = Readonly<Record<string, string>>

const environment = (extra: Environment) => ({ PATH: process.env.PATH ?? '', HOME: tmpdir(), ...extra })

export class ServerProcess {
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown>
  #output = ''
  /** Requests that failed without anybody knowing why: a fault that is met is a 503, never one of these. */
  readonly errors: string[] = []

  constructor(env: Environment) {
    this.#child = spawn(process.execPath, [program, 'serve'], {
      env: environment({ LOG_LEVEL: 'error', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#closed = once(this.#child, 'close')
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output = (this.#output + chunk).slice(-20_000)
        this.errors.push(
          ...String(chunk)
            .split('\n')
            .filter((line) => line.includes('"code":"internal"')),
        )
      })
    }
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Until it says that it runs. */
  async ready(): Promise<this> {
    while (!/Address +http|it does not listen/.test(this.#output)) {
      const more = once(this.#child.stdout as NodeJS.ReadableStream, 'data').then(() => true)
      if ((await Promise.race([more, this.#closed])) !== true) throw new Error(`The server ended: ${this.#output}`)
    }
    return this
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.isAlive) this.#child.kill(signal)
    await this.#closed
  }
}

/** Runs a command to its end. */
export const sheaf = (args: readonly string[], env: Environment): { code: number | null; stdout: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: environment(env),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return { code: status, stdout: stdout === '' ? stderr : stdout }
}

const postmasterFile = (dataDir: string): string[] =>
  readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')

/** The process of the built-in PostgreSQL, and the folder of its socket, as it wrote them down. */
export const postmasterOf = (dataDir: string) => {
  const lines = postmasterFile(dataDir)
  return { pid: Number(lines[0]), socketFolder: lines[4] ?? '' }
}
