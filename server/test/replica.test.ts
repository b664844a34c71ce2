// The application with a real streaming replica: what is read from it is what the database itself would have said, nobody is told
// something older than before, and a right that was taken away ends at once.
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, sql } from '../src/platform/db/index.js'
import { runPendingJobs } from '../src/platform/jobs/index.js'
import { type Account, testApp } from './support/app.js'
import { giveRole, newForm, type Place, put, unzipped } from './support/data.js'
import { newDataview } from './support/dataviews.js'
import { type Pair, startPair } from './support/standby.js'

let pair: Pair

const app = testApp({}, async (options) => {
  pair = await startPair()
  const connection = { ...pair.primary.connection }
  const db = connect({ poolSize: 10, ...options, connection, replicas: [{ ...pair.toStandby }] })
  const drop = async () => {
    await db.close()
    await pair.close()
  }
  return { db, connection, drop }
})

const seen = { replica: 0, primary: 0, passed: [] as string[] }
const isReady = () => app.deps.db.replicas?.reports[0]?.state === 'ready'
const pause = () => pair.atStandby.query('select pg_wal_replay_pause()')
const resume = () => pair.atStandby.query('select pg_wal_replay_resume()')

let place: Place
let large: Place
let dataview = 0
let records: number[] = []

const person = (name: string, age: string) => ({ answers: { name, age, sex: 'f', 'visit/gps': '1 2 0 0' } })

beforeAll(async () => {
  place = await newForm(app)
  records = await put(app, place.form, person('Ann', '21'), person('Bob', '40'), person('Cem', '7'))
  dataview = await newDataview(app, place, {
    columns: ['name', 'age', 'visit/gps'],
    query: [{ column: 'age', filter: '>', value: '10' }],
  })
  large = await newForm(app)
  const [first = 0] = await put(app, large.form, person('first', '1'))
  await app.deps.db.run(sql`
    insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
      modified_at, change_no, media_total, media_count, attachments)
    select form_id, nextval('submission_ids'), uuid || n, xml,
      jsonb_build_object('name', 'n' || n % 50, 'age', (n % 90)::text), version, 1, root_name,
      status, submitted_at + n * interval '1 minute', modified_at, next_change(), 0, 0, '[]'
    from submissions, generate_series(1, 12000) n where form_id = ${large.form.id} and id = ${first}`)
  await app.deps.db.run(sql`update form_counts set submissions = 12001 where form_id = ${large.form.id}`)
  await pair.atPrimary.query('analyze')
}, 240_000)

const ready = async () => {
  await pair.caughtUp()
  while (!isReady()) await app.deps.db.replicas?.look()
}

beforeEach(async () => {
  await resume()
  await ready()
  Object.assign(seen, { replica: 0, primary: 0, passed: [] })
  app.deps.db.replicas?.watch({
    read: (where) => {
      seen[where] += 1
    },
    passed: (why) => seen.passed.push(why),
  })
})

afterEach(async () => {
  await resume()
})

/** The replica has not heard of something, and is not read. */
const fallBehind = async () => {
  await pause()
  await app.deps.db.run(sql`update users set username = username where id = ${place.ana.id}`)
  while (isReady()) await app.deps.db.replicas?.look()
}

const addresses = (): [string, Account][] => {
  const { form, ana } = place
  const query = (condition: object) => `query=${encodeURIComponent(JSON.stringify(condition))}`
  const small = [
    `/data/${form.id}`,
    `/data/${form.id}?count=true`,
    `/data/${form.id}?page=1&page_size=2&sort={"name":-1}`,
    `/data/${form.id}?${query({ age: { $gt: 10 } })}`,
    `/data/${form.id}?changed_since=0`,
    `/data/${form.id}?deleted=true`,
    ...['.csv', '.xml', '.geojson', '.kml', '.csvzip', '.xlsx'].map((ending) => `/data/${form.id}${ending}`),
    `/data/${form.id}/clusters?bbox=-180,-80,180,80&zoom=3`,
    `/dataviews/${dataview}/data`,
    `/dataviews/${dataview}/data.csv`,
    `/dataviews/${dataview}/bbox`,
    `/charts/${form.id}?field_name=age&refresh=true`,
    `/charts/${form.id}?fields=all&refresh=true&${query({ sex: 'f' })}`,
    `/stats/${form.id}?refresh=true`,
    `/stats/submissions/${form.id}?group=sex&refresh=true`,
  ]
  const long = [
    `/data/${large.form.id}?page=3&page_size=500`,
    `/data/${large.form.id}?page=2&page_size=100&${query({ name: 'n7' })}`,
    `/data/${large.form.id}?count=true&${query({ age: { $lt: 30 } })}`,
    `/data/${large.form.id}?page=last&page_size=10`,
    `/data/${large.form.id}.csv`,
    `/charts/${large.form.id}?field_name=name&refresh=true`,
    `/charts/${large.form.id}?fields=all&refresh=true`,
    `/stats/${large.form.id}?refresh=true`,
  ]
  return [
    ...small.map((address) => [address, ana] as const),
    ...long.map((address) => [address, large.ana] as const),
  ].map(([address, account]) => [address, account])
}

/** Whatever is no data of the answer's own time. */
const bodyOf = async (address: string, account: Account): Promise<unknown> => {
  const answer = await app.as(account)('GET', address)
  expect([address, answer.statusCode]).toEqual([address, 200])
  if (!/\.(csvzip|xlsx)/.test(address))
    return [answer.headers['x-total-count'], answer.headers.link, answer.body.replace(/serverTime="[^"]*"/, '')]
  return [...(await unzipped(answer.rawPayload))].map(([path, bytes]) => [path, bytes.toString()])
}

describe('lists, files and charts', () => {
  it('200 with the same from the replica and from the database itself; nothing that only reads writes', async () => {
    const ofReplica = new Map<string, unknown>()
    for (const [address, account] of addresses()) {
      // On a busy machine it may be behind for a moment.
      do {
        await ready()
        Object.assign(seen, { replica: 0, primary: 0, passed: [] })
        ofReplica.set(address, await bodyOf(address, account))
      } while (seen.passed.includes('lag'))
      // What is kept of large forms is read where it is written.
      const isKept = address.includes(`/${large.form.id}?`) && /charts|stats/.test(address)
      expect([address, seen.replica > 0 || isKept, seen.passed]).toEqual([address, true, []])
    }
    await fallBehind()
    for (const [address, account] of addresses()) {
      expect([address, await bodyOf(address, account)]).toEqual([address, ofReplica.get(address)])
    }
  }, 240_000)

  it('200 with what was sent a moment ago, for whoever sent it and for everybody else, also while the replica is behind', async () => {
    const ben = await app.account()
    await giveRole(app, place.form, ben, 'readonly')
    for (const hold of [async () => undefined, pause]) {
      await hold()
      const sent = await app.as(place.ana)('POST', '/submissions', {
        body: { id: place.form.idString, submission: { name: `sent ${hold === pause}`, age: '30' } },
      })
      expect(sent.statusCode).toBe(201)
      for (const account of [place.ana, ben]) {
        const { body } = await app.as(account)('GET', `/data/${place.form.id}`)
        expect(body).toContain(`sent ${hold === pause}`)
        expect((await app.as(account)('GET', `/data/${place.form.id}.csv`)).body).toContain(`sent ${hold === pause}`)
      }
      const [change] = records
      await app.as(place.ana)('PATCH', `/data/${place.form.id}/${change}`, { body: { name: `now ${hold === pause}` } })
      expect((await app.as(ben)('GET', `/data/${place.form.id}?changed_since=0`)).body).toContain(
        `now ${hold === pause}`,
      )
    }
    expect(seen.passed).toContain('lag')
  })

  it('404 at once for whoever lost their role, though the replica has not heard of it', async () => {
    const eve = await app.account()
    await giveRole(app, place.form, eve, 'readonly')
    const get = () => app.as(eve)('GET', `/data/${place.form.id}`)
    expect((await get()).statusCode).toBe(200)
    await pause()
    await app.deps.db.run(sql`delete from form_roles where user_id = ${eve.id}`)
    expect((await get()).statusCode).toBe(404)
  })

  it('what is counted while a record is deleted does not show it for ten minutes', async () => {
    const { ana, form } = await newForm(app)
    const [first, second] = await put(app, form, person('secret', '1'), person('open', '2'))
    const chart = async () => (await app.as(ana)('GET', `/charts/${form.id}?field_name=name`)).body
    await app.as(ana)('DELETE', `/data/${form.id}/${first}`)
    expect(await chart()).not.toContain('secret')
    await pause()
    await app.as(ana)('DELETE', `/data/${form.id}/${second}`)
    expect(await chart()).not.toContain('open')
  })
})

describe('an export', () => {
  const made = async (query: string) => {
    const asked = await app.as(large.ana)('GET', `/forms/${large.form.id}/export_async?format=xlsx&${query}`)
    const { job_uuid: job } = asked.json()
    const working = runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
    return { job, working }
  }

  it('that a replica breaks off in the middle begins again in the database itself, and is whole', async () => {
    // At a replica, whoever reads page by page stays with the last record.
    await app.deps.db.run(sql`alter function number_of(text) rename to number_of_before`)
    await app.deps.db.run(sql`
      create function number_of(answer text) returns numeric language plpgsql as $$ begin
        if answer = '999' and pg_is_in_recovery() and current_query() like 'fetch%' then perform pg_sleep(60); end if;
        return number_of_before(answer);
      end $$`)
    await put(app, large.form, person('the last', '999'))
    await pair.caughtUp()
    const query = encodeURIComponent(JSON.stringify({ age: { $gte: 0 } }))
    const { job, working } = await made(`query=${query}`)
    await vi.waitFor(async () => {
      const { rows } = await pair.atStandby.query(`
        select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`)
      expect(rows).toHaveLength(1)
    }, 60_000)
    await working
    await app.deps.db.run(sql`drop function number_of(text)`)
    await app.deps.db.run(sql`alter function number_of_before(text) rename to number_of`)
    const state = await app.as(large.ana)('GET', `/forms/${large.form.id}/export_async?job_uuid=${job}`)
    expect(state.json()).toMatchObject({ job_status: 'SUCCESS' })
    const { rows } = await pair.atPrimary.query('select row_count from exports order by id desc limit 1')
    expect(Number(rows[0].row_count)).toBe(12_002)
    expect(seen.passed).toEqual([])
  }, 120_000)
})

describe('a replica that is gone', () => {
  it('200 for /readyz and for every list; /metrics tells of it', async () => {
    await pair.killStandby()
    expect((await app.as(place.ana)('GET', `/data/${place.form.id}`)).statusCode).toBe(200)
    expect((await app.page('GET', '/readyz')).statusCode).toBe(200)
    expect((await app.page('GET', '/metrics')).body).toMatch(/sheaf_replica_ready\{replica="[^"]+"\} 0/)
    await pair.startStandby()
    while (!isReady()) await app.deps.db.replicas?.look()
    expect((await app.page('GET', '/metrics')).body).toMatch(/sheaf_replica_ready\{replica="[^"]+"\} 1/)
  })
})
