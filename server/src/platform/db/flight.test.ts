import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { brokenConstraint, composed, DatabaseUnavailable, type Sql, sql } from './index.js'

let database: TestDatabase
const receiving = () => database.db.reserved

beforeAll(async () => {
  database = await testDatabase({ from: 'template0', poolSize: 4 })
  await database.db.run(sql`create table things (name text constraint things__name primary key, transaction xid8)`)
})
afterAll(() => database.drop())
beforeEach(() => database.db.run(sql`delete from things`))

interface Wire {
  write(...args: unknown[]): boolean
  once(event: 'data', heard: () => void): void
}

const added = (name: string): Sql => sql`
  insert into things values (${name}, pg_current_xact_id()) returning name, transaction::text`

const names = async () =>
  (await database.db.rows<{ name: string }>(sql`select name from things order by name`)).map(({ name }) => name)

describe('statements of one flight', () => {
  it('are one transaction, and each has its own rows', async () => {
    const rows = await receiving().flight<{ name: string; transaction: string }>([
      added('b'),
      added('a'),
      sql`select 1 where false`,
    ])
    expect(rows.map((one) => one.map(({ name }) => name))).toEqual([['b'], ['a'], []])
    expect(new Set(rows.flat().map(({ transaction }) => transaction)).size).toBe(1)
    expect(await names()).toEqual(['a', 'b'])
  })

  it('are sent before the first is answered', async () => {
    const sent: string[] = []
    const client = await receiving().pool.connect()
    const { stream } = (client as unknown as { connection: { stream: Wire } }).connection
    const { write } = stream
    stream.write = (...args) => {
      sent.push('sent')
      return write.apply(stream, args)
    }
    stream.once('data', () => sent.push('answered'))
    client.release()
    await receiving().flight([added('a'), added('b'), added('c')])
    stream.write = write
    const first = sent.indexOf('answered')
    // Each statement is at least bound, executed and ended.
    expect(sent.slice(0, first).length).toBeGreaterThan(3 * 3)
    expect(sent.slice(first)).toEqual(['answered'])
  })

  it('are all undone when one fails, and the connection goes on', async () => {
    await receiving().flight([added('a')])
    const failing = receiving().flight([
      added('b'),
      added('a'),
      added('c'),
      sql`select name from things where name = ${'a'}`,
    ])
    expect(await failing.catch(brokenConstraint)).toBe('things__name')
    expect(await names()).toEqual(['a'])
    // What was not parsed, because another had failed before it, is parsed now.
    const [found] = await receiving().flight([sql`select name from things where name = ${'a'}`])
    expect(found).toEqual([{ name: 'a' }])
  })

  it('are nobody’s when the connection is lost on the way; the next flight has another', async () => {
    const killed = receiving().flight([added('a'), sql`select pg_terminate_backend(pg_backend_pid())`, added('b')])
    await expect(killed).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await names()).toEqual([])
    await receiving().flight([added('a')])
    expect(await names()).toEqual(['a'])
  })
})

describe('a statement that is composed once', () => {
  it('is the same as one that is composed each time, whatever its values are', async () => {
    let times = 0
    const make = ({ name, size, of }: { name: string; size: number | null; of: { place: string } }): Sql => {
      times += 1
      return sql`select ${name}::text as name, ${size}::int as size, ${sql`${name}::text || ${'!'}`} as loud,
        ${of.place}::text as place`
    }
    const once = composed(make)
    for (const values of [
      { name: 'ana', size: 3, of: { place: 'Lima' } },
      { name: "'; drop table things --", size: null, of: { place: '' } },
    ]) {
      expect(once(values)).toMatchObject({ text: make(values).text, values: make(values).values })
      expect(await database.db.one(once(values))).toEqual({
        name: values.name,
        size: values.size,
        loud: `${values.name}!`,
        place: values.of.place,
      })
    }
    expect(times).toBe(1 + 4)
  })

  it('takes its values by name: one that is copied with all of them would bind nothing', () => {
    const copied = composed((values: { name: string }) => sql`select ${{ ...values }.name}::text`)
    expect(() => copied({ name: 'ana' })).toThrow(TypeError)
  })
})
