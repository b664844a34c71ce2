// Whoever reads has few connections at once, and none when they have hung up.
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { budgets } from '../../budgets.js'
import { type Database, DatabaseUnavailable, Ending, ReaderGone, type Sql, sql } from './index.js'

let database: TestDatabase
const db = () => database.db

beforeAll(async () => {
  database = await testDatabase({ from: 'template0', poolSize: 10 })
  // A program that does not stop when it is told to.
  await db().run(sql`
    create function stubborn(seconds float) returns int language plpgsql as $$
    declare until timestamptz := 'infinity';
    begin
      while clock_timestamp() < until loop
        begin
          perform pg_sleep(0.02);
        exception when query_canceled then
          until := least(until, clock_timestamp() + make_interval(secs => seconds));
        end;
      end loop;
      return 1;
    end $$`)
})
afterAll(() => database.drop())
afterEach(() => {
  vi.useRealTimers()
})

/** Statements that the database works on now, beside this question and what jobs ask. */
const working = async (): Promise<number> =>
  (
    await db().background.one<{ count: number }>(sql`
      select count(*) from pg_stat_activity
      where datname = current_database() and state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`)
  ).count

const workingOn = (count: number) => vi.waitFor(async () => expect(await working()).toBe(count), { timeout: 20_000 })

const wholeOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const bytesOf = (rows: AsyncGenerator<string>) => Readable.from(rows, { objectMode: false })

/** A snapshot whose rows come from a cursor, two at a time. */
const fetched = (given: Database, statement: Sql) =>
  given.snapshot(async (tx) =>
    bytesOf(
      (async function* () {
        await tx.run(sql`declare listed no scroll cursor for ${statement}`)
        for (;;) {
          const rows = await tx.rows<{ text: string }>(sql`fetch 2 from listed`)
          for (const { text } of rows) yield text
          if (rows.length < 2) return
        }
      })(),
    ),
  )

const nap = sql`select pg_sleep(60)::text as text`
const napBehind = (rows: number) => sql`
  select case when n > ${rows}::int then pg_sleep(60)::text else 'x' end as text from generate_series(1, 1000) as n`

/** Each is in the phase that it is named by when the reader hangs up. */
const phases: readonly (readonly [string, (given: Database) => Promise<unknown>])[] = [
  ['a question', (given) => given.rows(nap)],
  ['what is made of it', (given) => given.run(sql`create table made as ${nap}`)],
  ['a transaction', (given) => given.transaction((tx) => tx.rows(nap))],
  ['a snapshot, before there is anything to read', (given) => wholeOf(given.snapshot((tx) => tx.rows(nap) as never))],
  [
    'a snapshot, while its cursor is made',
    (given) => wholeOf(fetched(given, sql`select stubborn::text as text from stubborn(0.1)`)),
  ],
  ['a snapshot, at its first row', (given) => wholeOf(fetched(given, nap))],
  ['a snapshot, in the middle', (given) => wholeOf(fetched(given, napBehind(7)))],
  ['a copy, before its first row', async (given) => wholeOf(await given.copyTo(sql`copy (${nap}) to stdout`))],
  ['a copy, in the middle', async (given) => wholeOf(await given.copyTo(sql`copy (${napBehind(700)}) to stdout`))],
  [
    'a copy that is not read',
    async (given) => {
      const stream = await given.copyTo(sql`copy (select repeat('x', 1000) from generate_series(1, 1000000)) to stdout`)
      await new Promise((resolve) => setTimeout(resolve, 200))
      return wholeOf(stream)
    },
  ],
]

describe('a reader who hangs up', () => {
  it.each(phases)('ends %s, at once and for good', async (_, begin) => {
    const leaving = new Ending()
    const asked = begin(db().readBy({ by: 'ana', gone: leaving }))
    const refused = expect(asked).rejects.toThrow(ReaderGone)
    await workingOn(1)
    leaving.abort(new ReaderGone())
    await refused
    await workingOn(0)
    await vi.waitFor(() => expect(db().streamsNow()).toBe(0))
    expect(await db().readBy({ by: 'ana' }).one(sql`select 1 as one`)).toEqual({ one: 1 })
  })

  it('fifty at once leave nothing behind, whatever they had asked for', async () => {
    const leaving = new Ending()
    const asked = Array.from({ length: 50 }, (_, n) => {
      const reader = { by: `reader ${n % 7}`, gone: leaving }
      return phases[n % phases.length]?.[1](db().readBy(reader)).then(
        () => 'answered',
        (error) => error.constructor.name,
      )
    })
    await vi.waitFor(async () => expect(await working()).toBeGreaterThanOrEqual(8))
    leaving.abort(new ReaderGone())
    expect([...new Set(await Promise.all(asked))]).toEqual(['ReaderGone'])
    await workingOn(0)
    expect(db().streamsNow()).toBe(0)
    const after = await Promise.all(
      Array.from({ length: 20 }, () => db().readBy({ by: 'x' }).one(sql`select 1 as one`)),
    )
    expect(after).toHaveLength(20)
    expect(await wholeOf(await db().copyTo(sql`copy (select 1) to stdout`))).toBe('1\n')
  })

  it('gives the place back when the database has stopped, not before', async () => {
    const leaving = new Ending()
    const reading = db().readBy({ by: 'ana', gone: leaving })
    const asked = [
      reading.copyTo(sql`copy (select stubborn(1)) to stdout`).then(wholeOf),
      wholeOf(reading.snapshot((tx) => tx.rows(sql`select stubborn(1)`) as never)),
    ].map((one) => one.catch(() => undefined))
    await workingOn(2)
    leaving.abort(new ReaderGone())
    let places = db().streamsNow()
    while (places > 0) {
      const now = await working()
      expect(now).toBeLessThanOrEqual(places)
      places = db().streamsNow()
      if (places === 0) expect(now).toBeLessThanOrEqual(1)
    }
    await Promise.all(asked)
    await workingOn(0)
  })

  it('is waited for no longer than budgets.database.cancelSeconds by a statement that does not stop', async () => {
    const leaving = new Ending()
    const asked = db().readBy({ by: 'ana', gone: leaving }).rows(sql`select stubborn(3)`)
    let isOver = false
    const end = asked.catch((error) => {
      isOver = true
      return error
    })
    await workingOn(1)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    leaving.abort(new ReaderGone())
    await vi.advanceTimersByTimeAsync(budgets.database.cancelSeconds * 1000 - 1)
    expect([isOver, await working()]).toEqual([false, 1])
    await vi.advanceTimersByTimeAsync(1)
    expect(await end).toBeInstanceOf(ReaderGone)
    vi.useRealTimers()
    await workingOn(0)
  })

  it('who waits in line leaves it, and who comes too late is not begun', async () => {
    const leaving = new Ending()
    const share = Math.floor(10 * budgets.readers.shareOfOne)
    const napping = new Ending()
    const naps = Array.from({ length: share }, () =>
      db()
        .readBy({ by: 'ana', gone: napping })
        .rows(nap)
        .catch(() => undefined),
    )
    await workingOn(share)
    const waiting = db().readBy({ by: 'ana', gone: leaving }).rows(nap)
    leaving.abort(new ReaderGone())
    await expect(waiting).rejects.toThrow(ReaderGone)
    await expect(db().readBy({ by: 'ben', gone: leaving }).rows(nap)).rejects.toThrow(ReaderGone)
    await expect(db().readBy({ by: 'ben', gone: leaving }).copyTo(nap)).rejects.toThrow(ReaderGone)
    expect(await working()).toBe(share)
    napping.abort(new ReaderGone())
    await Promise.all(naps)
  })
})

describe('questions of many readers', () => {
  const flood = (by: string, count: number, gone: Ending) =>
    Array.from({ length: count }, () =>
      db()
        .readBy({ by, gone })
        .rows(nap)
        .catch(() => undefined),
    )

  it('budgets.readers.shareOfOne of the connections are one reader’s: others are answered while they last', async () => {
    const leaving = new Ending()
    const slow = flood('ana', 40, leaving)
    await workingOn(Math.floor(10 * budgets.readers.shareOfOne))
    for (let n = 0; n < 20; n++) {
      expect(await db().readBy({ by: 'ben' }).one(sql`select ${n}::int as n`)).toEqual({ n })
    }
    expect(await working()).toBe(Math.floor(10 * budgets.readers.shareOfOne))
    leaving.abort(new ReaderGone())
    await Promise.all(slow)
  })

  it('budgets.readers.shareOfPool of them are for all: what is small passes by', async () => {
    const leaving = new Ending()
    const slow = ['ana', 'ben', 'cleo', 'dora'].flatMap((by) => flood(by, 10, leaving))
    await workingOn(10 * budgets.readers.shareOfPool)
    for (let n = 0; n < 20; n++) expect(await db().one(sql`select ${n}::int as n`)).toEqual({ n })
    expect(await db().transaction((tx) => tx.one(sql`select 1 as n`))).toEqual({ n: 1 })
    leaving.abort(new ReaderGone())
    await Promise.all(slow)
  })

  it('a question that is wrong, or a connection that breaks, gives the place back', async () => {
    const reading = db().readBy({ by: 'ana' })
    for (let n = 0; n < 30; n++) {
      await expect(reading.rows(sql`select 1 / 0`)).rejects.toThrow('division by zero')
      await expect(reading.rows(sql`select pg_terminate_backend(pg_backend_pid())`)).rejects.toThrow(
        DatabaseUnavailable,
      )
    }
    expect(await reading.one(sql`select 1 as one`)).toEqual({ one: 1 })
  })
})
