// The server's own database, for raw limits measured on it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** The socket as PostgreSQL wrote it down. */
const socketOf = (dataDir: string): string =>
  readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''

export const databaseOf = (dataDir: string) => ({ host: socketOf(dataDir), user: 'postgres', database: 'sheaf' })

/** The server's database ends with the server: what is still connected then must not end the measurement. */
export const openPool = (dataDir: string, max: number): pg.Pool => {
  const pool = new pg.Pool({ ...databaseOf(dataDir), max })
  pool.on('error', () => undefined)
  return pool
}
