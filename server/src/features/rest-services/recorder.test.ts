// The flight recorder: what was sent, sending it again, and trying a receiver.
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { answerWith } from '../../../test/support/receivers.js'
import { Forwarding, useForwarding } from '../../../test/support/rest-services.js'

const app = testApp()
const at = useForwarding(app)
let service: { id: number; secret: string }

beforeEach(async () => {
  service = await at.forwarding.addService({ service_url: at.receiver.url })
})

const path = (rest: string) => `/restservices/${service.id}${rest}`
const ids = () => at.receiver.calls.map(({ headers }) => headers['webhook-id'])

describe('GET /restservices/{pk}/deliveries', () => {
  it('200 tells of each delivery what became of it, newest first', async () => {
    const first = await at.forwarding.submit('first')
    await app.forward()
    at.receiver.answer = answerWith(503, {}, 'closed for lunch')
    const second = await at.forwarding.submit('second')
    await app.forward()
    const response = await at.forwarding.call('GET', path('/deliveries'))
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    const base = { id: expect.any(Number), cause: 'created', tries: 1, last_try: time, date_created: time }
    expect(response.json()).toEqual([
      {
        ...base,
        submission: second,
        message_id: `msg_${service.id}_${second}`,
        state: 'pending',
        last_status: 503,
        last_error: 'It answered 503.',
        last_response: 'closed for lunch',
        next_try: time,
        lag: expect.any(Number),
      },
      {
        ...base,
        submission: first,
        message_id: `msg_${service.id}_${first}`,
        state: 'delivered',
        last_status: 200,
        last_error: null,
        last_response: '',
        next_try: null,
        lag: expect.any(Number),
      },
    ])
    app.wait(60)
    const [pending, delivered] = await at.forwarding.deliveries(service.id)
    expect(pending?.lag).toBeGreaterThan(59)
    expect(delivered?.lag).toBe(response.json()[1].lag)
  })

  it('200 filters by state and pages with the Link header; 400 for an unknown state', async () => {
    const submissions = []
    for (let n = 0; n < 3; n++) submissions.push(await at.forwarding.submit(`visit ${n}`))
    await app.forward()
    await at.forwarding.submit('waiting')
    expect(await at.forwarding.deliveries(service.id, '?state=pending')).toHaveLength(1)
    const page = await at.forwarding.call('GET', path('/deliveries?state=delivered&page=2&page_size=1'))
    expect(page.json().map((one: { submission: number }) => one.submission)).toEqual([submissions[1]])
    expect(page.headers.link).toMatch(/rel="prev".*rel="next".*rel="last".*rel="first"/)
    expect((await at.forwarding.call('GET', path('/deliveries?page=9'))).statusCode).toBe(404)
    const odd = await at.forwarding.call('GET', path('/deliveries?state=lost'))
    expect([odd.statusCode, odd.json()]).toEqual([
      400,
      { detail: 'state must be one of pending, delivered, failed, skipped.' },
    ])
  })
})

describe('POST /restservices/{pk}/deliveries/{id}/retry', () => {
  it('200 sends a failed or delivered one again at once, under the same id', async () => {
    at.receiver.answer = answerWith(404)
    await at.forwarding.submit('Zoe')
    await app.forward()
    at.receiver.answer = answerWith(200)
    for (const _ of ['failed', 'delivered']) {
      const [delivery] = await at.forwarding.deliveries(service.id)
      const response = await at.forwarding.call('POST', path(`/deliveries/${delivery?.id}/retry`), {})
      expect([response.statusCode, response.json()]).toEqual([
        200,
        expect.objectContaining({ id: delivery?.id, state: 'pending', tries: 0 }),
      ])
      await app.forward()
    }
    expect(at.receiver.calls).toHaveLength(3)
    expect(new Set(ids()).size).toBe(1)
    expect(await at.forwarding.deliveries(service.id)).toMatchObject([{ state: 'delivered', tries: 1 }])
  })

  it('does not wait until a receiver that was down is asked again', async () => {
    at.receiver.answer = answerWith(503, { 'retry-after': '3600' })
    await at.forwarding.submit('Zoe')
    await app.forward()
    at.receiver.answer = answerWith(200)
    const [delivery] = await at.forwarding.deliveries(service.id)
    await at.forwarding.call('POST', path(`/deliveries/${delivery?.id}/retry`), {})
    await app.forward()
    expect(await at.forwarding.deliveries(service.id)).toMatchObject([{ state: 'delivered' }])
  })

  it('404 for a delivery of another service, exactly as for a missing one; 400 for one that is being sent', async () => {
    const other = await at.forwarding.addService({ service_url: `${at.receiver.url}/other` })
    await at.forwarding.submit('Zoe')
    const [foreign] = await at.forwarding.deliveries(other.id)
    const [hidden, missing, odd] = await Promise.all(
      [foreign?.id, 999999, 'x'].map((id) => at.forwarding.call('POST', path(`/deliveries/${id}/retry`), {})),
    )
    expect([hidden?.statusCode, hidden?.body, odd?.body]).toEqual([404, missing?.body, missing?.body])
    let finish = () => {}
    at.receiver.answer = (_call, response) => {
      finish = () => void response.end()
    }
    const [own] = await at.forwarding.deliveries(service.id)
    const sending = app.forward()
    await at.receiver.until((calls) => calls.some((call) => call.path === '/'))
    const busy = await at.forwarding.call('POST', path(`/deliveries/${own?.id}/retry`), {})
    expect([busy.statusCode, busy.json().detail]).toEqual([400, expect.stringContaining('being sent')])
    at.receiver.answer = answerWith(200)
    finish()
    await at.receiver.close()
    await sending
  })
})

describe('POST /restservices/{pk}/replay', () => {
  it('202 sends everything of a time again in the order of _id, under the same ids, and nothing else', async () => {
    await at.forwarding.submit('before')
    app.wait(60)
    const from = app.deps.clock.now().toISOString()
    const inside = [
      await at.forwarding.submit('one'),
      await at.forwarding.submit('two'),
      await at.forwarding.submit('three'),
    ]
    await at.forwarding.deleteSubmission(inside[1] as number)
    app.wait(60)
    const to = app.deps.clock.now().toISOString()
    app.wait(60)
    await at.forwarding.submit('after')
    await app.forward()
    const sent = ids()
    at.receiver.calls.length = 0
    const response = await at.forwarding.call('POST', path('/replay'), { from, to })
    expect([response.statusCode, response.json()]).toEqual([202, { submissions: 2, from, to }])
    await app.forward()
    expect(ids()).toEqual([`msg_${service.id}_${inside[0]}`, `msg_${service.id}_${inside[2]}`])
    expect(ids().every((id) => sent.includes(id))).toBe(true)
  })

  it('202 also for submissions that are older than the service', async () => {
    const old = await Forwarding.open(app, at.ana)
    const id = await old.submit('old')
    service = await old.addService({ service_url: at.receiver.url })
    await old.call('POST', path('/replay'), { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' })
    await app.forward()
    expect(ids()).toEqual([`msg_${service.id}_${id}`])
  })

  it('400 for more than ten at a time', async () => {
    const body = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
    const replay = async () => (await at.forwarding.call('POST', path('/replay'), body)).statusCode
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push(await replay())
    expect(statuses).toEqual([...Array(10).fill(202), 400])
    await app.forward()
    expect(await replay()).toBe(202)
  })

  it('400 for times that are missing, unreadable or the wrong way round', async () => {
    const replay = async (body: object) => (await at.forwarding.call('POST', path('/replay'), body)).json()
    expect(await replay({})).toEqual({ from: ['This field is required.'], to: ['This field is required.'] })
    expect(await replay({ from: '2026-01-01T23:59:60Z', to: '2026-01-02T00:00:00Z' })).toEqual({
      from: ['Enter a time with its zone, like 2026-01-10T14:00:00Z.'],
    })
    for (const from of ['yesterday', '0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01']) {
      expect(await replay({ from, to: '2026-03-10T00:00:00Z' })).toEqual({
        from: ['Enter a time with its zone, like 2026-01-10T14:00:00Z.'],
      })
    }
    expect(await replay({ from: '2026-01-11T00:00:00Z', to: '2026-01-10T00:00:00Z' })).toEqual({
      to: ['It must not be before from.'],
    })
  })
})

describe('POST /restservices/{pk}/test', () => {
  it('200 sends one signed sample now and tells what the receiver said; it is no delivery', async () => {
    at.receiver.answer = answerWith(201, {}, 'thanks')
    const response = await at.forwarding.call('POST', path('/test'), {})
    const [call] = at.receiver.calls
    expect(response.json()).toEqual({
      delivered: true,
      message_id: call?.headers['webhook-id'],
      status: 201,
      error: null,
      response: 'thanks',
    })
    const record = new Webhook(service.secret).verify(call?.body ?? '', call?.headers as Record<string, string>)
    expect(record).toMatchObject({ _id: 0, _xform_id: at.forwarding.form.formid })
    expect(await at.forwarding.deliveries(service.id)).toEqual([])
  })

  it.each(['generic_xml', 'dataset_sync', 'flow_messaging', 'health_info_sync'])(
    '200 for %s too, and tells what went wrong',
    async (name) => {
      const flow = { auth_token: 't', flow_uuid: 'f', contacts: 'c' }
      service = await at.forwarding.addService({ name, service_url: `${at.receiver.url}/%(uuid)s`, ...flow })
      at.receiver.answer = answerWith(500)
      const response = await at.forwarding.call('POST', path('/test'), {})
      expect(response.json()).toMatchObject({ delivered: false, status: 500, error: 'It answered 500.' })
      const [call] = at.receiver.calls
      const verify = () =>
        new Webhook(service.secret).verify(call?.body ?? '', call?.headers as Record<string, string>, {
          jsonParse: false,
        })
      expect(verify).not.toThrow()
    },
  )
})
