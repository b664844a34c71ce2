import { migrateAll } from '../database.js'
import { print, withDatabase } from './command.js'

export const migrateCommand = (): Promise<void> =>
  withDatabase(async (db, _config, log) => {
    const { from, to } = await migrateAll(db, log)
    print(from === to ? `The database is at version ${to} already.\n` : `Migrated from version ${from} to ${to}.\n`)
  })
