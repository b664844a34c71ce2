// What a server that was killed left behind, or a machine that lost power.
import { EmbeddedPostgresError, isErrno, otherwise } from './errors.js'
import { readPostmasterFile, removePostmasterFile } from './postmaster-file.js'
import { endPostgres, isPostgresOn, isRunning, waitUntilGone } from './processes.js'

/** Call it only as the owner of the folder: then whatever PostgreSQL still runs there belongs to nobody. */
export async function endLeftOver(dataFolder: string, onProgress: (message: string) => void): Promise<void> {
  const file = await readPostmasterFile(dataFolder)
  if (file === undefined) return
  if (!(await isPostgresOn(file.pid, dataFolder))) {
    // PostgreSQL would refuse to start as long as any process has this number, and after a reboot some other
    // process often has. A number that nobody has is left to PostgreSQL, which also checks its shared memory.
    if (existsAtAll(file.pid)) await removePostmasterFile(dataFolder)
    return
  }
  onProgress(`Ending the database (process ${file.pid}) that an earlier server left running`)
  // The kernel has asked it already where it could (ways.ts); a second SIGINT changes nothing.
  const isGone = await endPostgres(
    (signal) => signalIfThere(file.pid, signal),
    (milliseconds) => waitUntilGone(file.pid, milliseconds),
  )
  if (isGone) return
  throw new EmbeddedPostgresError(
    'cannot_start',
    `The database (process ${file.pid}) that an earlier server left running on ${dataFolder} does not end. ${otherwise}`,
  )
}

/** The connection of the PostgreSQL that runs on a data folder, whoever started it. */
export async function runningOn(dataFolder: string) {
  const file = await readPostmasterFile(dataFolder)
  if (file === undefined || !file.isReady || file.socketFolder === '') return undefined
  if (!(await isRunning(file.pid)) || !(await isPostgresOn(file.pid, dataFolder))) return undefined
  return file
}

function existsAtAll(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isErrno(error, 'ESRCH')
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error
  }
}
