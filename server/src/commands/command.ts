// What every command needs.
import { hasDatabase, openDatabaseBriefly } from '../database.js'
import { dataFolder, openDeps } from '../deps.js'
import { type Config, environment, loadConfig } from '../platform/config/index.js'
import { type Database, DatabaseUnavailable, isDatabaseRefusal } from '../platform/db/index.js'
import type { Deps } from '../platform/deps.js'
import { hasSecret, isMarked } from '../platform/secrets/index.js'
import { databaseSettings, processSettings } from '../platform/settings.js'
import { openLog, type RequestLog } from '../platform/telemetry/index.js'
import { allSettings } from '../settings.js'

/** Something the person at the terminal can act on. */
export class CommandError extends Error {}

// A reader of our output that goes away (`sheaf serve | head`) must not end the server.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

export const print = (text: string): void => void process.stdout.write(text)

export const readConfig = (): Config => loadConfig(allSettings, environment)

const isReadOnly = ({ code, cause }: { code?: unknown; cause?: unknown }): boolean =>
  code === '25006' || (cause instanceof Error && isReadOnly(cause))

/** What the person who runs it can do something about. */
export const inWords = (error: unknown): unknown => {
  const { code, message, syscall } = error as NodeJS.ErrnoException
  if (isReadOnly(error as Error)) {
    return new CommandError(
      'The database of DATABASE_URL may only be read: it is a standby, or was made read-only. Nothing was changed. Name the primary; a standby to read from is named by DATABASE_REPLICA_URL.',
    )
  }
  const fromDatabase = error instanceof DatabaseUnavailable ? error : undefined
  if (fromDatabase || isDatabaseRefusal(error)) {
    return new CommandError(`The database of DATABASE_URL cannot be used: ${message}`)
  }
  if (code === 'EADDRINUSE')
    return new CommandError(`Another program listens on this port already: ${message}. Set another one.`)
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return new CommandError(`HOST cannot be listened on: ${message}`)
  if (syscall === 'mkdir') return new CommandError(`DATA_DIR cannot be used: ${message}`)
  return error
}

/** Opens the database for one piece of work and closes it again. */
export const withDatabase = async <T>(work: (db: Database, config: Config, log: RequestLog) => Promise<T>) => {
  const config = readConfig()
  const log = openLog('warn', process.stderr)
  const database = await openDatabaseBriefly(config, log, (message) => process.stderr.write(`${message}…\n`))
  try {
    return await work(database.db, config, log)
  } catch (error) {
    throw inWords(error)
  } finally {
    await database.close()
  }
}

/** Opens what a server has made: a second database, or a second secret, beside the one that it uses would help nobody. */
export const withDeps = async <T>(work: (deps: Deps) => Promise<T>): Promise<T> => {
  await requireDatabase()
  return withDatabase(async (db, config, log) => {
    const { secretKey } = config.of(processSettings)
    const hasOwn = secretKey !== undefined || (await hasSecret(dataFolder(config)))
    if (!hasOwn && (await isMarked(db))) throw noSecret(dataFolder(config))
    const deps = await openDeps(config, db, log)
    return await work(deps).finally(() => deps.mail.close())
  })
}

/** Asked before anybody is asked for a name and a password. */
export const requireDatabase = async (): Promise<void> => {
  const config = readConfig()
  if (!(await hasDatabase(config))) throw noDatabase(dataFolder(config))
}

/** For people: where a command has worked. */
export const placeOf = ({ config }: Deps): string =>
  config.of(databaseSettings).databaseUrl === undefined ? dataFolder(config) : 'the database of DATABASE_URL'

const noDatabase = (folder: string): CommandError =>
  new CommandError(
    `There is no database in ${folder}, and none was made.
If a server runs, give its DATA_DIR (it prints the folder as "Data" when it starts) and its DATABASE_URL, if it has one:
  DATA_DIR=/path/to/data npx sheaf …
If there is none yet, start it first: npx sheaf serve (or make its database: npx sheaf migrate).`,
  )

const noSecret = (folder: string): CommandError =>
  new CommandError(
    `There is no secret in ${folder}, while the server of this database has one; none was made.
Give the DATA_DIR of the server, or its SECRET_KEY.`,
  )
