// The server's own database, for raw limits measured on it.
import { postmasterOf } from '@sheaf/harness'
import pg from 'pg'

export const databaseOf = (dataDir: string) => ({
  host: postmasterOf(dataDir).socketFolder,
  user: 'postgres',
  database: 'sheaf',
})

/** The server's database ends with the server: what is still connected then must not end the measurement. */
export const openPool = (dataDir: string, max: number): pg.Pool => {
  const pool = new pg.Pool({ ...databaseOf(dataDir), max })
  pool.on('error', () => undefined)
  return pool
}
