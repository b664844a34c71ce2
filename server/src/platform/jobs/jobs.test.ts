import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { budgets } from '../../budgets.js'
import { sql } from '../db/index.js'
import { openLog } from '../telemetry/index.js'
import {
  defineJob,
  enqueue,
  JobHandlers,
  type JobRunner,
  JobStopped,
  JobTooLong,
  runPendingJobs,
  startJobs,
} from './index.js'

const job = defineJob<{ n: number }>('test.note', { maxAttempts: 3 })

let database: TestDatabase
let handlers: JobHandlers
let runner: JobRunner | undefined
let seen: number[]
let onSeen: () => void
const lines: string[] = []
const log = openLog('warn', { write: (line) => lines.push(line) })

beforeEach(async () => {
  database = await testDatabase()
  handlers = new JobHandlers()
  seen = []
  onSeen = () => undefined
  handlers.handle(job, async ({ n }) => {
    seen.push(n)
    onSeen()
  })
})
afterEach(async () => {
  await runner?.stop()
  runner = undefined
  await database.drop()
})

const until = (condition: () => boolean) =>
  new Promise<void>((resolve) => {
    onSeen = () => condition() && resolve()
    onSeen()
  })

describe('enqueue', () => {
  it('a job of a transaction that rolls back never runs; one that commits runs once', async () => {
    await expect(
      database.db.transaction(async (tx) => {
        await enqueue(tx, job, { n: 1 })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await database.db.transaction((tx) => enqueue(tx, job, { n: 2 }))
    await runPendingJobs(database.db, handlers, log)
    await runPendingJobs(database.db, handlers, log)
    expect(seen).toEqual([2])
  })

  it('a later time waits; the same key replaces what has not started', async () => {
    await enqueue(database.db, job, { n: 1 }, { runAt: new Date(Date.now() + 60_000) })
    await enqueue(database.db, job, { n: 2 }, { key: 'k' })
    await enqueue(database.db, job, { n: 3 }, { key: 'k' })
    await runPendingJobs(database.db, handlers, log)
    expect(seen).toEqual([3])
  })
})

describe('jobs of one queue', () => {
  it('run one after the other, in their order, and those of others beside them', async () => {
    for (const n of [1, 2, 3]) await enqueue(database.db, job, { n }, { queue: 'ana' })
    await enqueue(database.db, job, { n: 4 }, { queue: 'ben' })
    await runPendingJobs(database.db, handlers, log)
    expect([...seen].sort()).toEqual([1, 2, 3, 4])
    expect(seen.filter((n) => n < 4)).toEqual([1, 2, 3])
  })

  it('never take more than one worker', async () => {
    const finish: (() => void)[] = []
    const slow = defineJob<{ n: number }>('test.slow', { maxAttempts: 1 })
    handlers.handle(slow, async ({ n }) => {
      seen.push(n)
      onSeen()
      await new Promise<void>((done) => finish.push(done))
    })
    runner = await startJobs(database.db, handlers, log, { concurrency: 4, pollMilliseconds: 50 })
    for (const n of [1, 2, 3, 5, 6]) await enqueue(database.db, slow, { n }, { queue: 'ana' })
    await enqueue(database.db, slow, { n: 4 }, { queue: 'ben' })
    await until(() => seen.includes(4))
    expect([...seen].sort()).toEqual([1, 4])
    onSeen = () => {
      for (const done of finish.splice(0)) done()
    }
    onSeen()
    while (seen.length < 6) {
      onSeen()
      await new Promise((resolve) => setImmediate(resolve))
    }
    onSeen()
    while ((await database.db.rows(sql`select from graphile_worker.jobs`)).length > 0) onSeen()
    expect(seen.filter((n) => n !== 4)).toEqual([1, 2, 3, 5, 6])
  })
})

describe('startJobs', () => {
  it('runs what is enqueued while it runs, without a second process asking', async () => {
    runner = await startJobs(database.db, handlers, log, { concurrency: 2 })
    for (let n = 0; n < 20; n++) await enqueue(database.db, job, { n })
    await until(() => seen.length === 20)
    expect(new Set(seen).size).toBe(20)
  })

  it('stop waits for the job in hand', async () => {
    let finish = () => {}
    let isDone = false
    const slow = defineJob<object>('test.slow', { maxAttempts: 1 })
    const started = new Promise<void>((resolve) => {
      handlers.handle(slow, async () => {
        resolve()
        await new Promise<void>((done) => {
          finish = done
        })
        isDone = true
      })
    })
    runner = await startJobs(database.db, handlers, log, { concurrency: 1 })
    await enqueue(database.db, slow, {})
    await started
    const stopping = runner.stop()
    expect(isDone).toBe(false)
    finish()
    await stopping
    expect(isDone).toBe(true)
  })

  it('a job that fails is tried again later; it is logged once, and its payload stays out of the log', async () => {
    lines.splice(0)
    handlers.handle(defineJob('test.fail', { maxAttempts: 3 }), async () => {
      throw new Error('broken')
    })
    await enqueue(database.db, { name: 'test.fail', maxAttempts: 3 }, { secret: 'hush' })
    await runPendingJobs(database.db, handlers, log)
    const [row] = await database.db.rows<{ attempts: number; later: boolean }>(sql`
      select attempts, run_at > now() as later from graphile_worker.jobs where task_identifier = 'test.fail'`)
    expect(row).toEqual({ attempts: 1, later: true })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', job: 'test.fail', attempt: 1, of: 3, err: { message: 'broken' }, msg: 'job failed' },
    ])
    expect(lines.join()).not.toContain('hush')
  })

  it('mails are in hand budgets.mail.jobsAtOnce at a time, and other jobs pass by; none of them is left behind', async () => {
    const mail = defineJob<{ n: number }>('test.mail', { maxAttempts: 1, kind: 'mail' })
    const waiting: (() => void)[] = []
    let most = 0
    handlers.handle(mail, async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        most = Math.max(most, waiting.length)
      })
    })
    for (let n = 0; n < 12; n++) await enqueue(database.db, mail, { n })
    runner = await startJobs(database.db, handlers, log, { concurrency: 4, pollMilliseconds: 20 })
    await expect.poll(() => waiting.length).toBe(budgets.mail.jobsAtOnce)
    for (let n = 0; n < 5; n++) await enqueue(database.db, job, { n })
    await until(() => seen.length === 5)
    expect(waiting).toHaveLength(budgets.mail.jobsAtOnce)
    let sent = 0
    await expect
      .poll(
        () => {
          for (const finish of waiting.splice(0)) {
            finish()
            sent += 1
          }
          return sent
        },
        { timeout: 20_000 },
      )
      .toBe(12)
    expect(most).toBe(budgets.mail.jobsAtOnce)
  })

  it('long jobs are in hand budgets.jobs.longAtOnce at a time: mails and others pass by, whoever sent the long ones', async () => {
    const long = defineJob<{ n: number }>('test.export', { maxAttempts: 1, kind: 'long' })
    const mail = defineJob<{ n: number }>('test.letter', { maxAttempts: 1, kind: 'mail' })
    const waiting: (() => void)[] = []
    const mailed: number[] = []
    let isOver = false
    handlers.handle(long, () => (isOver ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))))
    handlers.handle(mail, async ({ n }) => void mailed.push(n))
    for (let n = 0; n < 8; n++) await enqueue(database.db, long, { n }, { queue: `exports:${n}` })
    runner = await startJobs(database.db, handlers, log, { concurrency: 4, pollMilliseconds: 20 })
    await expect.poll(() => waiting.length).toBe(budgets.jobs.longAtOnce)
    for (let n = 0; n < 5; n++) await enqueue(database.db, job, { n })
    for (let n = 0; n < 5; n++) await enqueue(database.db, mail, { n })
    await expect.poll(() => [seen.length, mailed.length]).toEqual([5, 5])
    expect(waiting).toHaveLength(budgets.jobs.longAtOnce)
    isOver = true
    for (const finish of waiting) finish()
    // What is in hand when the runner stops is put back into the queue, which the end of the test would take away.
    const left = () => database.db.rows(sql`select from graphile_worker.jobs`)
    await expect.poll(async () => (await left()).length, { timeout: 20_000 }).toBe(0)
  })

  it('goes on after the database has cut every connection', async () => {
    runner = await startJobs(database.db, handlers, log, { concurrency: 1, pollMilliseconds: 50 })
    await database.db.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    await enqueue(database.db, job, { n: 7 })
    await until(() => seen.includes(7))
  })

  it('goes on when the database failed in the very moment of the start', async () => {
    await database.db.run(sql`alter table graphile_worker._private_tasks rename to away`)
    runner = await startJobs(database.db, handlers, log, { concurrency: 1, pollMilliseconds: 50 })
    const failed = () => lines.some((line) => line.includes('the job runner stopped'))
    while (!failed()) await new Promise((resolve) => setImmediate(resolve))
    await database.db.run(sql`alter table graphile_worker.away rename to _private_tasks`)
    await enqueue(database.db, job, { n: 8 })
    await until(() => seen.includes(8))
  })

  it('two handlers for one job are a mistake of ours', () => {
    expect(() => handlers.handle(job, async () => {})).toThrow(/two handlers/)
  })
})

describe('a job in hand', () => {
  const long = defineJob<object>('test.long', { maxAttempts: 5 })

  /** Handles `long` by waiting for its signal; says when it began, and what it was told. */
  const waiting = (job = long) => {
    const reasons: unknown[] = []
    let begun = () => {}
    const started = new Promise<void>((resolve) => {
      begun = resolve
    })
    handlers.handle(job, (_, { signal }) => {
      begun()
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason)
          reject(signal.reason)
        })
      })
    })
    return { started, reasons }
  }

  const stored = () =>
    database.db.rows<{ attempts: number; isFree: boolean }>(sql`
      select attempts, locked_at is null as "isFree" from graphile_worker.jobs order by id`)

  it('gives way when the server stops, and is tried again by the next one', async () => {
    const { started, reasons } = waiting()
    runner = await startJobs(database.db, handlers, log, { concurrency: 1 })
    await enqueue(database.db, long, {})
    await started
    await runner.stop()
    expect(reasons).toEqual([expect.any(JobStopped)])
    expect(await stored()).toEqual([{ attempts: 1, isFree: true }])
  })

  it('that does not give way holds the server up for budgets.jobs.graceMs and no longer', async () => {
    expect(budgets.jobs.graceMs).toBeLessThan(30_000)
    let finish = () => {}
    const stubborn = defineJob<object>('test.stubborn', { maxAttempts: 1 })
    const started = new Promise<void>((resolve) => {
      handlers.handle(stubborn, () => {
        resolve()
        return new Promise<void>((done) => {
          finish = done
        })
      })
    })
    runner = await startJobs(database.db, handlers, log, { concurrency: 1, graceMs: 200 })
    await enqueue(database.db, stubborn, {})
    await started
    const before = performance.now()
    await runner.stop()
    expect(performance.now() - before).toBeGreaterThanOrEqual(190)
    expect(lines.join()).toContain('did not give way')
    finish()
    while ((await stored()).length > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('is told when it has taken as long as it may, and others go on', async () => {
    const short = defineJob<object>('test.short', { maxAttempts: 2, seconds: 0.05 })
    const { reasons } = waiting(short)
    await enqueue(database.db, short, {})
    await enqueue(database.db, job, { n: 4 })
    await runPendingJobs(database.db, handlers, log)
    expect([reasons, seen]).toEqual([[expect.any(JobTooLong)], [4]])
    expect(defineJob('test.other', { maxAttempts: 1 }).seconds ?? budgets.jobs.seconds).toBe(budgets.jobs.seconds)
  })

  it('of a process that is gone is free at once for a server that has the database to itself', async () => {
    await enqueue(database.db, job, { n: 11 })
    await database.db.run(sql`
      update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker-of-another'`)
    await database.db.run(sql`insert into job_workers values ('worker-of-another', now())`)
    runner = await startJobs(database.db, handlers, log, { concurrency: 1, pollMilliseconds: 20 })
    await expect.poll(() => database.db.rows(sql`select from job_workers`)).toHaveLength(2)
    expect([await stored(), seen]).toEqual([[{ attempts: 0, isFree: false }], []])
    await runner.stop()
    runner = await startJobs(database.db, handlers, log, { concurrency: 1, isAlone: true })
    await until(() => seen.includes(11))
    await expect.poll(stored).toEqual([])
  })

  it('of a process that is silent for budgets.jobs.silentMs is free for others; of one that lives it is not', async () => {
    const { started } = waiting()
    const { beatMs, silentMs } = budgets.jobs
    expect(silentMs).toBeGreaterThanOrEqual(5 * beatMs)
    runner = await startJobs(database.db, handlers, log, { concurrency: 1, beatMs: 20 })
    await enqueue(database.db, long, {})
    await started
    // As old as a lock of somebody who was killed: of the two, one says that it lives.
    await enqueue(database.db, job, { n: 9 })
    await database.db.run(sql`insert into job_workers values ('worker-of-another', now() - interval '50 seconds')`)
    await database.db.run(sql`
      update graphile_worker._private_jobs set locked_at = now() - interval '1 hour',
        locked_by = coalesce(locked_by, 'worker-of-another')`)
    const lived = async () =>
      (await database.db.one<{ at: Date }>(sql`select max(seen_at) as at from job_workers`)).at.getTime()
    const first = await lived()
    while ((await lived()) === first) await new Promise((resolve) => setImmediate(resolve))
    expect((await stored()).map(({ isFree }) => isFree)).toEqual([false, false])
    await database.db.run(sql`
      update job_workers set seen_at = now() - interval '61 seconds' where worker_id = 'worker-of-another'`)
    for (;;) {
      const [one, other] = await stored()
      expect(one?.isFree).toBe(false)
      if (other === undefined || other.isFree) break
    }
  })
})
