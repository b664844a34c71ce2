import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { type Db, sql } from '../../platform/db/index.js'
import {
  advancePush,
  claimDeliveries,
  clearDeliveries,
  hastenDeliveries,
  insertPush,
  listExistingPushes,
  retryDelivery,
  writeOutcomes,
} from './index.js'

let database: TestDatabase
let db: Db
let formId: number
const now = new Date('2026-05-01T10:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

beforeEach(async () => {
  database = await testDatabase()
  db = database.db
  const { id: userId } = await db.one<{ id: number }>(sql`
    insert into users (username, joined_at) values ('ana', ${now}) returning id`)
  const { id: projectId } = await db.one<{ id: number }>(sql`
    insert into projects (name, name_key, owner_id, created_by, created_at, modified_at)
    values ('P', 'p', ${userId}, ${userId}, ${now}, ${now}) returning id`)
  formId = (
    await db.one<{ id: number }>(sql`
      insert into forms (project_id, owner_id, uuid, id_string, id_key, sms_id_string, title, created_at, modified_at,
        published_at)
      values (${projectId}, ${userId}, 'u', 'f', 'f', 'f', 'f', ${now}, ${now}, ${now}) returning id`)
  ).id
})
afterEach(() => database.drop())

let made = 0
const addService = async () =>
  (
    await db.one<{ id: number }>(sql`
      insert into rest_services (form_id, kind, service_url, secret, acts_for, created_at, modified_at)
      select id, 'generic_json', ${`http://${++made}`}, '', owner_id, ${now}::timestamptz, ${now}::timestamptz
      from forms where id = ${formId}
      returning id`)
  ).id

const addDeliveries = (serviceId: number, count: number) =>
  db.run(sql`
    insert into deliveries (service_id, form_id, submission_id, cause, due_at, created_at)
    select ${serviceId}::int, ${formId}::int, number, 'created', ${now}::timestamptz, ${now}::timestamptz
    from generate_series(1, ${count}::int) number`)

const claim = (executor: Db, serviceId: number, free: number, at = now) =>
  claimDeliveries(executor, [{ serviceId, free }], { now: at, seconds: 60 })

/** As if so much time had gone by for what is claimed. */
const runOut = (seconds: number) =>
  db.run(sql`
    update deliveries set claimed_until = claimed_until - ${seconds} * interval '1 second',
      due_at = due_at - ${seconds} * interval '1 second' where claimed_until is not null`)

describe('claimDeliveries', () => {
  it('takes the oldest, each once, until the claim runs out', async () => {
    const service = await addService()
    await addDeliveries(service, 5)
    const ids = async () => (await claim(db, service, 3, new Date())).map((one) => one.submissionId).sort()
    expect(await ids()).toEqual([1, 2, 3])
    expect(await ids()).toEqual([4, 5])
    await runOut(30)
    expect(await ids()).toEqual([])
    await runOut(31)
    expect(await ids()).toEqual([1, 2, 3])
  })

  it('takes nothing that somebody has in hand, however far the clock of a node is ahead', async () => {
    const service = await addService()
    await addDeliveries(service, 2)
    expect(await claim(db, service, 1)).toHaveLength(1)
    const ahead = new Date(Date.now() + 3_600_000)
    expect((await claim(db, service, 4, ahead)).map((one) => one.submissionId)).toEqual([2])
    const { id } = await db.one<{ id: number }>(sql`select min(id) as id from deliveries`)
    expect(await retryDelivery(db, { id: service, formId }, id, ahead)).toBeUndefined()
    await hastenDeliveries(db, service, ahead)
    expect(await claim(db, service, 4, ahead)).toEqual([])
    await runOut(61)
    expect(await claim(db, service, 4, ahead)).toHaveLength(2)
  })

  it('the outcome of a claim that somebody else has taken over is void', async () => {
    const service = await addService()
    await addDeliveries(service, 1)
    const [first] = await claim(db, service, 1)
    await runOut(61)
    const [second] = await claim(db, service, 1, new Date())
    const outcome = {
      state: 'failed',
      dueAt: now,
      status: 500,
      error: 'late',
      response: '',
      isInterrupted: false,
    } as const
    if (first === undefined || second === undefined) throw new Error('There was nothing to claim')
    expect(
      await writeOutcomes(db, [{ ...outcome, serviceId: service, id: first.id, claimNo: first.claimNo }], now),
    ).toBe(0)
    expect(
      await writeOutcomes(db, [{ ...outcome, serviceId: service, id: second.id, claimNo: second.claimNo }], now),
    ).toBe(1)
  })

  it('the outcome of a claim stays void after a retry by hand, however often it starts from the beginning', async () => {
    const service = await addService()
    await addDeliveries(service, 1)
    const [first] = await claim(db, service, 1)
    if (first === undefined) throw new Error('There was nothing to claim')
    await runOut(61)
    await retryDelivery(db, { id: service, formId }, first.id, later(61))
    const [second] = await claim(db, service, 1, later(62))
    expect(second).toMatchObject({ id: first.id, tries: 1, claimNo: 2 })
    const outcome = { state: 'failed', dueAt: now, status: 404, error: '', response: '', isInterrupted: false } as const
    const late = { ...outcome, serviceId: service, id: first.id, claimNo: first.claimNo }
    expect(await writeOutcomes(db, [late], later(63))).toBe(0)
  })

  it('takes what is of the form that the service belongs to; anything else never holds its slots', async () => {
    const service = await addService()
    await addDeliveries(service, 4)
    await db.run(sql`update deliveries set form_id = ${formId} + 1 where submission_id <= 3`)
    expect((await claim(db, service, 1)).map((one) => one.submissionId)).toEqual([4])
  })

  it('takes nothing of a deleted form', async () => {
    const service = await addService()
    await addDeliveries(service, 1)
    await db.run(sql`update forms set deleted_at = ${now}`)
    expect(await claim(db, service, 1)).toEqual([])
    expect(await db.one(sql`select tries from deliveries`)).toEqual({ tries: 0 })
  })

  it('passes over what another transaction holds, without waiting', async () => {
    const service = await addService()
    await addDeliveries(service, 4)
    const [mine, theirs] = await db.transaction(async (tx) => {
      const held = await claim(tx, service, 2)
      return [held, await claim(db, service, 4)]
    })
    expect(mine).toHaveLength(2)
    expect(theirs.map(({ id }) => id).filter((id) => mine.some((one) => one.id === id))).toEqual([])
  })

  const countRead = async (tx: Db) =>
    (
      await tx.one<{ rows: number }>(sql`
        select idx_tup_fetch + seq_tup_read as rows from pg_stat_xact_user_tables where relname = 'deliveries'`)
    ).rows
  /** What one claim and its outcomes read of the table; what the session read before may be counted still. */
  const rowsRead = (service: number) =>
    db.transaction(async (tx) => {
      const before = await countRead(tx)
      const claims = await claim(tx, service, 4)
      const done = {
        state: 'delivered',
        dueAt: now,
        status: 200,
        error: null,
        response: '',
        isInterrupted: false,
      } as const
      const outcomes = claims.map(({ serviceId, id, claimNo }) => ({ ...done, serviceId, id, claimNo }))
      expect(await writeOutcomes(tx, outcomes, now)).toBe(4)
      return (await countRead(tx)) - before
    })

  it('reads a handful of rows however many wait, also before the tables were ever analyzed', async () => {
    const service = await addService()
    await addDeliveries(service, 5000)
    expect(await rowsRead(service)).toBeLessThan(50)
  })

  it('reads a handful of rows with statistics of a backlog and of a log, time after time', async () => {
    const [service, other] = [await addService(), await addService()]
    await addDeliveries(other, 60_000)
    await db.run(sql`update deliveries set state = 'delivered', finished_at = ${now}`)
    await addDeliveries(service, 60_000)
    await db.run(sql`analyze deliveries`)
    // After five executions a prepared statement may get a plan for all values.
    for (let n = 0; n < 7; n++) expect(await rowsRead(service)).toBeLessThan(50)
  }, 60_000)
})

describe('a push', () => {
  const addSubmissions = (count: number) =>
    db.run(sql`
      insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
        modified_at, change_no, media_total, media_count, attachments)
      select ${formId}, number, number::text, '', '{}', '1', 1, 'data', 'submitted_via_web',
        ${now}::timestamptz + number * interval '1 second', ${now}, number, 0, 0, '[]'
      from generate_series(1, ${count}::int) number`)

  const push = async (serviceId: number, cause: 'existing' | 'replayed', from: Date | null, to: Date | null) => {
    const { id: requestedBy } = await db.one<{ id: number }>(sql`select id from users limit 1`)
    return insertPush(db, { serviceId, formId, cause, from, to, startsAt: now, requestedBy, now })
  }
  const advance = async () => {
    for (const { id } of await db.rows<{ id: number }>(sql`select id from delivery_pushes where finished_at is null`)) {
      await advancePush(db, id, later(1))
    }
  }
  const waiting = async () =>
    (await db.one<{ count: number }>(sql`select count(*) from deliveries where state = 'pending'`)).count
  const deliverAll = () => db.run(sql`update deliveries set state = 'delivered', finished_at = ${now}`)

  it('makes a few hundred deliveries at a time, and ends when the last has arrived', async () => {
    const service = await addService()
    await addSubmissions(1200)
    expect(await push(service, 'existing', null, null)).toBe(1200)
    await advance()
    await advance()
    expect(await waiting()).toBe(500)
    const sizes = []
    while ((await listExistingPushes(db, [service]))[0]?.finishedAt === null) {
      await deliverAll()
      await advance()
      sizes.push(await waiting())
    }
    expect(sizes).toEqual([500, 200, 0])
    expect(await listExistingPushes(db, [service])).toMatchObject([{ total: 1200, done: 1200 }])
  })

  it('ends when all of it was tried, though one fails for ever', async () => {
    const service = await addService()
    await addSubmissions(3)
    await push(service, 'existing', null, null)
    await advance()
    const claims = await claim(db, service, 3, later(1))
    await advance()
    expect(await listExistingPushes(db, [service])).toMatchObject([{ finishedAt: null }])
    const outcomes = claims.map(({ id, claimNo, submissionId }) => ({
      serviceId: service,
      id,
      claimNo,
      state: submissionId === 2 ? ('pending' as const) : ('delivered' as const),
      dueAt: later(60),
      status: null,
      error: null,
      response: null,
      isInterrupted: false,
    }))
    await writeOutcomes(db, outcomes, now)
    await advance()
    expect(await listExistingPushes(db, [service])).toMatchObject([{ finishedAt: later(1) }])
  })

  it('of existing data runs once at a time; a replay takes its window, both ends included', async () => {
    const service = await addService()
    await addSubmissions(10)
    await push(service, 'existing', null, null)
    await push(service, 'existing', null, null)
    const { count } = await db.one<{ count: number }>(sql`select count(*) from delivery_pushes`)
    expect(count).toBe(1)
    await db.run(sql`delete from delivery_pushes`)
    expect(await push(service, 'replayed', later(3), later(5))).toBe(3)
    await advance()
    const rows = await db.rows<{ id: number }>(sql`select submission_id as id from deliveries order by id`)
    expect(rows.map(({ id }) => id)).toEqual([3, 4, 5])
  })
})

describe('clearDeliveries', () => {
  it('takes what has waited all the time, and leaves what somebody has asked for since', async () => {
    const service = await addService()
    await addDeliveries(service, 2)
    const { id } = await db.one<{ id: number }>(sql`select min(id) as id from deliveries`)
    await retryDelivery(db, { id: service, formId }, id, later(100))
    expect(await clearDeliveries(db, later(50), 10)).toBe(true)
    expect(await db.rows(sql`select id from deliveries`)).toEqual([{ id }])
  })

  it('goes in steps, and says when it is done', async () => {
    const service = await addService()
    await addDeliveries(service, 5)
    await db.run(sql`update deliveries set state = 'delivered', finished_at = ${now}`)
    expect(await clearDeliveries(db, now, 2)).toBe(true)
    expect([await clearDeliveries(db, later(1), 2), await clearDeliveries(db, later(1), 2)]).toEqual([false, false])
    expect(await clearDeliveries(db, later(1), 2)).toBe(true)
  })
})
