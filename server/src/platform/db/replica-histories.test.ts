// Whatever is done in whatever order by whomever, through two nodes: an answer is never older than what anybody was told before it
// was asked for.
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Pair, startPair } from '../../../test/support/standby.js'
import { connect } from './connect.js'
import type { Database } from './db.js'
import { sql } from './sql.js'

let pair: Pair
let nodes: readonly Database[] = []
const where = { replica: 0, primary: 0 }

beforeAll(async () => {
  pair = await startPair()
  nodes = [1, 2].map(() =>
    connect({ connection: { ...pair.primary.connection }, replicas: [{ ...pair.toStandby }], poolSize: 6 }),
  )
  for (const node of nodes)
    node.replicas?.watch({
      read: (one) => {
        where[one] += 1
      },
      passed: () => undefined,
    })
  await nodes[0]?.run(sql`create table told (form int primary key, number int not null)`)
  await nodes[0]?.run(sql`insert into told values (1, 0)`)
}, 120_000)

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await pair?.close()
})

const asked = sql`select number from told where form = 1`
const ways: readonly ((db: Database) => Promise<number>)[] = [
  async (db) => (await db.one<{ number: number }>(asked)).number,
  async (db) => {
    let text = ''
    for await (const piece of await db.copyTo(sql`copy (${asked}) to stdout`)) text += piece.toString()
    return Number(text)
  },
  async (db) => {
    let text = ''
    const read = db.snapshot(async (tx) => Readable.from([String((await tx.one<{ number: number }>(asked)).number)]))
    for await (const piece of read) text += piece.toString()
    return Number(text)
  },
]

type Step =
  | { kind: 'write'; node: number }
  | { kind: 'read'; node: number; way: number; withPosition: boolean; twice: boolean }
  | { kind: 'pause' | 'resume' }
  | { kind: 'look'; node: number }

const node = fc.integer({ min: 0, max: 1 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), node }) },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      node,
      way: fc.integer({ min: 0, max: ways.length - 1 }),
      withPosition: fc.boolean(),
      twice: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('look' as const), node }) },
)

let told = 0
const hear = (number: number) => {
  told = Math.max(told, number)
}

const run = async (step: Step): Promise<void> => {
  switch (step.kind) {
    case 'write': {
      const written = await (nodes[step.node] as Database).one<{ number: number }>(sql`
        update told set number = number + 1 where form = 1 returning number`)
      return hear(written.number)
    }
    case 'read': {
      const before = told
      const db = nodes[step.node] as Database
      const { asOf } = step.withPosition
        ? await db.one<{ asOf: string }>(sql`select ${db.position} as "asOf"`)
        : { asOf: undefined }
      const reading = db.reading({ by: `reader ${step.way}` }, asOf)
      const first = await (ways[step.way] as (typeof ways)[number])(reading)
      expect(first).toBeGreaterThanOrEqual(before)
      hear(first)
      if (!step.twice) return
      // Within a request the database itself is asked in between, and what it said is not taken back.
      const current = (await reading.current.one<{ number: number }>(asked)).number
      const second = (await reading.one<{ number: number }>(asked)).number
      expect(second).toBeGreaterThanOrEqual(current)
      return hear(second)
    }
    case 'look':
      return nodes[step.node]?.replicas?.look()
    case 'pause':
    case 'resume':
      await pair.atStandby.query(`select pg_wal_replay_${step.kind}()`)
      return
  }
}

describe('histories', () => {
  it('no answer is older than what anybody was told before it was asked for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(steps, { maxLength: 12 }), { minLength: 2, maxLength: 5 }), async (actors) => {
        await pair.atStandby.query('select pg_wal_replay_resume()')
        await pair.caughtUp()
        for (const db of nodes) while (db.replicas?.reports[0]?.state !== 'ready') await db.replicas?.look()
        await Promise.all(
          actors.map(async (actor) => {
            for (const step of actor) await run(step)
          }),
        )
      }),
      { numRuns: 40 },
    )
    // Both ways were taken.
    expect(Math.min(where.replica, where.primary)).toBeGreaterThan(0)
  })
})
