// What is known about other processes. Linux is asked through /proc (no shell-out, 0.1 ms), the rest through ps.
import { execFile } from 'node:child_process'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const isLinux = process.platform === 'linux'
const run = promisify(execFile)

/**
 * A mark that a process keeps for life and that no other process ever has: process ids are used again, after a
 * reboot often by the very same services. Undefined when the process is gone; a zombie is gone.
 */
export async function processMark(pid: number): Promise<string | undefined> {
  if (!isLinux) return (await ps(pid, 'lstart='))?.trim() || undefined
  const stat = await linuxStat(pid)
  if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return undefined
  return `${await bootId()} ${stat.startedAtTicks}`
}

/** Process ids mean something only inside their namespace: a container sees neither those of its host nor of others. */
export const pidNamespace = async (): Promise<string> => (isLinux ? readlink('/proc/self/ns/pid').catch(() => '') : '')

export const isRunning = async (pid: number): Promise<boolean> => (await processMark(pid)) !== undefined

/** postgres makes its data folder the working directory of all of its processes. */
export async function isPostgresOn(pid: number, dataFolder: string): Promise<boolean> {
  if (!isLinux) return (await ps(pid, 'command='))?.includes(`-D ${dataFolder}`) ?? false
  const stat = await linuxStat(pid)
  if (stat === undefined || stat.state === 'Z' || stat.command !== 'postgres') return false
  const [cwd, data] = await Promise.all([
    readlink(`/proc/${pid}/cwd`).catch(() => undefined),
    realpath(dataFolder).catch(() => undefined),
  ])
  return cwd !== undefined && cwd === data
}

/** True when it went within the time. A process that is not our child can only be watched by looking. */
export async function waitUntilGone(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  while (await isRunning(pid)) {
    if (Date.now() > deadline) return false
    await delay(10)
  }
  return true
}

/**
 * SIGINT is PostgreSQL's fast shutdown: sessions are cut off, what is committed is checkpointed, which can take
 * long on a slow disk. SIGQUIT leaves that to the recovery of the next start. SIGKILL is for what hangs.
 */
export async function endPostgres(
  kill: (signal: NodeJS.Signals) => void,
  isGoneWithin: (milliseconds: number) => Promise<boolean>,
): Promise<boolean> {
  for (const [signal, milliseconds] of [
    ['SIGINT', 60_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    kill(signal)
    if (await isGoneWithin(milliseconds)) return true
  }
  return false
}

async function linuxStat(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // "pid (command) state …": the command may itself hold blanks and parentheses.
  const end = text.lastIndexOf(')')
  const rest = text.slice(end + 2).split(' ')
  return { command: text.slice(text.indexOf('(') + 1, end), state: rest[0], startedAtTicks: rest[19] }
}

let knownBootId: string | undefined
async function bootId(): Promise<string> {
  knownBootId ??= (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()
  return knownBootId
}

const ps = async (pid: number, column: string): Promise<string | undefined> =>
  run('ps', ['-ww', '-o', column, '-p', String(pid)], { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } }).then(
    ({ stdout }) => stdout,
    () => undefined,
  )
