// What every command needs.
import { openDatabaseBriefly } from '../database.js'
import { openDeps } from '../deps.js'
import { type Config, environment, loadConfig } from '../platform/config/index.js'
import { DatabaseUnavailable, isDatabaseRefusal } from '../platform/db/index.js'
import type { Deps } from '../platform/deps.js'
import { openLog } from '../platform/telemetry/index.js'
import { allSettings } from '../settings.js'

/** Something the person at the terminal can act on. */
export class CommandError extends Error {}

// A reader of our output that goes away (`sheaf serve | head`) must not end the server.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

export const print = (text: string): void => void process.stdout.write(text)

export const readConfig = (): Config => loadConfig(allSettings, environment)

/** What the person who runs it can do something about. */
export const inWords = (error: unknown): unknown => {
  const { code, message, syscall } = error as NodeJS.ErrnoException
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

/** Opens the installation for one piece of work and closes it again. */
export const withDeps = async <T>(work: (deps: Deps) => Promise<T>): Promise<T> => {
  const config = readConfig()
  const log = openLog('warn', process.stderr)
  const database = await openDatabaseBriefly(config, log, (message) => process.stderr.write(`${message}…\n`))
  try {
    const deps = await openDeps(config, database.db, log)
    return await work(deps).finally(() => deps.mail.close())
  } catch (error) {
    throw inWords(error)
  } finally {
    await database.close()
  }
}
