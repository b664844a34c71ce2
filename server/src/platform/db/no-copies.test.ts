// Servers that are named as a copy and are none: they are not read.
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../test/support/embedded.js'
import { type Pair, startPair } from '../../../test/support/standby.js'
import { budgets } from '../../budgets.js'
import { connect } from './connect.js'
import type { Passed } from './db.js'
import { startEmbeddedPostgres } from './embedded/index.js'
import type { Position } from './position.js'
import { sql } from './sql.js'

const ana = { by: 'ana' }
let pair: Pair

beforeAll(async () => {
  pair = await startPair()
}, 120_000)

afterAll(() => pair?.close())

describe('what is no copy of this database', () => {
  it('the database itself, and the copy of another, are not read', async () => {
    const folder = await temporaryFolder()
    const other = await startEmbeddedPostgres({ folder: folder.path, settings: { fsync: 'off' } })
    const itself = connect({ connection: { ...other.connection }, poolSize: 1 })
    await itself.run(sql`create table schema_migrations (id int)`)
    await itself.close()
    const words: string[] = []
    const foreign = connect({
      connection: { ...other.connection },
      replicas: [{ ...pair.toStandby }, { ...other.connection }],
      poolSize: 2,
      onReplica: (_, reason) => words.push(reason),
    })
    while (words.length < 2) await foreign.replicas?.look()
    expect(words.sort()).toEqual([
      'it is a copy of another database',
      'it is no copy: nothing follows the database there',
    ])
    expect(await foreign.reading(ana).one(sql`select pg_is_in_recovery() as copy`)).toEqual({ copy: false })
    await foreign.close()
    await other.stop()
    await folder.remove()
  })

  it('another database of the same cluster is not read, with other tables or none', async () => {
    await pair.atPrimary.query('create database another')
    const another = connect({ connection: { ...pair.primary.connection, database: 'another' }, poolSize: 1 })
    await another.run(sql`create table kept as select 'of others'::text as word`)
    await another.close()
    await pair.atPrimary.query(`create table kept as select 'mine'::text as word`)
    await pair.caughtUp()
    const words: string[] = []
    const node = connect({
      connection: { ...pair.primary.connection },
      replicas: ['another', 'template1'].map((database) => ({ ...pair.toStandby, database })),
      poolSize: 2,
      onReplica: (_, reason) => words.push(reason),
    })
    while (words.length < 2) await node.replicas?.look()
    expect(words).toEqual(Array(2).fill('it is another database of the same cluster'))
    expect(await node.reading(ana).one(sql`select word from kept`)).toEqual({ word: 'mine' })
    await node.close()
  })

  it('a promoted one is not read, also over a connection that was as far: what it answers is thrown away', async () => {
    // Of itself it looks every second, and would see the promotion before somebody reads: here, after an hour.
    const { setTimeout: later } = globalThis
    const hour = 3_600_000
    const waits = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((work: () => void, ms?: number) =>
        later(work, ms === budgets.replicas.lookMs ? hour : ms)) as typeof setTimeout)
    const node = connect({
      connection: { ...pair.primary.connection },
      replicas: [{ ...pair.toStandby }],
      poolSize: 2,
      patienceMs: 30_000,
      onReplica: () => undefined,
    })
    const passed: Passed[] = []
    node.replicas?.watch({ read: () => undefined, passed: (why) => passed.push(why) })
    await node.replicas?.look()
    waits.mockRestore()
    await pair.atPrimary.query(`create table things as select 'ours' as word`)
    const { asOf } = await node.one<{ asOf: Position }>(sql`select ${node.position} as "asOf"`)
    const words = sql`select word, pg_is_in_recovery() as copy from things`
    expect(await node.reading(ana, asOf).rows(words)).toEqual([{ word: 'ours', copy: true }])
    await pair.atStandby.query('select pg_promote()')
    await pair.atStandby.query(`update things set word = 'elsewhere'`)
    expect(await node.reading(ana, asOf).rows(words)).toEqual([{ word: 'ours', copy: false }])
    expect(String(await buffer(await node.reading(ana, asOf).copyTo(sql`copy (${words}) to stdout`)))).toBe('ours\tf\n')
    expect(passed[0]).toBe('refused')
    await node.replicas?.look()
    expect(node.replicas?.reports[0]?.state).toBe('away')
    await node.close()
  })
})
