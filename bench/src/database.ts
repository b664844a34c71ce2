// The server's own database, for raw limits measured on it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The socket as PostgreSQL wrote it down. */
const socketOf = (dataDir: string): string =>
  readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''

export const databaseOf = (dataDir: string) => ({ host: socketOf(dataDir), user: 'postgres', database: 'sheaf' })
