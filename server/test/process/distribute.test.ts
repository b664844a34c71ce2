import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { growingTables } from '../../src/features/distribution/index.js'
import { makeCluster } from '../support/citus/stand-in.js'
import { type TestDatabase, testDatabase } from '../support/database.js'
import { sheaf, workplace } from '../support/process.js'

let place: Awaited<ReturnType<typeof workplace>>
let database: TestDatabase
beforeAll(async () => {
  place = await workplace()
  database = await testDatabase()
})
afterAll(async () => {
  await database.drop()
  await place.clean()
})

const distribute = (...options: string[]) => {
  const { user, database: name, host } = database.connection
  return sheaf(['db', 'distribute', ...options], {
    DATA_DIR: place.folder,
    DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`,
  })
}

describe('sheaf db distribute', () => {
  it('1 with the built-in database, which is not even made, and with a number of shards that is none', async () => {
    const env = { DATA_DIR: place.folder }
    const { code, stderr } = await sheaf(['db', 'distribute'], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining('The built-in PostgreSQL is one machine')])
    const shards = await sheaf(['db', 'distribute', '--shards', 'many'], env)
    expect([shards.code, shards.stderr]).toEqual([1, expect.stringContaining('--shards many: give a number from 1')])
  })

  it('1 without Citus, in words; then table by table what it would do, what it did, and that there is nothing left', async () => {
    const without = await distribute()
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('The database has no Citus')])
    await makeCluster(database)
    const dry = await distribute('--dry-run')
    expect(dry.stdout).toMatch(/^submissions +would be distributed: 0 rows$/m)
    expect(dry.stdout).toContain('Nothing was changed')
    const done = await distribute('--shards', '48')
    expect(done).toMatchObject({ code: 0, stderr: '' })
    for (const table of growingTables) expect(done.stdout).toMatch(new RegExp(`^${table} +distributed: 0 rows$`, 'm'))
    expect(done.stdout).toContain('other tables stay on the coordinator')
    expect(done.stdout).toContain('Citus 13.2-1 with 2 workers')
    const again = await distribute()
    expect(again.stdout.match(/was distributed before$/gm)).toHaveLength(growingTables.length)
  })
})
