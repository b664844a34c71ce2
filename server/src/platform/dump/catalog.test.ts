import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { sql } from '../db/index.js'
import { listTables } from './catalog.js'
import { isEmptyDatabase } from './index.js'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ from: 'template0' })
})
afterAll(() => database.drop())

describe('what came with an extension', () => {
  it('is none of ours: a database with nothing else is empty, and it is not dumped', async () => {
    const { db } = database
    await db.run(sql`create extension pg_buffercache`)
    await db.run(sql`create table of_extension (id int)`)
    await db.run(sql`alter extension pg_buffercache add table of_extension`)
    expect(await isEmptyDatabase(db)).toBe(true)
    expect(await listTables(db.pool, [])).toEqual([])
    await db.run(sql`create table ours (id int primary key)`)
    expect(await isEmptyDatabase(db)).toBe(false)
    expect((await listTables(db.pool, [])).map(({ name }) => name)).toEqual(['ours'])
  })
})
