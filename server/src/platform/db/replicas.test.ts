import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Pair, startPair } from '../../../test/support/standby.js'
import { budgets } from '../../budgets.js'
import { connect } from './connect.js'
import type { Database, Passed, ReplicaReport } from './db.js'
import { sql } from './sql.js'

let pair: Pair
let db: Database
const changes: string[] = []
const seen = { replica: 0, primary: 0, passed: [] as Passed[] }

beforeAll(async () => {
  pair = await startPair()
  db = connect({
    connection: { ...pair.primary.connection },
    replicas: [{ ...pair.standby.connection }],
    poolSize: 4,
    onReplica: ({ state }: ReplicaReport, reason) => changes.push(`${state}: ${reason}`),
  })
  db.replicas?.watch({
    read: (where) => {
      seen[where] += 1
    },
    passed: (why) => seen.passed.push(why),
  })
  await db.run(sql`create table things (id int primary key, word text)`)
}, 120_000)

afterAll(async () => {
  await db?.close()
  await pair?.close()
})

describe('reading a copy', () => {
  it('works', async () => {
    await db.replicas?.look()
    expect(db.replicas?.reports).toMatchObject([{ state: 'ready' }])
    expect(budgets.replicas.lookMs).toBe(1000)
    await db.run(sql`insert into things values (1, 'one')`)
    const reading = db.reading({ by: 'ana' })
    expect(await reading.rows(sql`select word, pg_is_in_recovery() as copy from things`)).toEqual([
      { word: 'one', copy: true },
    ])
    expect(seen).toEqual({ replica: 1, primary: 0, passed: [] })
    vi.fn()
  })
})
