// The server as shipped, in a process and a data folder of its own, with an observer of its event loop.
import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuOf, environment, familyOf, program, type Stall, spawnServer, stallsIn } from '@sheaf/harness'

export type { Stall } from '@sheaf/harness'

/** What takes less is everyday work. */
const worthTellingMs = 20

/** Whoever asks it to end is obeyed within this time, in the middle of anything. */
const mostSecondsToEnd = 20

export class Server {
  readonly folder: string
  readonly address: string
  readonly port: number
  readonly pid: number
  /** What it logged of requests that failed without anybody knowing why. */
  readonly errors: string[] = []
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown>
  readonly #stallsFile: string
  #stallsRead = 0

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Server> {
    const folder = mkdtempSync(join(tmpdir(), 'sheaf-attack-'))
    const stallsFile = join(folder, 'stalls.txt')
    const settled = { DATA_DIR: join(folder, 'data'), PORT: '0', ...settings }
    const { child, address } = spawnServer({ settings: settled, stallsFile })
    const closed = once(child, 'close')
    return new Server(folder, await address, child, closed, stallsFile)
  }

  private constructor(
    folder: string,
    address: string,
    child: ChildProcess,
    closed: Promise<unknown>,
    stallsFile: string,
  ) {
    this.folder = folder
    this.address = address
    this.port = Number(new URL(address).port)
    this.pid = child.pid ?? 0
    this.#child = child
    this.#closed = closed
    this.#stallsFile = stallsFile
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        const lines = String(chunk).split('\n')
        this.errors.push(...lines.filter((line) => line.includes('"code":"internal"') || line.includes('Error:')))
      })
    }
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Stalls that were not told yet. */
  stalls(): Stall[] {
    const { stalls, read } = stallsIn(this.#stallsFile, this.#stallsRead)
    this.#stallsRead = read
    return stalls.filter(({ stall }) => stall > worthTellingMs)
  }

  /** Mails that it wrote so far, each as it is. */
  mails(): string[] {
    const outbox = join(this.folder, 'data', 'outbox')
    return existsSync(outbox) ? readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8')) : []
  }

  /** From now on: seconds on a core of the server, all its threads, and its PostgreSQL. Linux only. */
  meter(): () => number {
    const family = familyOf(this.pid)
    const total = () => family.reduce((sum, pid) => sum + cpuOf(pid), 0)
    const begun = total()
    return () => total() - begun
  }

  /** Makes an account without asking over the network, where registering is limited. */
  makeAccount(fields: { username: string; email: string; password: string }): void {
    const { username, email, password } = fields
    const { status, stderr } = spawnSync(
      process.execPath,
      [program, 'user', 'create', '--username', username, '--email', email, '--password-stdin'],
      { env: environment({ DATA_DIR: join(this.folder, 'data') }), input: `${password}\n`, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`The account ${username} was not made: ${stderr}`)
  }

  /** Whether it ended when it was asked to. It is gone afterwards in any case, and its folder too. */
  async remove(): Promise<boolean> {
    let wasAsked = true
    if (this.isAlive) {
      this.#child.kill('SIGTERM')
      const timer = setTimeout(() => {
        wasAsked = false
        // Its PostgreSQL does not outlive it.
        for (const pid of familyOf(this.pid).reverse()) signal(pid)
      }, mostSecondsToEnd * 1000)
      await this.#closed
      clearTimeout(timer)
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    return wasAsked
  }
}

const signal = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
