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
import { databaseSettings, processSettings, replicaAddresses } from './platform/settings.js'
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

/** Copies that are read, and what is said of them. */
const replicasOf = (config: Config, log: Log): Pick<ConnectOptions, 'replicas' | 'onReplica'> => {
  const { replicaUrl } = config.of(databaseSettings)
  if (replicaUrl === undefined) return {}
  return {
    replicas: replicaAddresses(replicaUrl).map((connectionString) => ({ connectionString })),
    onReplica: ({ name, state, lagSeconds }, reason) => {
      const facts = { replica: name, state, reason, lagSeconds }
      if (state === 'ready') log.info(facts, 'a replica of the database is read')
      else log.warn(facts, 'a replica of the database is not read')
    },
  }
}

interface Opening {
  readonly config: Config
  readonly log: Log
  /** Commands read little, and what they read is to be of now. */
  readonly isServer: boolean
}

const openPool = ({ config, log, isServer }: Opening, connection: ConnectOptions['connection']) =>
  connect({
    ...connectionsOf(config),
    ...(isServer && replicasOf(config, log)),
    connection,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })

const placeOf = (config: Config, isServer: boolean): string => {
  const { replicaUrl } = config.of(databaseSettings)
  const replicas = replicaUrl === undefined || !isServer ? 0 : replicaAddresses(replicaUrl).length
  const also =
    replicas === 0 ? '' : `, lists and exports also from ${replicas === 1 ? 'a replica' : `${replicas} replicas`}`
  return `the PostgreSQL of DATABASE_URL${also}`
}

/** For the server: starts our own database and keeps it running. */
export const openDatabase = async (
  config: Config,
  log: Log,
  onProgress: Progress,
  { onFailure = () => undefined, onMoved = () => undefined }: DatabaseEvents = {},
  isServer = true,
): Promise<OpenDatabase> => {
  const { databaseUrl } = config.of(databaseSettings)
  const opening = { config, log, isServer }
  if (databaseUrl !== undefined) {
    const db = openPool(opening, { connectionString: databaseUrl })
    return { db, place: placeOf(config, isServer), isOwn: false, close: () => db.close() }
  }
  const folder = join(dataFolder(config), 'postgres')
  const settings = { max_connections: String(Math.max(usualConnections, mostConnections(config))) }
  let postgres = await startEmbeddedPostgres({ folder, settings, onProgress })
  const db = openPool(opening, { ...postgres.connection })
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
export const openDatabaseBriefly = async (
  config: Config,
  log: Log,
  onProgress: Progress,
  isServer = false,
): Promise<OpenDatabase> => {
  const open = () => openDatabase(config, log, onProgress, {}, isServer)
  if (config.of(databaseSettings).databaseUrl !== undefined) return open()
  const folder = join(dataFolder(config), 'postgres')
  const running = await findRunningPostgres(folder)
  if (running === undefined) return open()
  const db = openPool({ config, log, isServer }, { ...running.connection })
  return { db, place: `the PostgreSQL of the running server in ${folder}`, isOwn: false, close: () => db.close() }
}

export interface JoinedDatabase extends OpenDatabase {
  /** Looks for it again, after it was started anew. */
  follow(): Promise<void>
}

/** For a worker: the database that the first process keeps. */
export const joinDatabase = async (config: Config, log: Log): Promise<JoinedDatabase> => {
  const opened = await openDatabaseBriefly(config, log, () => undefined, true)
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
