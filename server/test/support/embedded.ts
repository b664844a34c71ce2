// For tests only: a folder that goes away, and a server process that can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { PostgresConnection } from '../../src/platform/db/embedded/start.js'

/** Nothing in a test outlives a power cut: initdb and every commit are faster without the disk. */
export const fast = { fsync: 'off' }

export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'sheaf-test-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export interface Outcome {
  readonly pid?: number
  readonly how?: string
  readonly connection?: PostgresConnection
  readonly code?: string
  readonly message?: string
}

/**
 * A process of its own that starts a database on the folder and holds it. It runs what was built, since node does
 * not read TypeScript (`npm test` builds first), and ends when the test's process does.
 */
export function startOwnerProcess(folder: string, path = process.env.PATH): OwnerProcess {
  const built = new URL('../../dist/platform/db/embedded/index.js', import.meta.url)
  const program = `
    process.stdin.on('end', () => process.exit()).resume()
    const { startEmbeddedPostgres } = await import(${JSON.stringify(built.href)})
    const tell = (outcome) => process.stdout.write(JSON.stringify(outcome) + '\\n')
    try {
      const { pid, how, connection } = await startEmbeddedPostgres(${JSON.stringify({ folder, settings: fast })})
      tell({ pid, how, connection })
    } catch (error) {
      tell({ code: error.code ?? error.name, message: error.message })
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, PATH: path },
  })
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error('The owner process ended without a word')))
    if (child.stdout) createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line) as Outcome))
  })
  // A test that kills it on purpose does not wait for its word.
  outcome.catch(() => {})
  return { pid: child.pid as number, outcome, kill: (signal) => kill(child, signal) }
}

export interface OwnerProcess {
  readonly pid: number
  readonly outcome: Promise<Outcome>
  kill(signal: NodeJS.Signals): Promise<void>
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exited
}
