// What happens when a receiver does not take what it is sent.
import { afterEach, describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { answerWith, dropConnection } from '../../../test/support/receivers.js'
import { useForwarding } from '../../../test/support/rest-services.js'
import { sql } from '../../platform/db/index.js'
import { runPendingJobs } from '../../platform/jobs/index.js'
import type { Outbound } from '../../platform/outbound/index.js'
import { readRecords } from './records.queries.js'
import { Turns } from './turns.js'

const app = testApp({
  REST_SERVICE_RETRY_HOURS: '26',
  REST_SERVICE_PAUSE_HOURS: '25',
  REST_SERVICE_LOG_DAYS: '10',
  REST_SERVICE_CONCURRENCY: '2',
})
const at = useForwarding(app)
afterEach(async () => {
  await app.deps.db.run(sql`delete from rest_services`)
})

const nextTry = async (service: number) => {
  const [delivery] = await at.forwarding.deliveries(service)
  return Date.parse(delivery?.next_try ?? '')
}

/** Seconds until the next try. */
const waitOf = async (service: number) => ((await nextTry(service)) - app.deps.clock.now().getTime()) / 1000

const ids = () => at.receiver.calls.map(({ headers }) => headers['webhook-id'])

describe('a delivery that fails', () => {
  it('is tried again after about 1, 2, 5 and 15 seconds, then later and later, under the same id with a new time', async () => {
    at.receiver.answer = answerWith(503)
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    for (const seconds of [1, 2, 5, 15, 60, 300, 900]) {
      await app.forward()
      const [delivery] = await at.forwarding.deliveries(service)
      expect(delivery?.last_error).toBe('It answered 503.')
      const sinceTry = Date.parse(delivery?.next_try ?? '') - Date.parse(String(delivery?.last_try))
      expect(sinceTry).toBeGreaterThanOrEqual(seconds * 850)
      const wait = await waitOf(service)
      expect(wait).toBeLessThanOrEqual(seconds * 1.15)
      app.wait(Math.max(0, wait) + 0.1)
    }
    at.receiver.answer = answerWith(200)
    await app.forward()
    expect(at.receiver.calls).toHaveLength(8)
    expect(new Set(ids()).size).toBe(1)
    const times = at.receiver.calls.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(new Set(times).size).toBeGreaterThan(5)
    expect(await at.forwarding.deliveries(service)).toMatchObject([
      { state: 'delivered', tries: 8, last_status: 200, last_error: null, next_try: null },
    ])
  })

  it.each([
    ['a connection that drops', dropConnection, 'The connection was closed before the answer.', null],
    ['408', answerWith(408), 'It answered 408.', 408],
    ['429', answerWith(429), 'It answered 429.', 429],
    ['500', answerWith(500), 'It answered 500.', 500],
    ['503', answerWith(503), 'It answered 503.', 503],
  ])('after %s arrives at the next try', async (_what, answer, error, status) => {
    at.receiver.answer = answer
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    await app.forward()
    expect(await at.forwarding.deliveries(service)).toMatchObject([
      { state: 'pending', tries: 1, last_error: error, last_status: status },
    ])
    at.receiver.answer = answerWith(204)
    app.wait(2)
    await app.forward()
    expect(await at.forwarding.deliveries(service)).toMatchObject([{ state: 'delivered', tries: 2, last_status: 204 }])
    expect(new Set(ids()).size).toBe(1)
  })

  it('after a refused connection arrives as soon as somebody listens', async () => {
    await at.receiver.close()
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    await app.forward()
    expect(await at.forwarding.deliveries(service)).toMatchObject([
      { state: 'pending', last_error: 'The connection was refused.' },
    ])
  })

  it.each([
    ['seconds', () => '120'],
    ['a date', () => new Date(app.deps.clock.now().getTime() + 120_000).toUTCString()],
  ])('is not tried before Retry-After, given in %s', async (_unit, header) => {
    at.receiver.answer = (call, response) =>
      answerWith(429, { 'retry-after': header() })(call, response, undefined as never)
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    await app.forward()
    const wait = await waitOf(service)
    expect(wait).toBeGreaterThan(100)
    expect(wait).toBeLessThan(122)
    app.wait(60)
    await app.forward()
    expect(at.receiver.calls).toHaveLength(1)
    app.wait(65)
    await app.forward()
    expect(at.receiver.calls).toHaveLength(2)
  })

  it('is not put off for longer than a day, whatever Retry-After says; of what ends a delivery it means nothing', async () => {
    at.receiver.answer = answerWith(429, { 'retry-after': '99999999999' })
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    await app.forward()
    expect(Math.round(await waitOf(service))).toBe(86_400)
    const { id: other } = await at.forwarding.addService({ service_url: `${at.receiver.url}/other` })
    at.receiver.answer = answerWith(400, { 'retry-after': '86400' })
    await at.forwarding.submit('refused')
    await app.forward()
    at.receiver.answer = answerWith(200)
    await at.forwarding.submit('fine')
    await app.forward()
    expect((await at.forwarding.deliveries(other)).map(({ state }) => state)).toEqual(['delivered', 'failed'])
  })

  it.each([400, 401, 403, 404, 410, 422, 302])(
    'with %i ends at once, and what was answered is kept',
    async (status) => {
      at.receiver.answer = answerWith(status, { location: '/elsewhere' }, `No: ${'x'.repeat(1000)}`)
      const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
      await at.forwarding.submit('Zoe')
      await app.forward()
      app.wait(3600)
      await app.forward()
      expect(at.receiver.calls).toHaveLength(1)
      const [delivery] = await at.forwarding.deliveries(service)
      expect(delivery).toMatchObject({ state: 'failed', tries: 1, last_status: status, next_try: null })
      expect(delivery?.last_response).toMatch(/^No: x{496}$/)
    },
  )

  it('is given up after REST_SERVICE_RETRY_HOURS, when the service itself works', async () => {
    at.receiver.answer = (call, response) => void response.writeHead(call.body.includes('poison') ? 500 : 200).end()
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    const poison = await at.forwarding.submit('poison')
    const started = app.deps.clock.now().getTime()
    const last = async () => (await at.forwarding.deliveries(service)).find(({ submission }) => submission === poison)
    for (let delivery = await last(); delivery?.state === 'pending'; delivery = await last()) {
      app.wait(Math.max(0, await hoursUntil(delivery.next_try)) * 3600 + 0.1)
      await at.forwarding.submit('fine')
      await app.forward()
    }
    expect(await last()).toMatchObject({ state: 'failed', last_status: 500 })
    const hours = (app.deps.clock.now().getTime() - started) / 3_600_000
    expect(hours).toBeGreaterThan(26)
    expect(hours).toBeLessThan(31)
    expect((await at.forwarding.service(service)).active).toBe(true)
  })
})

const hoursUntil = async (time: string | null) => (Date.parse(time ?? '') - app.deps.clock.now().getTime()) / 3_600_000

describe('a receiver that is down', () => {
  it('is asked now and then, not for every submission; when it is back, everything arrives', async () => {
    at.receiver.answer = answerWith(503)
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    const submissions = []
    for (let n = 0; n < 40; n++) submissions.push(await at.forwarding.submit(`visit ${n}`))
    for (let n = 0; n < 20; n++) {
      await app.forward()
      app.wait(1)
    }
    expect(at.receiver.calls.length).toBeLessThan(20)
    at.receiver.answer = answerWith(200)
    app.wait(400)
    await app.forward()
    const states = (await at.forwarding.deliveries(service)).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['delivered']))
    expect(new Set(ids()).size).toBe(submissions.length)
  })

  it('is paused after REST_SERVICE_PAUSE_HOURS; its owner gets one mail; resumed, it gets everything', async () => {
    at.receiver.answer = answerWith(503)
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('first')
    while ((await at.forwarding.service(service)).active) {
      await app.forward()
      app.wait(3600)
    }
    expect((await at.forwarding.service(service)).inactive_reason).toMatch(
      /^Paused: every call has failed since .*Z\. The last one: It answered 503\.$/,
    )
    await at.forwarding.submit('second')
    app.wait(48 * 3600)
    const before = at.receiver.calls.length
    await app.forward()
    expect(at.receiver.calls).toHaveLength(before)
    const mails = (await app.mailsTo(at.ana.email)).filter(
      ({ subject }) => subject === `Rest service ${service} is paused`,
    )
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('It answered 503.')

    at.receiver.answer = answerWith(200)
    await at.forwarding.call('PATCH', `/restservices/${service}`, { active: true })
    await app.forward()
    expect((await at.forwarding.deliveries(service)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  })

  it('is paused too when it refuses everything; resumed, it gets what it refused since then, and not what it refused before', async () => {
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    at.receiver.answer = answerWith(422)
    const before = await at.forwarding.submit('before')
    await app.forward()
    at.receiver.answer = answerWith(200)
    await at.forwarding.submit('fine')
    await app.forward()
    at.receiver.answer = answerWith(401)
    while ((await at.forwarding.service(service)).active) {
      await at.forwarding.submit('refused')
      await app.forward()
      app.wait(5 * 3600)
    }
    at.receiver.answer = answerWith(200)
    await at.forwarding.call('PATCH', `/restservices/${service}`, { active: true })
    await app.forward()
    const failed = await at.forwarding.deliveries(service, '?state=failed')
    expect(failed.map(({ submission }) => submission)).toEqual([before])
    expect(await at.forwarding.deliveries(service, '?state=pending')).toEqual([])
  })

  it('is well again after a success, also one that had been called before the failure came back', async () => {
    const held: (() => void)[] = []
    at.receiver.answer = (call, response) => {
      if (call.body.includes('bad')) response.writeHead(400).end()
      else if (call.body.includes('later')) response.writeHead(500).end()
      else held.push(() => response.end())
    }
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('good')
    await at.forwarding.submit('bad')
    const turns = new Turns(app.deps, readRecords)
    await turns.take()
    await expect
      .poll(() => turns.writeResults().then(() => at.forwarding.deliveries(service, '?state=failed')))
      .toHaveLength(1)
    for (const answer of held) answer()
    await turns.settle()
    await turns.writeResults()
    app.wait(26 * 3600)
    await at.forwarding.submit('later')
    await app.forward()
    expect((await at.forwarding.service(service)).active).toBe(true)
  })
})

describe('a claim', () => {
  it('of a process that died runs out, and the delivery is made by another, under the same id', async () => {
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    await app.deps.db.run(sql`
      update deliveries set tries = 1, claimed_until = now() + interval '1 hour' where service_id = ${service}`)
    await app.forward()
    expect(at.receiver.calls).toHaveLength(0)
    expect(await at.forwarding.deliveries(service)).toMatchObject([{ state: 'pending', next_try: null }])
    await app.deps.db.run(sql`update deliveries set claimed_until = now() where service_id = ${service}`)
    await app.forward()
    expect(at.receiver.calls).toHaveLength(1)
  })
})

describe('a submission', () => {
  it('that is deleted while its call waits for a connection is not sent', async () => {
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    const submission = await at.forwarding.submit('Zoe')
    let connect = () => {}
    const connected = new Promise<void>((resolve) => {
      connect = resolve
    })
    const outbound: Outbound = {
      ...app.deps.outbound,
      call: async ({ confirm, ...call }) => {
        await connected
        return app.deps.outbound.call({ ...call, ...(confirm && { confirm }) })
      },
    }
    const turns = new Turns({ ...app.deps, outbound }, readRecords)
    await turns.take()
    await at.forwarding.deleteSubmission(submission)
    app.wait(1)
    connect()
    await turns.settle()
    await turns.writeResults()
    expect(at.receiver.calls).toEqual([])
    expect(await at.forwarding.deliveries(service)).toMatchObject([
      { state: 'skipped', last_error: 'The submission was deleted.' },
    ])
  })
})

describe('the log', () => {
  it('forgets what is older than REST_SERVICE_LOG_DAYS, and what is left of deleted services', async () => {
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    const { id: gone } = await at.forwarding.addService({ service_url: `${at.receiver.url}/gone` })
    await at.forwarding.submit('old')
    await app.forward()
    await at.forwarding.call('DELETE', `/restservices/${gone}`)
    app.wait(11 * 86_400)
    await at.forwarding.submit('new')
    await app.deps.db.run(sql`
      select graphile_worker.add_job('rest_services.clear', run_at => now() - interval '1 second')`)
    await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
    expect(await at.forwarding.deliveries(service)).toHaveLength(1)
    const left = await app.deps.db.rows(sql`select from deliveries where service_id = ${gone}`)
    expect(left).toEqual([])
  })
})
