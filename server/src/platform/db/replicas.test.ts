import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { familyOf } from '../../../../harness/src/processes.js'
import { type Pair, startPair } from '../../../test/support/standby.js'
import { budgets } from '../../budgets.js'
import { connect } from './connect.js'
import type { Database, Passed, ReplicaReport } from './db.js'
import { Ending } from './ending.js'
import { ReaderGone } from './faults.js'
import type { Position } from './position.js'
import { CopyLost } from './replicas.js'
import { sql } from './sql.js'

let pair: Pair
let db: Database
const changes: string[] = []
const seen = { replica: 0, primary: 0, passed: [] as Passed[] }

beforeAll(async () => {
  pair = await startPair()
  db = connect({
    connection: { ...pair.primary.connection },
    // The second is never there.
    replicas: [{ ...pair.toStandby }, { host: '/nowhere', user: 'postgres', database: 'sheaf' }],
    poolSize: 4,
    // On a busy machine, what is behind for a moment is not what is meant.
    patienceMs: 30_000,
    onReplica: ({ name, state }: ReplicaReport, reason) => changes.push(`${name} ${state}: ${reason}`),
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

const isReady = () => db.replicas?.reports[0]?.state === 'ready'
/** Until it is as it should be: looks come by themselves, and these are sooner. */
const lookUntil = async (isDone: () => boolean) => {
  while (!isDone()) await db.replicas?.look()
}
const pause = () => pair.atStandby.query('select pg_wal_replay_pause()')
const resume = () => pair.atStandby.query('select pg_wal_replay_resume()')

let last = 0
const write = async (): Promise<number> => {
  last += 1
  await db.run(sql`insert into things values (${last}, ${`word ${last}`})`)
  return last
}

interface Answer {
  readonly newest: number
  readonly copy: boolean
}
const newest = sql`select coalesce(max(id), 0) as newest, pg_is_in_recovery() as copy from things`
const ana = { by: 'ana' }
const read = (reading = db.reading(ana)) => reading.one<Answer>(newest)

const textOf = async (bytes: AsyncIterable<Buffer>): Promise<string> => {
  let text = ''
  for await (const piece of bytes) text += piece.toString()
  return text
}

beforeEach(async () => {
  await lookUntil(isReady)
  Object.assign(seen, { replica: 0, primary: 0, passed: [] })
  changes.length = 0
})

describe('reading a copy', () => {
  it('has what was written a moment ago, also by statements that bring along how far the database is', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const id = await write()
      expect(await read()).toEqual({ newest: id, copy: true })
      const { asOf } = await db.one<{ asOf: Position }>(sql`select ${db.position} as "asOf"`)
      expect(await read(db.reading(ana, asOf))).toEqual({ newest: id, copy: true })
    }
    expect(seen).toEqual({ replica: 40, primary: 0, passed: [] })
  })

  it('asks the database itself for locks, sequences and what it writes; what is read behind that is no older', async () => {
    const reading = db.reading(ana)
    expect(await read(reading)).toMatchObject({ copy: true })
    expect(await reading.current.one(sql`select pg_is_in_recovery() as copy`)).toEqual({ copy: false })
    last += 1
    await reading.transaction((tx) => tx.run(sql`insert into things values (${last}, 'within')`))
    expect(await read(reading)).toEqual({ newest: last, copy: true })
    last += 1
    expect(await reading.run(sql`insert into things values (${last}, 'by itself')`)).toBe(1)
    expect(await read(reading)).toEqual({ newest: last, copy: true })
    const asked = reading.snapshot(async (tx) => tx.current as never)
    await expect(textOf(asked)).rejects.toThrow('only the database itself knows')
  })

  it('writes where that is possible, and says so, should a statement that reads do it', async () => {
    last += 1
    const reading = db.reading(ana)
    expect(await reading.one(sql`insert into things values (${last}, 'read') returning id`)).toEqual({ id: last })
    expect(await read(reading)).toEqual({ newest: last, copy: false })
    expect(seen.passed).toEqual(['write'])
  })

  it('streams and snapshots come from it', async () => {
    const id = await write()
    const reading = db.reading(ana)
    expect(await textOf(await reading.copyTo(sql`copy (${newest}) to stdout`))).toBe(`${id}\tt\n`)
    const snapshot = reading.snapshot(async (tx) => Readable.from([JSON.stringify(await tx.one(newest))]))
    expect(JSON.parse(await textOf(snapshot))).toEqual({ newest: id, copy: true })
    expect(seen).toEqual({ replica: 2, primary: 0, passed: [] })
  })

  it('ends with its reader', async () => {
    const leaving = new Ending()
    const asked = db.reading({ by: 'ana', gone: leaving }).rows(sql`select pg_sleep(60)`)
    const refused = expect(asked).rejects.toThrow(ReaderGone)
    const working = async () => {
      const { rows } = await pair.atStandby.query(
        `select from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()`,
      )
      return rows.length
    }
    await vi.waitFor(async () => expect(await working()).toBe(1), 10_000)
    leaving.abort(new ReaderGone())
    await refused
    await vi.waitFor(async () => expect(await working()).toBe(0), 10_000)
    expect(seen.passed).toEqual([])
  })

  it('is looked for by itself, every budgets.replicas.lookMs', async () => {
    const node = connect({ connection: { ...pair.primary.connection }, replicas: [{ ...pair.toStandby }], poolSize: 2 })
    expect(node.replicas?.reports[0]?.state).toBe('unknown')
    expect(await node.reading(ana).one(newest)).toMatchObject({ copy: false })
    const patience = 60 * budgets.replicas.lookMs
    await vi.waitFor(() => expect(node.replicas?.reports[0]?.state).toBe('ready'), patience)
    await node.close()
  })

  it('is for a role that may do nothing but read all tables, and for none that may not', async () => {
    await pair.atPrimary.query('create role plain login; grant select on things to plain')
    const words: string[] = []
    const plain = connect({
      connection: { ...pair.primary.connection, user: 'plain' },
      replicas: [{ ...pair.toStandby, user: 'plain' }],
      poolSize: 2,
      onReplica: ({ state }, reason) => words.push(`${state}: ${reason}`),
    })
    while (words.length === 0) await plain.replicas?.look()
    expect(words).toEqual([expect.stringMatching(/^away: the role "plain" may not read the table "\w+" there$/)])
    expect(await plain.reading(ana).one(newest)).toEqual({ newest: last, copy: false })
    await pair.atPrimary.query('grant select on all tables in schema public to plain')
    while (plain.replicas?.reports[0]?.state !== 'ready') await plain.replicas?.look()
    expect(await plain.reading(ana).one(newest)).toEqual({ newest: last, copy: true })
    await plain.close()
  })

  it('asks the database itself where the copy lacks a table, a column, a function or a right', async () => {
    await db.run(sql`create function picky(code text) returns text language plpgsql as $$ begin
      if pg_is_in_recovery() then raise exception using errcode = code; end if; return 'here'; end $$`)
    const codes = ['42P01', '3F000', '42703', '42883', '42704', '42501']
    for (const code of codes)
      expect(await db.reading(ana).one(sql`select picky(${code}) as answer`)).toEqual({ answer: 'here' })
    expect(seen.passed).toEqual(codes.map(() => 'refused'))
  })
})

describe('a copy that is behind', () => {
  it('is passed over after budgets.replicas.patienceMs, then at once, and is read again when it has kept up for budgets.replicas.calmLooks', async () => {
    const words: string[] = []
    const passed: Passed[] = []
    const node = connect({
      connection: { ...pair.primary.connection },
      replicas: [{ ...pair.toStandby }],
      poolSize: 2,
      onReplica: ({ state }, reason) => words.push(`${state}: ${reason}`),
    })
    node.replicas?.watch({ read: () => undefined, passed: (why) => passed.push(why) })
    const state = () => node.replicas?.reports[0]?.state
    while (state() !== 'ready') await node.replicas?.look()
    await pause()
    const id = await write()
    expect(await read(node.reading(ana))).toEqual({ newest: id, copy: false })
    expect(await read(node.reading(ana))).toEqual({ newest: id, copy: false })
    expect([state(), ...passed]).toEqual(['behind', 'lag', 'lag'])
    expect(words.at(-1)).toMatch(/^behind: it is (more than 100 ms|\d+ bytes) behind$/)
    await node.replicas?.look()
    expect(node.replicas?.reports[0]?.lagBytes).toBeGreaterThan(0)
    await resume()
    await pair.caughtUp()
    let looks = 0
    for (; state() !== 'ready'; looks++) await node.replicas?.look()
    expect(looks).toBeGreaterThanOrEqual(budgets.replicas.calmLooks - 1)
    expect(words.at(-1)).toBe('ready: it has everything')
    await node.close()
  })

  it('is waited for where it comes soon, with pauses from budgets.replicas.pauseMs up to budgets.replicas.mostPauseMs', async () => {
    await pause()
    const id = await write()
    const asked = read()
    const working = async () => {
      const { rows } = await pair.atStandby.query(
        `select from pg_stat_activity where query like '%pg_last_wal_replay_lsn()%' and pid <> pg_backend_pid()`,
      )
      return rows.length
    }
    await vi.waitFor(async () => expect(await working()).toBeGreaterThan(0), 10_000)
    await resume()
    expect(await asked).toEqual({ newest: id, copy: true })
    expect(budgets.replicas.pauseMs).toBeLessThan(budgets.replicas.mostPauseMs)
  })

  it('answers whoever needs no more than it has', async () => {
    const { asOf } = await db.one<{ asOf: Position }>(sql`select ${db.position} as "asOf"`)
    await pair.caughtUp()
    const before = await read()
    await pause()
    await write()
    expect(await read(db.reading(ana, asOf))).toEqual(before)
    await resume()
  })
})

describe('a copy that gives up because of what arrives', () => {
  const vacuum = async () => {
    await db.run(sql`delete from things`)
    await pair.atPrimary.query('vacuum things')
  }
  /** Sleeps at a copy alone. */
  const nap = sql`select coalesce(case when pg_is_in_recovery() then pg_sleep(60)::text end, 'here') as nap from things limit 1`
  const working = () =>
    vi.waitFor(async () => {
      const { rows } = await pair.atStandby.query(
        `select from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()`,
      )
      expect(rows).toHaveLength(1)
    }, 10_000)

  it('a question, and a copy before its first piece, begin again in the database itself', async () => {
    for (const ask of [
      async () => (await db.reading(ana).rows(nap)).length,
      async () => (await textOf(await db.reading(ana).copyTo(sql`copy (${nap}) to stdout`))).length,
    ]) {
      await write()
      await write()
      await pair.caughtUp()
      const asked = ask()
      await working()
      await vacuum()
      expect(await asked).toBe(0)
    }
    expect(seen.passed).toEqual(['conflict', 'conflict'])
    expect(isReady()).toBe(true)
  })

  it('behind the first piece it ends as broken', async () => {
    await write()
    await pair.caughtUp()
    const stream = await db.reading(ana).copyTo(sql`
      copy (select case when n > 20000 and pg_is_in_recovery() then pg_sleep(60)::text else repeat('x', 100) end
        from things, generate_series(1, 20010) n where things.id = ${last}) to stdout`)
    const whole = textOf(stream)
    const broken = expect(whole).rejects.toThrow(CopyLost)
    await working()
    await vacuum()
    await broken
    // What is read next comes from there again.
    expect(await read()).toMatchObject({ copy: true })
  })
})

describe('a copy that is away', () => {
  it('killed while it is read: what has begun ends as broken, everything else comes from the database itself, until it is back', async () => {
    const id = await write()
    const stream = await db.reading(ana).copyTo(sql`
      copy (select repeat('x', 1000) from generate_series(1, 1000000)) to stdout`)
    const begun = db.reading(ana)
    expect(await read(begun)).toMatchObject({ copy: true })
    await pair.killStandby()
    await expect(textOf(stream)).rejects.toThrow(CopyLost)
    expect(await read(begun)).toEqual({ newest: id, copy: false })
    expect(await read()).toEqual({ newest: id, copy: false })
    expect(changes).toContainEqual(expect.stringContaining(' away: '))
    await pair.startStandby()
    await lookUntil(isReady)
    expect(await read()).toEqual({ newest: id, copy: true })
  })
})

describe('a copy that is silent', () => {
  it('is away after budgets.replicas.askSeconds; who waits for its answer gets that of the database itself', async () => {
    const id = await write()
    await pair.caughtUp()
    const begun = db.reading(ana)
    expect(await read(begun)).toEqual({ newest: id, copy: true })
    const processes = familyOf(pair.standby.pid)
    for (const pid of processes) process.kill(pid, 'SIGSTOP')
    try {
      const asked = read(begun)
      await lookUntil(() => !isReady())
      expect(await asked).toEqual({ newest: id, copy: false })
      expect(changes[0]).toMatch(/away: Query read timeout$/)
      expect(budgets.replicas.askSeconds).toBeLessThan(10)
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT')
    }
  })

  it('is away after budgets.replicas.connectSeconds where nobody answers at its address', async () => {
    const sockets = new Set<Socket>()
    const nobody = createServer((socket) => sockets.add(socket))
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve))
    const { port } = nobody.address() as AddressInfo
    const words: string[] = []
    const node = connect({
      connection: { ...pair.primary.connection },
      replicas: [{ host: '127.0.0.1', port, user: 'postgres', database: 'sheaf' }],
      poolSize: 2,
      onReplica: ({ name, state }, reason) => words.push(`${name} ${state}: ${reason}`),
    })
    await node.replicas?.look()
    expect(words).toEqual([expect.stringMatching(new RegExp(`^127.0.0.1:${port} away: .*timeout`))])
    expect(budgets.replicas.connectSeconds).toBeLessThan(10)
    await node.close()
    for (const socket of sockets) socket.destroy()
    nobody.close()
  })
})
