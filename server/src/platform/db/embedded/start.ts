import type { ChildProcess } from 'node:child_process'
import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findBinaries } from './binaries.js'
import { dataFolderOf, handOver, makeCluster, ownerOfData } from './cluster.js'
import { database, ensureDatabase, user } from './database.js'
import { EmbeddedPostgresError, isErrno, isFull, otherwise, roomWanted } from './errors.js'
import { readPostmasterFile } from './postmaster-file.js'
import { endPostgres } from './processes.js'
import { openServerLog, type ServerLog } from './server-log.js'
import { settingArguments } from './settings.js'
import { makeSocketFolder, nameSocketFolder, removeSocketFolder } from './socket-folder.js'
import { findRunning, takeFolder } from './takeover.js'
import { chooseWay, dataArgument, exitOf, launch, type Way } from './ways.js'

export interface PostgresConnection {
  /** The folder of the Unix socket. */
  readonly host: string
  readonly user: string
  readonly database: string
  readonly port?: number
}

export interface EmbeddedPostgres {
  readonly connection: PostgresConnection
  readonly pid: number
  /** PostgreSQL's data directory, inside the folder that was asked for. */
  readonly dataFolder: string
  readonly how: Way['how']
  /** Settles when PostgreSQL ends, whether asked to or not. The folder stays ours until `stop`. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>
  /** Ends sessions, checkpoints, leaves no process and no socket. May be called again. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Absolute. Everything is in it: the data, the log, the lock, the name of the owner. */
  readonly folder: string
  /** PostgreSQL settings over ours, e.g. `{ fsync: 'off' }` in tests. */
  readonly settings?: Record<string, string>
  readonly onProgress?: (message: string) => void
}

export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  // What is open so far, newest first: closed in this order when the start fails and when the database stops.
  const cleanups: (() => Promise<void> | void)[] = []
  const cleanUp = async () => {
    const failures: unknown[] = []
    for (const cleanup of cleanups.splice(0)) {
      try {
        await cleanup()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
  try {
    return await startWith({ ...options, folder: resolve(options.folder) }, cleanups, cleanUp)
  } catch (error) {
    // What failed first is what the person must read.
    await cleanUp().catch(() => {})
    if (!isErrno(error, 'EACCES', 'EPERM', 'EROFS', 'ENOSPC')) throw error
    const owner = await stat(options.folder).catch(() => undefined)
    const isForeign = owner !== undefined && owner.uid !== process.getuid?.()
    const whose = isForeign ? `it belongs to user ${owner.uid}, this server runs as user ${process.getuid?.()}` : ''
    throw new EmbeddedPostgresError(
      'cannot_start',
      `The folder ${options.folder} cannot be used for the database: ${whose || error.message}. ${isFull(error.message) ? roomWanted : otherwise}`,
      { cause: error },
    )
  }
}

async function startWith(
  { folder, settings = {}, onProgress = () => {} }: StartOptions,
  cleanups: (() => Promise<void> | void)[],
  cleanUp: () => Promise<void>,
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries()
  const dataFolder = dataFolderOf(folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })

  const socketFolder = nameSocketFolder()
  const { claim, lock } = await takeFolder(folder, dataFolder, socketFolder, onProgress)
  cleanups.unshift(claim.release, lock.release)
  if (claim.leftSocketFolder !== undefined) await removeSocketFolder(claim.leftSocketFolder)

  const dataOwner = await ownerOfData(dataFolder)
  const way = await chooseWay(binaries, dataOwner)
  if (dataOwner === undefined) {
    onProgress(`Setting up a new database in ${folder}`)
    await makeCluster(folder, way, { isDurable: settings.fsync !== 'off', lockFd: lock.fd })
  } else if (way.user && way.user.uid !== dataOwner.uid) await handOver(dataFolder, way.user)

  await makeSocketFolder(socketFolder, way.user)
  cleanups.unshift(() => removeSocketFolder(socketFolder))
  const log = await openServerLog(join(folder, 'postgres.log'))
  cleanups.unshift(log.close)

  const child = launch(
    way,
    'postgres',
    ['-D', dataArgument(way, dataFolder), ...settingArguments(settings, socketFolder)],
    {
      cwd: dataFolder,
      stdio: ['ignore', log.fd, log.fd, lock.fd ?? 'ignore'],
      // A session of its own: Ctrl-C in the terminal reaches the server only, which finishes its requests first.
      detached: true,
    },
  )
  const exited = exitOf(child)
  const end = () => endChild(child, exited)
  cleanups.unshift(end)
  await waitUntilReady(child, exited, dataFolder, log, onProgress)
  await ensureDatabase(socketFolder)

  let stopping: Promise<void> | undefined
  return {
    connection: { host: socketFolder, user, database },
    pid: child.pid as number,
    dataFolder,
    how: way.how,
    exited,
    stop: () => (stopping ??= cleanUp()),
  }
}

/** PostgreSQL writes "ready" into its postmaster.pid; asking by connecting would fill its log with refusals. */
async function waitUntilReady(
  child: ChildProcess,
  exited: EmbeddedPostgres['exited'],
  dataFolder: string,
  log: ServerLog,
  onProgress: (message: string) => void,
): Promise<void> {
  let hasEnded = false
  const ended = exited.then(
    () => undefined,
    (error: Error) => error.message,
  )
  void ended.then(() => {
    hasEnded = true
  })
  const startedAt = Date.now()
  let hasReported = false
  for (;;) {
    if (hasEnded) {
      const words = (await ended) ?? (await log.tail())
      throw new EmbeddedPostgresError(
        'cannot_start',
        `PostgreSQL did not start on ${dataFolder}:\n${words}\n${isFull(words) ? roomWanted : otherwise}`,
      )
    }
    const file = await readPostmasterFile(dataFolder)
    if (file?.isReady && file.pid === child.pid) return
    // No deadline: recovery after a power cut reads up to a gigabyte of log, and ending it would start it over.
    if (!hasReported && Date.now() - startedAt > 5000) {
      hasReported = true
      onProgress('PostgreSQL is still starting, probably recovering from an unclean stop')
    }
    await delay(5)
  }
}

async function endChild(child: ChildProcess, exited: EmbeddedPostgres['exited']): Promise<void> {
  const gone = exited.then(
    () => true,
    () => true,
  )
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  await endPostgres(
    (signal) => void child.kill(signal),
    async (milliseconds) => {
      const timer = new AbortController()
      const isGone = await Promise.race([gone, delay(milliseconds, false, { signal: timer.signal })])
      timer.abort()
      return isGone
    },
  )
}

/** Whether one was made in the folder. */
export const hasEmbeddedPostgres = async (folder: string): Promise<boolean> =>
  (await ownerOfData(dataFolderOf(resolve(folder)))) !== undefined

/** For a command beside a running server: where to connect. Undefined when no PostgreSQL is ready on the folder. */
export async function findRunningPostgres(
  folder: string,
): Promise<{ connection: PostgresConnection; pid: number } | undefined> {
  const running = await findRunning(dataFolderOf(resolve(folder)))
  if (running === undefined || !running.isReady || running.socketFolder === '') return undefined
  return { connection: { host: running.socketFolder, port: running.port, user, database }, pid: running.pid }
}
