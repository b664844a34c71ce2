// The server's SECRET_KEY was changed: what the former one sealed cannot be opened any more.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { startReceiver } from '../../../test/support/receivers.js'
import { Forwarding } from '../../../test/support/rest-services.js'
import { sql } from '../../platform/db/index.js'
import { openSecrets } from '../../platform/secrets/index.js'
import { sealAuthToken, sealSecret } from './sealing.js'

const app = testApp({ OUTBOUND_ALLOW_PRIVATE: 'true' })
let ana: Account
let forwarding: Forwarding

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  forwarding = await Forwarding.open(app, ana)
})

const former = openSecrets('the secret of last year')

/** A service as it stands after the key was changed. */
const lostService = async (fields: { service_url: string; [key: string]: unknown }, at = forwarding) => {
  const { id } = await at.addService(fields)
  const token = fields.name === 'flow_messaging' ? sealAuthToken(former, id, 'tok') : null
  await app.deps.db.run(sql`
    update rest_services set secret = ${sealSecret(former, id, 'whsec_AAAA')}, auth_token = ${token} where id = ${id}`)
  return id
}

const lost = /sealed with another SECRET_KEY/

describe('a rest service whose secret cannot be read', () => {
  it.each([
    ['generic_json', {}],
    ['flow_messaging', { auth_token: 'tok', flow_uuid: 'f-1', contacts: 'a' }],
  ])('200 for a %s that says so, alone and in a list; the others are whole', async (name, fields) => {
    const whole = await forwarding.addService({ service_url: `https://example.org/whole/${name}` })
    const id = await lostService({ name, service_url: `https://example.org/lost/${name}`, ...fields })
    const one = await forwarding.call('GET', `/restservices/${id}`)
    expect([one.statusCode, one.json()]).toMatchObject([
      200,
      { active: false, inactive_reason: expect.stringMatching(lost) },
    ])
    expect(one.json()).not.toHaveProperty('secret')
    const list = (await forwarding.call('GET', '/restservices')).json() as { id: number; secret?: string }[]
    expect(list.find((service) => service.id === id)).toEqual(one.json())
    expect(list.find((service) => service.id === whole.id)?.secret).toBe(whole.secret)
  })

  it('200 for a test that says why nothing was sent', async () => {
    const id = await lostService({ service_url: 'https://example.org/tried' })
    const response = await forwarding.call('POST', `/restservices/${id}/test`, {})
    expect([response.statusCode, response.json()]).toMatchObject([
      200,
      { delivered: false, status: null, error: expect.stringMatching(lost) },
    ])
  })

  it('has a new one once somebody who manages the form says that it is to go on, and sends what has waited', async () => {
    const receiver = await startReceiver()
    const other = await Forwarding.open(app, ana)
    const id = await lostService({ service_url: receiver.url }, other)
    const record = await other.submit('Otieno')
    const before = app.logged.length
    await app.forward()
    expect(receiver.calls).toHaveLength(0)
    expect(await other.deliveries(id)).toMatchObject([
      { submission: record, state: 'pending', last_error: expect.stringMatching(lost) },
    ])
    expect(app.logged.slice(before).join('')).not.toContain('could not be prepared')
    const response = await other.call('PATCH', `/restservices/${id}`, { active: true })
    expect(response.json()).toMatchObject({
      active: true,
      inactive_reason: '',
      secret: expect.stringMatching(/^whsec_/),
    })
    await app.forward()
    expect(receiver.calls).toHaveLength(1)
    await receiver.close()
  })

  it('400 for going on without the token, which nobody knows any more; 200 with it; other changes keep what is sealed', async () => {
    const fields = { name: 'flow_messaging', flow_uuid: 'f-1', contacts: 'a' }
    const id = await lostService({ service_url: 'https://example.org/flow', auth_token: 'tok', ...fields })
    const sealed = () => app.deps.db.one(sql`select secret, auth_token from rest_services where id = ${id}`)
    const before = await sealed()
    const off = await forwarding.call('PATCH', `/restservices/${id}`, { active: false })
    expect([off.statusCode, off.json().inactive_reason]).toEqual([200, 'Switched off by ana.'])
    expect(await sealed()).toEqual(before)
    const without = await forwarding.call('PATCH', `/restservices/${id}`, { active: true })
    expect([without.statusCode, without.json()]).toEqual([400, { auth_token: ['This field is required.'] }])
    const whole = await forwarding.call('PATCH', `/restservices/${id}`, { active: true, auth_token: 'new' })
    expect([whole.statusCode, whole.json()]).toMatchObject([200, { auth_token: 'new', active: true }])
  })
})
