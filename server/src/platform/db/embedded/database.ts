import pg from 'pg'

export const user = 'postgres'
export const database = 'sheaf'
const missingDatabase = '3D000'

/**
 * The database itself is made on the first start, and again should a kill have come between initdb and this. On
 * every other start it is one connection (6 ms), which also proves that PostgreSQL answers.
 */
export async function ensureDatabase(host: string): Promise<void> {
  const isThere = await withClient(host, database, async () => true).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === missingDatabase) return false
    throw error
  })
  if (isThere) return
  await withClient(host, 'postgres', async (client) => {
    await client.query(`create database ${pg.escapeIdentifier(database)}`)
  })
}

async function withClient<T>(host: string, name: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ host, port: 5432, user, database: name, password: '' })
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
