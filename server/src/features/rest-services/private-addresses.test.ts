// A server that others can reach must not call its own network for them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type Receiver, startReceiver } from '../../../test/support/receivers.js'
import { Forwarding } from '../../../test/support/rest-services.js'
import { sql } from '../../platform/db/index.js'

const app = testApp({ HOST: '0.0.0.0' })
let ana: Account
let receiver: Receiver
let forwarding: Forwarding

beforeAll(async () => {
  receiver = await startReceiver()
  ana = await app.account()
  forwarding = await Forwarding.open(app, ana)
})
afterAll(() => receiver.close())

describe('a server that listens on every interface', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://localhost/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/x',
  ])('400 for a receiver in its own network: %s', async (service_url) => {
    const body = { xform: forwarding.form.formid, name: 'generic_json', service_url }
    const response = await forwarding.call('POST', '/restservices', body)
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { service_url: [expect.stringContaining('is a private or reserved address, which this server does not call.')] },
    ])
    expect((await forwarding.call('GET', '/restservices')).json()).toEqual([])
  })

  it('records a failure when an address leads there later, and sends nothing', async () => {
    const { id } = await forwarding.addService({ service_url: 'https://example.org/' })
    const refused = await forwarding.call('PATCH', `/restservices/${id}`, { service_url: receiver.url })
    expect(refused.statusCode).toBe(400)
    await app.deps.db.run(sql`update rest_services set service_url = ${receiver.url} where id = ${id}`)
    await forwarding.submit('Zoe')
    await app.forward()
    expect(await forwarding.deliveries(id)).toMatchObject([
      { state: 'failed', last_error: expect.stringContaining('private or reserved address'), last_status: null },
    ])
    const tested = await forwarding.call('POST', `/restservices/${id}/test`, {})
    expect(tested.json()).toMatchObject({ delivered: false, error: expect.stringContaining('private or reserved') })
    expect(receiver.calls).toEqual([])
  })

  it('200 for switching off a service whose address may not be called any more', async () => {
    const { id } = await forwarding.addService({ service_url: 'https://example.org/once' })
    await app.deps.db.run(sql`update rest_services set service_url = 'http://10.0.0.1/' where id = ${id}`)
    const response = await forwarding.call('PATCH', `/restservices/${id}`, { active: false })
    expect([response.statusCode, response.json().active]).toEqual([200, false])
    const same = await forwarding.call('PATCH', `/restservices/${id}`, { service_url: 'http://10.0.0.1/' })
    expect(same.statusCode).toBe(200)
  })
})

describe('a server behind a proxy on the same machine', () => {
  const proxied = testApp({ BASE_URL: 'https://data.example.org' })

  it('400 for a receiver in its own network, though it listens on loopback', async () => {
    const own = await Forwarding.open(proxied, await proxied.account())
    const body = { xform: own.form.formid, name: 'generic_json', service_url: receiver.url }
    const response = await own.call('POST', '/restservices', body)
    expect([response.statusCode, Object.keys(response.json())]).toEqual([400, ['service_url']])
  })
})

describe('OUTBOUND_ALLOW_PRIVATE', () => {
  const open = testApp({ HOST: '0.0.0.0', OUTBOUND_ALLOW_PRIVATE: 'true' })

  it('true lets it call its own network', async () => {
    const own = await Forwarding.open(open, await open.account())
    const { id } = await own.addService({ service_url: receiver.url })
    expect((await own.call('POST', `/restservices/${id}/test`, {})).json()).toMatchObject({ delivered: true })
  })
})
