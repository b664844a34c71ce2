// The server as shipped, in a process and a data folder of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure } from './report.js'

const program = fileURLToPath(new URL('../../server/bin/sheaf.js', import.meta.url))
const observer = new URL('./observer.js', import.meta.url).href

export interface BenchServer {
  readonly address: string
  readonly dataDir: string
  readonly pid: number
  /** From the start of the process to the first answer of /readyz. */
  readonly secondsToReady: number
  stop(signal?: NodeJS.Signals): Promise<void>
  /** From now on, peaks are counted anew. */
  rest(): void
  /** The most memory that it has held since `rest`, in MB. Linux only. */
  peakMemory(): number
  /** What the work since `rest` has cost: memory, and how long others had to wait for the event loop. */
  strain(): Figure[]
}

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'sheaf-bench-'))
export const removeDataDir = (folder: string): void => rmSync(folder, { recursive: true, force: true })

export const startServer = async (dataDir: string, settings: Record<string, string> = {}): Promise<BenchServer> => {
  const begun = performance.now()
  const stallsFile = join(dataDir, 'stalls.txt')
  const child = spawn(process.execPath, [`--import=${observer}`, program, 'serve'], {
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      STALLS_FILE: stallsFile,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await readAddress(child)
  const ready = await fetch(`${address}/readyz`)
  if (!ready.ok) throw new Error(`The server is not ready: ${await ready.text()}`)
  const secondsToReady = (performance.now() - begun) / 1000
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
  }
  const pid = child.pid ?? 0
  return { address, dataDir, pid, secondsToReady, stop, ...strainOf(pid, stallsFile) }
}

/** One turn of the event loop may take this long, and no longer. */
const mostStallMs = 50

const strainOf = (pid: number, stallsFile: string) => {
  /** In milliseconds, at work and in all; 0 when there was none worth telling. */
  const longestStall = (): [number, number] => {
    const lines = existsSync(stallsFile) ? readFileSync(stallsFile, 'utf8').trim().split('\n') : []
    const stalls = lines.map((line) => line.split(' ').map(Number))
    const longest = (place: number) => Math.max(0, ...stalls.map((stall) => stall[place] ?? 0))
    return [longest(0), longest(1)]
  }
  const peakMemory = () =>
    Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  return {
    peakMemory,
    rest: () => {
      // Linux' way to forget the peak.
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
      rmSync(stallsFile, { force: true })
    },
    strain: (): Figure[] => {
      const [stall, silence] = longestStall()
      return [
        { name: 'peak memory of the server', value: peakMemory(), unit: 'MB' },
        {
          name: 'longest stall of its event loop',
          value: stall,
          unit: 'ms',
          aim: { text: `≤ ${mostStallMs} ms`, isMet: stall <= mostStallMs },
        },
        { name: 'the same with waiting for a core', value: silence, unit: 'ms' },
      ]
    },
  }
}

const readAddress = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ''
    // Kept to the end: a pipe that nobody reads would fill and stop the server.
    child.stdout?.on('data', (chunk) => {
      output = (output + chunk).slice(-10_000)
      const address = /Address +(http:\S+)/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('close', () => reject(new Error(`The server ended: ${output}`)))
  })

/** A process and everything below it. */
const familyOf = (root: number): number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        return { pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }
      } catch {
        return { pid: Number(name), parent: -1 }
      }
    })
  const family = [root]
  for (const pid of family) family.push(...parents.filter(({ parent }) => parent === pid).map((one) => one.pid))
  return family
}

/** Proportional memory in MB: what is shared between processes is counted once. Linux only. */
export const memoryOf = (root: number): { server: number; database: number } => {
  const pss = (pid: number) => {
    try {
      return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
    } catch {
      return 0
    }
  }
  const [server = 0, ...database] = familyOf(root).map(pss)
  return { server, database: database.reduce((sum, one) => sum + one, 0) }
}
