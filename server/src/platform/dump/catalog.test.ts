import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { sql } from '../db/index.js'
import { listTables, type TableShape } from './catalog.js'
import { isEmptyDatabase, whileHolding } from './index.js'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ from: 'template0' })
})
afterAll(() => database.drop())

describe('rows', () => {
  const keys = ['a_b', 'aaa', 'B-c', 'Bob', 'ana', 'Zebra', 'é', 'zz']
  const readFrom = async ({ db }: TestDatabase): Promise<{ rows: string; order: readonly string[] }> => {
    await db.run(sql`create table words (word text, place int, primary key (word, place))`)
    await db.run(sql`insert into words select word, 1 from unnest(${keys}::text[]) word`)
    return whileHolding(db, 4711, ({ takeSnapshot }) =>
      takeSnapshot(async (snapshot) => {
        const [shape] = (await snapshot.tables([])).filter(({ name }) => name === 'words')
        const pieces: Buffer[] = []
        for await (const piece of snapshot.rowsOf(shape as TableShape)) pieces.push(piece)
        return { rows: Buffer.concat(pieces).toString(), order: shape?.order ?? [] }
      }),
    )
  }

  it('come in the order of bytes, whatever the language of the database', async () => {
    const ofLanguage = await testDatabase({ from: 'template0', locale: 'en-US' })
    try {
      const [first, second] = [await readFrom(database), await readFrom(ofLanguage)]
      expect(second.rows).toBe(first.rows)
      expect(second.rows).toBe(
        keys
          .sort()
          .map((word) => `${word}\t1\n`)
          .join(''),
      )
      expect(second.order).toEqual(['word collate "C"', 'place'])
      // Along the index, where that has this order.
      expect(first.order).toEqual(['word', 'place'])
    } finally {
      await ofLanguage.drop()
      await database.db.run(sql`drop table words`)
    }
  })
})

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
