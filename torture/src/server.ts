// The server as shipped, in a process of its own, killed and started again on the same port and folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { environment, program, spawnServer } from '@sheaf/harness'

export type Environment = Readonly<Record<string, string>>

export class ServerProcess {
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown>
  /** Once it runs. */
  readonly address: Promise<string>
  /** Requests that failed without anybody knowing why: a fault that is met is a 503, never one of these. */
  readonly errors: string[] = []

  constructor(env: Environment) {
    const { child, address } = spawnServer({ settings: env })
    this.#child = child
    this.address = address
    this.#closed = once(this.#child, 'close')
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => {
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
    await this.address
    return this
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.isAlive) this.#child.kill(signal)
    await this.#closed
  }
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  /** What it said on both. */
  readonly output: string
}

/** A command beside others that go on, among them the store of this process; it may be killed. */
export const beginSheaf = (args: readonly string[], env: Environment) => {
  const child = spawn(process.execPath, [program, ...args], { env: environment(env) })
  let [stdout, output] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, stdout, output }))
  return { ended, kill: () => child.kill('SIGKILL') }
}
