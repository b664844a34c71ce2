// The server as shipped, in a process and a data folder of its own, with an observer of its event loop.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../server/bin/sheaf.js', import.meta.url))
const observer = new URL('./observer.js', import.meta.url).href

export interface Stall {
  readonly at: number
  /** Milliseconds at work. */
  readonly stall: number
  /** The same with waiting for a core. */
  readonly silent: number
  readonly requests: readonly string[]
}

/** Whoever asks it to end is obeyed within this time, in the middle of anything. */
const mostSecondsToEnd = 20

const environment = (extra: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  LOG_LEVEL: 'error',
  ...extra,
})

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
    const child = spawn(process.execPath, [`--import=${observer}`, program, 'serve'], {
      env: environment({ DATA_DIR: join(folder, 'data'), PORT: '0', STALLS_FILE: stallsFile, ...settings }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const closed = once(child, 'close')
    let output = ''
    const address = await new Promise<string>((resolve, reject) => {
      // Kept to the end: a pipe that nobody reads would fill and stop the server.
      child.stdout.on('data', (chunk) => {
        output = (output + chunk).slice(-10_000)
        const found = /Address +(http:\S+)/.exec(output)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.once('close', () => reject(new Error(`The server ended: ${output}`)))
    })
    return new Server(folder, address, child, closed, stallsFile)
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
    const text = existsSync(this.#stallsFile) ? readFileSync(this.#stallsFile, 'utf8') : ''
    const end = text.lastIndexOf('\n') + 1
    const lines = text.slice(this.#stallsRead, end).split('\n').filter(Boolean)
    this.#stallsRead = end
    return lines.map((line) => JSON.parse(line) as Stall)
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

const statOf = (pid: string | number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** A process and everything below it. */
const familyOf = (root: number): number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return { pid: Number(name), parent: Number(statOf(name)[1]) }
      } catch {
        return { pid: Number(name), parent: -1 }
      }
    })
  const family = [root]
  for (const pid of family) family.push(...parents.filter(({ parent }) => parent === pid).map((one) => one.pid))
  return family
}

/** The scheduler's own figure: the ticks of `stat` are 10 ms long. */
const cpuOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')
      return sum + Number(nanoseconds) / 1e9
    }, 0)
  } catch {
    return 0
  }
}
