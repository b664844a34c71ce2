// The loop, while submissions come in and receivers fail.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { answerWith, type Receiver, startReceiver } from '../../../test/support/receivers.js'
import { Forwarding } from '../../../test/support/rest-services.js'
import { sql } from '../../platform/db/index.js'
import { readRecords } from './records.queries.js'
import { type Sender, startSender } from './sender.js'

const app = testApp()
let ana: Account
let forwarding: Forwarding
let receiver: Receiver
let sender: Sender | undefined

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})
beforeEach(async () => {
  receiver = await startReceiver()
  forwarding = await Forwarding.open(app, ana)
})
afterEach(async () => {
  await sender?.stop()
  await app.deps.db.run(sql`delete from rest_services`)
  await receiver.close()
})

const start = (receivingNow = () => 0) => {
  sender = startSender(app.deps, readRecords, { pollMilliseconds: 20, graceMilliseconds: 20, receivingNow })
}

const pathsOf = (path: string) => receiver.calls.filter((call) => call.path === path)
const countByState = (serviceId: number) =>
  app.deps.db.rows<{ state: string; count: number }>(sql`
    select state, count(*) from deliveries where service_id = ${serviceId} group by state order by state`)

describe('the sender', () => {
  it('1,000 submissions reach two services whole and once, while a third that never answers holds its own slots only', async () => {
    const open = new Map<string, number>()
    const most = new Map<string, number>()
    receiver.answer = ({ path }, response) => {
      open.set(path, (open.get(path) ?? 0) + 1)
      most.set(path, Math.max(most.get(path) ?? 0, open.get(path) ?? 0))
      if (path === '/dead') return
      setImmediate(() => {
        open.set(path, (open.get(path) ?? 0) - 1)
        response.end()
      })
    }
    const dead = await forwarding.addService({ service_url: `${receiver.url}/dead` })
    const one = await forwarding.addService({ service_url: `${receiver.url}/one` })
    const two = await forwarding.addService({ service_url: `${receiver.url}/two` })
    start()
    const total = 1000
    for (let n = 0; n < total; n += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, k) => forwarding.submit(`visit ${n + k}`)))
    }
    await receiver.until(() => pathsOf('/one').length === total && pathsOf('/two').length === total)
    for (const path of ['/one', '/two']) {
      expect(new Set(pathsOf(path).map(({ headers }) => headers['webhook-id'])).size).toBe(total)
    }
    // The dead one was called with its own slots, and one at a time after they had run out; it delayed nobody.
    expect(pathsOf('/dead').length).toBeLessThan(10)
    expect([most.get('/one'), most.get('/two')].every((count) => (count ?? 0) <= 4)).toBe(true)
    // The receiver has them before their answers are written down; what is still in hand at a stop is given back.
    for (const { id } of [one, two]) {
      await expect.poll(() => countByState(id)).toEqual([{ state: 'delivered', count: total }])
    }
    await sender?.stop()
    expect(await countByState(dead.id)).toEqual([{ state: 'pending', count: total }])
  })

  it('gives back what is in hand when it stops: not counted as a try, and sent at the next start', async () => {
    receiver.answer = () => undefined
    const { id } = await forwarding.addService({ service_url: receiver.url })
    await forwarding.submit('Zoe')
    start()
    await receiver.until((calls) => calls.length === 1)
    await sender?.stop()
    expect(await forwarding.deliveries(id)).toMatchObject([
      { state: 'pending', tries: 0, next_try: expect.any(String) },
    ])
    receiver.answer = answerWith(200)
    start()
    await receiver.until((calls) => calls.length === 2)
    const [first, second] = receiver.calls
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  })

  it('takes its time while many submissions are in hand, and none is left behind', async () => {
    await forwarding.addService({ service_url: receiver.url })
    let inHand = 16
    let questions = 0
    const receivingNow = () => {
      questions += 1
      return inHand
    }
    await Promise.all(Array.from({ length: 12 }, (_, n) => forwarding.submit(`visit ${n}`)))
    const begun = performance.now()
    start(receivingNow)
    await receiver.until((calls) => calls.length === 12)
    // Four at a time, and a tenth of a second behind every turn.
    expect(questions).toBeGreaterThan(1)
    expect(questions).toBeLessThanOrEqual(1 + (performance.now() - begun) / 99)
    inHand = 0
    await Promise.all(Array.from({ length: 12 }, (_, n) => forwarding.submit(`visit ${n + 12}`)))
    await receiver.until((calls) => calls.length === 24)
  })

  it('looks once in its time where there is nothing to do', async () => {
    let turns = 0
    const pollMilliseconds = 40
    const receivingNow = () => {
      turns += 1
      return 0
    }
    const begun = performance.now()
    sender = startSender(app.deps, readRecords, { pollMilliseconds, receivingNow })
    await expect.poll(() => turns, { interval: 5 }).toBeGreaterThanOrEqual(5)
    // A timer of node may be a millisecond early.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(turns * (pollMilliseconds - 1))
  })

  it('two at once share the work: every submission arrives once', async () => {
    await forwarding.addService({ service_url: receiver.url })
    for (let n = 0; n < 100; n += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, k) => forwarding.submit(`visit ${n + k}`)))
    }
    start()
    const other = startSender(app.deps, readRecords, { pollMilliseconds: 20 })
    await receiver.until((calls) => calls.length >= 100)
    await Promise.all([sender?.stop(), other.stop()])
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([100, 100])
  })

  it('goes on after the database has cut every connection', async () => {
    await forwarding.addService({ service_url: receiver.url })
    start()
    await forwarding.submit('before')
    await receiver.until((calls) => calls.length === 1)
    await app.deps.db.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    let submitted = false
    while (!submitted) {
      submitted = await forwarding.submit('after').then(
        () => true,
        () => false,
      )
    }
    await receiver.until((calls) => calls.some(({ body }) => body.includes('after')))
  })

  it('a record that cannot be read stops nobody else', async () => {
    const other = await Forwarding.open(app, ana)
    const broken = await forwarding.addService({ service_url: `${receiver.url}/broken` })
    await other.addService({ service_url: `${receiver.url}/fine` })
    await forwarding.submit('broken')
    await other.submit('fine')
    const failing: typeof readRecords = (db, form, ids) => {
      if (form.id === forwarding.form.formid) throw new Error('unreadable')
      return readRecords(db, form, ids)
    }
    sender = startSender(app.deps, failing, { pollMilliseconds: 20 })
    await receiver.until((calls) => calls.some(({ path }) => path === '/fine'))
    await sender.stop()
    expect(await forwarding.deliveries(broken.id)).toMatchObject([
      { state: 'pending', last_error: 'The delivery could not be prepared.' },
    ])
  })
})
