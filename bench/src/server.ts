// The server as shipped, in a process and a data folder of its own.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { familyOf, spawnServer, stallsIn } from '@sheaf/harness'
import type { Figure } from './report.js'

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
  const { child, address: said } = spawnServer({
    settings: { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...settings },
    stallsFile,
  })
  child.stderr?.pipe(process.stderr)
  const address = await said
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
    const { stalls } = stallsIn(stallsFile)
    return [Math.max(0, ...stalls.map(({ stall }) => stall)), Math.max(0, ...stalls.map(({ silent }) => silent))]
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
