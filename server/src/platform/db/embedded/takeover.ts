// Becoming the one server of a folder, also after one that was killed, or a machine that lost power.
import { setTimeout as delay } from 'node:timers/promises'
import { EmbeddedPostgresError, isErrno, otherwise } from './errors.js'
import { type FolderLock, lockFolder } from './folder-lock.js'
import { type Claim, claimFolder, inUse, refuseIfOwned } from './owner.js'
import { type PostmasterFile, readPostmasterFile, removePostmasterFile } from './postmaster-file.js'
import { endPostgres, isPostgresOn, waitUntilGone } from './processes.js'

/**
 * Throws `in_use` while another server lives. The lock comes before the claim: a server in another container cannot
 * be seen, and must keep its claim, and its postmaster.pid, when it turns out to hold the lock. The patience is for
 * what such a one still has to finish when it was just told to stop.
 */
export async function takeFolder(
  folder: string,
  dataFolder: string,
  socketFolder: string,
  onProgress: (message: string) => void,
  patienceMs = 20_000,
): Promise<{ claim: Claim; lock: FolderLock }> {
  const lock = await takeLock(folder, dataFolder, onProgress, patienceMs)
  try {
    const claim = await claimFolder(folder, socketFolder)
    await removeStalePostmasterFile(dataFolder)
    return { claim, lock }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function takeLock(
  folder: string,
  dataFolder: string,
  onProgress: (message: string) => void,
  patienceMs: number,
): Promise<FolderLock> {
  const deadline = Date.now() + patienceMs
  for (let hasReported = false; ; hasReported = true) {
    // In this order: a server claims the folder before it starts its database. So a database that was there before
    // we saw that nobody owns the folder is left over, and one that starts afterwards is never touched.
    const leftOver = await findRunning(dataFolder)
    await refuseIfOwned(folder)
    if (leftOver) await endLeftOver(leftOver, dataFolder, onProgress)
    const lock = await lockFolder(folder)
    if (lock) return lock
    if (Date.now() > deadline) throw inUse(folder)
    if (!hasReported) onProgress(`Waiting for another process to let go of ${folder}`)
    await delay(50)
  }
}

/** The PostgreSQL that runs on a data folder, ready or not, whoever started it. */
export async function findRunning(dataFolder: string): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(dataFolder)
  return file !== undefined && (await isPostgresOn(file.pid, dataFolder)) ? file : undefined
}

async function endLeftOver(
  { pid }: PostmasterFile,
  dataFolder: string,
  onProgress: (message: string) => void,
): Promise<void> {
  onProgress(`Ending the database (process ${pid}) that an earlier server left running`)
  // The kernel has asked it already where it could (ways.ts); a second SIGINT changes nothing.
  const isGone = await endPostgres(
    (signal) => signalIfThere(pid, signal),
    (milliseconds) => waitUntilGone(pid, milliseconds),
  )
  if (isGone) return
  throw new EmbeddedPostgresError(
    'cannot_start',
    `The database (process ${pid}) that an earlier server left running on ${dataFolder} does not end. ${otherwise}`,
  )
}

/**
 * PostgreSQL refuses to start as long as any process has the number in postmaster.pid, and after a reboot some other
 * process often has. A number that nobody has is left to PostgreSQL, which also checks its shared memory.
 */
async function removeStalePostmasterFile(dataFolder: string): Promise<void> {
  const file = await readPostmasterFile(dataFolder)
  if (file !== undefined && existsAtAll(file.pid)) await removePostmasterFile(dataFolder)
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
