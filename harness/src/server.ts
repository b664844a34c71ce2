// The server as shipped, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

export const program = fileURLToPath(new URL('../../server/bin/sheaf.js', import.meta.url))
const observer = new URL('./observer.js', import.meta.url).href

type Settings = Readonly<Record<string, string>>

/** Nothing of whoever runs it. */
export const environment = (settings: Settings): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  ...settings,
})

export interface SpawnOptions {
  /** `LOG_LEVEL` is `error` unless it is among them. */
  readonly settings: Settings
  /** Where stalls of its event loop are written down; without it nobody looks. */
  readonly stallsFile?: string
}

export interface Spawned {
  readonly child: ChildProcess
  /** As it says it, once it runs. */
  readonly address: Promise<string>
  /** What it has said so far, the end of it. */
  said(): string
}

const mostOutput = 20_000

export const spawnServer = ({ settings, stallsFile }: SpawnOptions): Spawned => {
  const observed = stallsFile === undefined ? [] : [`--import=${observer}`]
  const child = spawn(process.execPath, [...observed, program, 'serve'], {
    env: environment({
      LOG_LEVEL: 'error',
      ...(stallsFile !== undefined && { STALLS_FILE: stallsFile }),
      ...settings,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const address = new Promise<string>((resolve, reject) => {
    // Read to the end: a pipe that nobody reads would fill and stop the server.
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-mostOutput)
        const said = /Address +(http:\S+)|it does not listen/.exec(output)
        if (said !== null) resolve(said[1] ?? '')
      })
    }
    child.once('close', () => reject(new Error(`The server ended: ${output}`)))
  })
  // Whoever waits for it hears of it.
  address.catch(() => undefined)
  return { child, address, said: () => output }
}

/** A time in which the event loop answered nobody. */
export interface Stall {
  readonly at: number
  /** Milliseconds at work. */
  readonly stall: number
  /** The same with waiting for a core. */
  readonly silent: number
  readonly requests: readonly string[]
}

/** Those that were written down behind the first `skipped` characters, and how far that is. */
export const stallsIn = (file: string, skipped = 0): { readonly stalls: Stall[]; readonly read: number } => {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const read = text.lastIndexOf('\n') + 1
  const lines = text.slice(skipped, read).split('\n').filter(Boolean)
  return { stalls: lines.map((line) => JSON.parse(line) as Stall), read }
}
