import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { DatabaseTooNew, migrate, sql, TablesInUse } from './index.js'

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

const two = () => join(folder, '0002.do.two.sql')
const versions = () =>
  database.db.one(sql`
    select (select max(version) from schema_migrations) as ran, (select max(version) from schema_versions) as floor`)

describe('a program that is older than the database', () => {
  it('goes on where something was added, and changes nothing', async () => {
    await writeFile(two(), '-- expand\ncreate table two (id int);')
    await migrate(database.db, folder)
    expect(await versions()).toEqual({ ran: 2, floor: 1 })
    await rm(two())
    expect(await migrate(database.db, folder)).toEqual({ from: 2, to: 2 })
  })

  it('is refused where something was taken away, unless it knows what that needs', async () => {
    await writeFile(two(), '-- expand\nalter table one add column text text;')
    await writeFile(join(folder, '0003.do.three.sql'), '-- contract: 0002\nalter table one drop column id;')
    await migrate(database.db, folder)
    expect(await versions()).toEqual({ ran: 3, floor: 2 })
    await rm(join(folder, '0003.do.three.sql'))
    expect(await migrate(database.db, folder)).toEqual({ from: 3, to: 3 })
    await rm(two())
    await expect(migrate(database.db, folder)).rejects.toThrow(DatabaseTooNew)
  })

  it('keeps what it needs while it runs: whoever objects stops the migration, and nothing is changed', async () => {
    await migrate(database.db, folder)
    await writeFile(two(), '-- contract: 0002\ndrop table one;')
    const asked: number[] = []
    const beforeFloor = async (floor: number) => {
      asked.push(floor)
      throw new Error('somebody is there')
    }
    await expect(migrate(database.db, folder, { beforeFloor })).rejects.toThrow('somebody is there')
    expect([asked, await versions(), await count()]).toEqual([[2], { ran: 1, floor: 1 }, 1])
  })

  it('of before there were floors is known by what it wrote down', async () => {
    await migrate(database.db, folder)
    await database.db.run(sql`drop table schema_migrations`)
    await writeFile(two(), '-- expand\ncreate table two (id int);')
    expect(await migrate(database.db, folder)).toEqual({ from: 1, to: 2 })
    expect([await versions(), await count()]).toEqual([{ ran: 2, floor: 1 }, 1])
  })
})

describe('a table that others use', () => {
  it('is waited for briefly: those who come later are let through, and it is tried again until it is free', async () => {
    await migrate(database.db, folder)
    await writeFile(two(), '-- expand\nalter table one add column text text;')
    const holder = await database.db.pool.connect()
    await holder.query('begin; select * from one')
    let waits = 0
    const migrating = migrate(database.db, folder, { lockMs: 50, onWait: () => waits++ })
    await expect.poll(() => waits).toBe(1)
    // Behind a lock that is waited for, this would wait for as long as the holder holds.
    expect(await count()).toBe(1)
    await holder.query('commit')
    holder.release()
    expect(await migrating).toEqual({ from: 1, to: 2 })
  })

  it('is given up in words when its users never let go; nothing is changed', async () => {
    await migrate(database.db, folder)
    await writeFile(two(), '-- expand\ncreate table two (id int); alter table one add column text text;')
    const holder = await database.db.pool.connect()
    await holder.query('begin; select * from one')
    await expect(migrate(database.db, folder, { lockMs: 20, patienceMs: 0 })).rejects.toThrow(TablesInUse)
    await holder.query('commit')
    holder.release()
    expect([await versions(), await count()]).toEqual([{ ran: 1, floor: 1 }, 1])
  })
})
