import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { budgets } from '../../budgets.js'
import { connect, type Database, DatabaseTooSlow, DatabaseUnavailable, sql } from './index.js'

let database: TestDatabase
const db = () => database.db

beforeAll(async () => {
  database = await testDatabase({ from: 'template0', poolSize: 4 })
})
afterAll(() => database.drop())

const manyLines = sql`copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout`

const snapshotOf = (given: Database) =>
  given.snapshot(async (tx) =>
    Readable.from(
      (async function* () {
        for (let n = 0; n < 1000; n++) {
          yield Buffer.alloc(1024, String((await tx.one<{ n: number }>(sql`select ${n}::int as n`)).n))
        }
      })(),
      { objectMode: false },
    ),
  )

const readAll = async (stream: AsyncIterator<Buffer>): Promise<void> => {
  while ((await stream.next()).done !== true);
}

describe('streams', () => {
  it('have connections of their own: statements go on when all of them are taken', async () => {
    const small = connect({ connection: database.connection, poolSize: 2 })
    const open = [await small.copyTo(manyLines), snapshotOf(small)[Symbol.asyncIterator]()]
    for (const stream of open) await stream.next()
    expect(small.streamsNow()).toBe(2)
    expect(small.pool.totalCount).toBe(0)
    expect(await small.one(sql`select 1 as one`)).toEqual({ one: 1 })
    for (const stream of open) await stream.return?.()
    await vi.waitFor(() => expect(small.streamsNow()).toBe(0))
    await small.close()
  })

  it('who gives up before the first piece gives the connection back too', async () => {
    const stream = await db().copyTo(manyLines)
    expect(db().streamsNow()).toBe(1)
    await stream.return()
    await vi.waitFor(() => expect(db().streamsNow()).toBe(0))
  })

  it('a statement that cannot be written out takes neither a place nor a connection', async () => {
    const odd = sql`copy (select ${{} as never}) to stdout`
    await expect(db().copyTo(odd)).rejects.toThrow(TypeError)
    expect(db().streamsNow()).toBe(0)
  })

  it('closing ends those that nobody reads', async () => {
    const small = connect({ connection: database.connection, poolSize: 2 })
    const open = [await small.copyTo(manyLines), snapshotOf(small)[Symbol.asyncIterator]()]
    for (const stream of open) await stream.next()
    await small.close()
    for (const stream of open) await expect(readAll(stream)).rejects.toThrow(DatabaseUnavailable)
  })
})

describe('a statement that takes too long', () => {
  it('is ended by the database and told apart from one that is away', async () => {
    const hasty = connect({ connection: database.connection, poolSize: 2, statementSeconds: 1, streamSeconds: 1 })
    await expect(hasty.rows(sql`select pg_sleep(60)`)).rejects.toThrow(DatabaseTooSlow)
    await expect(hasty.transaction((tx) => tx.rows(sql`select pg_sleep(60)`))).rejects.toThrow(DatabaseTooSlow)
    const slow = await hasty.copyTo(sql`copy (select pg_sleep(60)) to stdout`)
    await expect(slow.next()).rejects.toThrow(DatabaseTooSlow)
    await hasty.close()
  })

  it('is bounded by budgets.database on every connection', async () => {
    const { statementSeconds, receivingSeconds, backgroundSeconds, streamSeconds } = budgets.database
    const idle = budgets.database.idleInTransactionSeconds
    const asked = sql`
      select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`
    const milliseconds = (text: string) =>
      Number.parseInt(text, 10) * (text.endsWith('min') ? 60_000 : text.endsWith('h') ? 3_600_000 : 1000)
    const boundsOf = async ({ one }: Pick<Database, 'one'>) => {
      const { statement, idle } = await one<{ statement: string; idle: string }>(asked)
      return [milliseconds(statement), milliseconds(idle)]
    }
    expect(await boundsOf(db())).toEqual([statementSeconds * 1000, idle * 1000])
    expect(await boundsOf(db().reserved)).toEqual([receivingSeconds * 1000, idle * 1000])
    expect(await boundsOf(db().background)).toEqual([backgroundSeconds * 1000, 0])
    const streamed = await db().copyTo(sql`copy (select current_setting('statement_timeout')) to stdout`)
    expect(milliseconds((await text(streamed)).trim())).toBe(streamSeconds * 1000)
  })
})
