import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import {
  brokenConstraint,
  connect,
  DatabaseUnavailable,
  databaseError,
  isDatabaseRefusal,
  join,
  orConflict,
  scan,
  sql,
} from './index.js'

let database: TestDatabase
const db = () => database.db

beforeAll(async () => {
  database = await testDatabase({ from: 'template0', poolSize: 4 })
  await db().run(sql`create table things (id bigint primary key, name text, constraint things__name unique (name))`)
})
afterAll(() => database.drop())

const names = async () =>
  (await db().rows<{ name: string }>(sql`select name from things order by id`)).map(({ name }) => name)

describe('the sql tag', () => {
  it('binds every value: hostile text stays text', async () => {
    const hostile = "'); drop table things; --"
    const row = await db().one<{ name: string }>(sql`select ${hostile}::text as name`)
    expect(row.name).toBe(hostile)
    const part = sql`name = ${hostile}`
    expect(sql`select * from things where ${part} or ${join([part, part], ' or ')}`.text).toBe(
      'select * from things where name = $1 or name = $2 or name = $3',
    )
  })

  it('statements are planned once per connection; a scan is planned each time, for its values', async () => {
    const prepared = await db().transaction(async (tx) => {
      for (const n of [1, 2]) {
        await tx.rows(sql`select 'once', ${n}::int`)
        await tx.rows(scan(sql`select 'anew', ${n}::int`))
      }
      return tx.rows<{ statement: string }>(sql`
        select statement from pg_prepared_statements where statement ~ '^select ''(once|anew)'`)
    })
    expect(prepared.map(({ statement }) => statement)).toEqual(["select 'once', $1::int"])
  })

  it.each([
    '2026-05-01T09:00:00.123Z',
    '0099-01-01T00:00:00.000Z',
    '0000-06-01T00:00:00.000Z',
    '-000043-03-15T12:00:00.000Z',
    '+012026-01-01T00:00:00.000Z',
  ])('the time %s comes back as it was given', async (text) => {
    const { at } = await db().one<{ at: string }>(sql`
        select extract(epoch from ${new Date(text)}::timestamptz)::text as at`)
    expect(Number(at) * 1000).toBe(Date.parse(text))
  })

  it('gives bigint and numeric as numbers, timestamps as dates', async () => {
    const row = await db().one(sql`select 9007199254740991::bigint as big, 1.5::numeric as fine, to_timestamp(0) as at`)
    expect(row).toEqual({ big: 9_007_199_254_740_991, fine: 1.5, at: new Date(0) })
  })
})

describe('transaction', () => {
  it('commits what is inside, and what is nested', async () => {
    await db().transaction(async (tx) => {
      await tx.run(sql`insert into things values (1, 'one')`)
      await tx.transaction((inner) => inner.run(sql`insert into things values (2, 'two')`))
    })
    expect(await names()).toEqual(['one', 'two'])
  })

  it('rolls everything back when the work throws, and the connection serves on', async () => {
    const work = db().transaction(async (tx) => {
      await tx.run(sql`insert into things values (3, 'three')`)
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await names()).toEqual(['one', 'two'])
  })

  it('a hundred failing transactions leave no connection behind', async () => {
    const attempts = Array.from({ length: 100 }, () =>
      db()
        .transaction((tx) => tx.run(sql`insert into things values (1, 'again')`))
        .catch(brokenConstraint),
    )
    expect(new Set(await Promise.all(attempts))).toEqual(new Set(['things_pkey']))
    expect(db().pool.totalCount - db().pool.idleCount).toBe(0)
  })
})

describe('an error of a statement', () => {
  it.each([
    ['by itself', () => db().rows(sql`select no_such_column`)],
    ['in a transaction', () => db().transaction((tx) => tx.rows(sql`select no_such_column`))],
  ])('%s says who asked', async (_where, ask) => {
    const error = await ask().then(
      () => undefined,
      (reason: Error) => reason,
    )
    expect(error?.message).toContain('no_such_column')
    expect(error?.stack).toContain('db.test.ts')
  })
})

describe('constraints', () => {
  it('a broken one becomes the room’s own error, any other passes through', async () => {
    const insert = () => db().run(sql`insert into things values (9, 'one')`)
    await expect(orConflict(insert(), { things__name: () => new Error('taken') })).rejects.toThrow('taken')
    await expect(orConflict(insert(), {})).rejects.toThrow(/duplicate key/)
  })
})

describe('COPY', () => {
  it('streams in and out, with values that PostgreSQL cannot bind there quoted', async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `${i + 100}\tname ${i}\n`)
    expect(await db().copyFrom(sql`copy things from stdin`, Readable.from(rows))).toBe(10_000)
    const out = await db().copyTo(
      sql`copy (select name from things where id >= ${100} and name <> ${"o'ne\\"} order by id) to stdout`,
    )
    expect((await text(out)).split('\n')).toHaveLength(10_001)
  })

  it('a source that fails leaves nothing', async () => {
    const source = Readable.from(
      (function* () {
        yield '50000\tx\n'
        throw new Error('cut')
      })(),
    )
    await expect(db().copyFrom(sql`copy things from stdin`, source)).rejects.toThrow('cut')
    expect(await db().maybe(sql`select 1 as found from things where id = 50000`)).toBeUndefined()
  })

  it('a reader that leaves early gives the connection back', async () => {
    for (let i = 0; i < 10; i++) {
      const out = await db().copyTo(sql`copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout`)
      await out.next()
      await out.return()
    }
    await vi.waitFor(() => expect(db().streamsNow()).toBe(0))
  })

  it('a failure before the first piece is told as of any statement', async () => {
    await expect((await db().copyTo(sql`copy (select nothing) to stdout`)).next()).rejects.toThrow(/"nothing" does not/)
  })
})

describe('a database that is away', () => {
  it('is told from a statement that is wrong', async () => {
    const away = connect({ connection: { host: '/nonexistent', database: 'x' }, poolSize: 1 })
    await expect(away.rows(sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
    await expect(away.transaction(async () => undefined)).rejects.toThrow(DatabaseUnavailable)
    await away.close()
    await expect(db().rows(sql`select nothing`)).rejects.toThrow(/column "nothing" does not exist/)
    await expect(db().rows(sql`select nothing`)).rejects.not.toThrow(DatabaseUnavailable)
  })

  it('full disks and failovers count as away, an unknown database is refused', () => {
    const withCode = (code: string) => Object.assign(new pg.DatabaseError('x', 1, 'error'), { code })
    for (const code of ['08006', '53100', '53200', '53300', '57P01', '57P05', '25006']) {
      expect(databaseError(withCode(code))).toBeInstanceOf(DatabaseUnavailable)
    }
    for (const code of ['3D000', '28P01']) {
      expect(databaseError(withCode(code))).not.toBeInstanceOf(DatabaseUnavailable)
      expect(isDatabaseRefusal(withCode(code))).toBe(true)
    }
  })

  it('a connection on which the database is silent serves nobody after its transaction', async () => {
    const silent = connect({ connection: { ...database.connection, query_timeout: 1000 }, poolSize: 1 })
    await expect(silent.transaction((tx) => tx.run(sql`select pg_sleep(60)`))).rejects.toThrow()
    expect((await silent.one<{ one: number }>(sql`select 1 as one`)).one).toBe(1)
    await silent.close()
  })

  it('a connection that the database ends is replaced', async () => {
    await db()
      .run(sql`select pg_terminate_backend(pg_backend_pid())`)
      .catch(() => undefined)
    expect((await db().one<{ one: number }>(sql`select 1 as one`)).one).toBe(1)
  })
})
