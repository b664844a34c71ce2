// The database of this installation: the one that DATABASE_URL names, or a PostgreSQL of our own in the data folder.
import { join } from 'node:path'
import { dataFolder } from './deps.js'
import { refuseOlderNodes } from './features/nodes/index.js'
import { migrationsFolder } from './paths.js'
import type { Config } from './platform/config/index.js'
import { findRunningPostgres, hasEmbeddedPostgres, startEmbeddedPostgres } from './platform/db/embedded/index.js'
import {
  backgroundSize,
  type ConnectOptions,
  connect,
  type Database,
  migrate,
  streamsBeside,
} from './platform/db/index.js'
import { areJobsPrepared, prepareJobs } from './platform/jobs/index.js'
import { databaseSettings, processSettings } from './platform/settings.js'
import type { Log } from './platform/telemetry/index.js'

export interface OpenDatabase {
  readonly db: Database
  /** Where it is, for people. */
  readonly place: string
  /** No other server has it: its folder is this one's. */
  readonly isOwn: boolean
  /** Ends the connections, and the database if it is ours. */
  close(): Promise<void>
}

type Progress = (message: string) => void

export interface DatabaseEvents {
  /** It ended and cannot be started again. */
  onFailure?(): void
  /** It ended and was started again, at another place. */
  onMoved?(): void
}

/** Connections that the processes of one server may need, and some for commands. */
const mostConnections = (config: Config): number => {
  const { workers } = config.of(processSettings)
  const { poolSize, receivingPoolSize } = config.of(databaseSettings)
  return (workers + 1) * (poolSize + streamsBeside(poolSize) + receivingPoolSize + backgroundSize) + 20
}

/** PostgreSQL's own default. */
const usualConnections = 100

/** How many connections, and what each may take. */
export const connectionsOf = (config: Config): Omit<ConnectOptions, 'connection'> => {
  const { poolSize, receivingPoolSize: reservedSize, statementSeconds, streamSeconds } = config.of(databaseSettings)
  return { poolSize, reservedSize, statementSeconds, streamSeconds }
}

const openPool = (config: Config, log: Log, connection: ConnectOptions['connection']) =>
  connect({
    ...connectionsOf(config),
    connection,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })

/** For the server: starts our own database and keeps it running. */
export const openDatabase = async (
  config: Config,
  log: Log,
  onProgress: Progress,
  { onFailure = () => undefined, onMoved = () => undefined }: DatabaseEvents = {},
): Promise<OpenDatabase> => {
  const { databaseUrl } = config.of(databaseSettings)
  if (databaseUrl !== undefined) {
    const db = openPool(config, log, { connectionString: databaseUrl })
    return { db, place: 'the PostgreSQL of DATABASE_URL', isOwn: false, close: () => db.close() }
  }
  const folder = join(dataFolder(config), 'postgres')
  const settings = { max_connections: String(Math.max(usualConnections, mostConnections(config))) }
  let postgres = await startEmbeddedPostgres({ folder, settings, onProgress })
  const db = openPool(config, log, { ...postgres.connection })
  let isClosing = false
  const keepRunning = async () => {
    while (!isClosing) {
      const { code, signal } = await postgres.exited
      if (isClosing) return
      log.error({ code, signal }, 'the database ended; starting it again')
      await postgres.stop()
      postgres = await startEmbeddedPostgres({ folder, settings })
      db.reconnectTo({ ...postgres.connection })
      onMoved()
    }
    // A stop that came during the restart: the new one is ours to end.
    await postgres.stop()
  }
  const keeping = keepRunning().catch((error) => {
    log.error({ err: error }, 'the database could not be started again')
    onFailure()
  })
  const close = async () => {
    isClosing = true
    await db.close()
    await postgres.stop()
    await keeping
  }
  return { db, place: `its own PostgreSQL in ${folder}`, isOwn: true, close }
}

/** Whether there is a database to open: a server, or `sheaf migrate`, has made one, or DATABASE_URL names one. */
export const hasDatabase = async (config: Config): Promise<boolean> =>
  config.of(databaseSettings).databaseUrl !== undefined ||
  (await hasEmbeddedPostgres(join(dataFolder(config), 'postgres')))

/** For commands: uses the database of a server that is running, or starts it for as long as the command takes. */
export const openDatabaseBriefly = async (config: Config, log: Log, onProgress: Progress): Promise<OpenDatabase> => {
  if (config.of(databaseSettings).databaseUrl !== undefined) return openDatabase(config, log, onProgress)
  const folder = join(dataFolder(config), 'postgres')
  const running = await findRunningPostgres(folder)
  if (running === undefined) return openDatabase(config, log, onProgress)
  const db = openPool(config, log, { ...running.connection })
  return { db, place: `the PostgreSQL of the running server in ${folder}`, isOwn: false, close: () => db.close() }
}

export interface JoinedDatabase extends OpenDatabase {
  /** Looks for it again, after it was started anew. */
  follow(): Promise<void>
}

/** For a worker: the database that the first process keeps. */
export const joinDatabase = async (config: Config, log: Log): Promise<JoinedDatabase> => {
  const opened = await openDatabaseBriefly(config, log, () => undefined)
  const follow = async () => {
    const running = await findRunningPostgres(join(dataFolder(config), 'postgres'))
    if (running !== undefined) opened.db.reconnectTo({ ...running.connection })
  }
  return { ...opened, follow: config.of(databaseSettings).databaseUrl === undefined ? follow : async () => undefined }
}

/** Brings the tables up to this program; safe on several nodes at once. */
export const migrateAll = async (db: Database, log: Log) => {
  const report = await migrate(db, migrationsFolder, {
    beforeFloor: (floor) => refuseOlderNodes(db, floor),
    onWait: () => log.warn({}, 'others use tables that are to be migrated; trying again'),
  })
  if (!(await areJobsPrepared(db))) await prepareJobs(db, log)
  return report
}
