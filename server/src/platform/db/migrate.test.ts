import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { DatabaseTooNew, migrate, sql } from './index.js'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await testDatabase({ from: 'template0' })
  folder = await mkdtemp(join(tmpdir(), 'sheaf-migrations-'))
  await writeFile(join(folder, '0001.do.one.sql'), 'create table one (id int); insert into one values (1);')
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const count = async () => (await database.db.one<{ count: number }>(sql`select count(*) from one`)).count

describe('migrate', () => {
  it('runs what is new, once, in order', async () => {
    expect(await migrate(database.db, folder)).toEqual({ from: 0, to: 1 })
    await writeFile(join(folder, '0002.do.two.sql'), 'insert into one values (2);')
    await writeFile(join(folder, '0010.do.ten.sql'), 'insert into one values (10);')
    expect(await migrate(database.db, folder)).toEqual({ from: 1, to: 10 })
    expect(await migrate(database.db, folder)).toEqual({ from: 10, to: 10 })
    expect(await count()).toBe(3)
  })

  it('eight nodes at once: each file runs once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => migrate(database.db, folder)))
    expect(await count()).toBe(1)
  })

  it('a file that fails leaves nothing of itself or of those before it, and can be mended', async () => {
    await writeFile(join(folder, '0002.do.two.sql'), 'create table two (id int); select nonsense;')
    await expect(migrate(database.db, folder)).rejects.toThrow(/nonsense/)
    expect(await database.db.rows(sql`select 1 from pg_tables where schemaname = 'public'`)).toEqual([])
    await writeFile(join(folder, '0002.do.two.sql'), 'create table two (id int);')
    expect(await migrate(database.db, folder)).toEqual({ from: 0, to: 2 })
  })

  it('a database of a newer program is refused, not touched', async () => {
    await writeFile(join(folder, '0002.do.two.sql'), 'insert into one values (2);')
    await migrate(database.db, folder)
    await rm(join(folder, '0002.do.two.sql'))
    await expect(migrate(database.db, folder)).rejects.toThrow(DatabaseTooNew)
  })
})
