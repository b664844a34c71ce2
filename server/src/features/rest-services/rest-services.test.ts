import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish } from '../../../test/support/forms.js'
import { newClient, newTokens, withBearer } from '../../../test/support/oauth.js'
import { newProject, share } from '../../../test/support/projects.js'
import { startSession, withSession } from '../../../test/support/sessions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let reader: Account
let stranger: Account
let formId: number
let projectId: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  reader = await app.account({ username: 'reader' })
  stranger = await app.account({ username: 'stranger' })
  projectId = await newProject(app, ana)
  formId = (await publish(app, ana, undefined, { project: projectId })).formid
  await share(app, ana, projectId, 'reader', 'editor')
})

let made = 0
const newAddress = () => `https://example.org/receive/${++made}`
const post = (body: object, by = ana) => app.as(by)('POST', '/restservices', { body })
const create = async (body: object = {}) => {
  const response = await post({ xform: formId, name: 'generic_json', service_url: newAddress(), ...body })
  if (response.statusCode !== 201) throw new Error(`The service was not made: ${response.body}`)
  return response.json()
}
const patch = (id: number, body: object, by = ana) => app.as(by)('PATCH', `/restservices/${id}`, { body })
const stored = async () => (await app.deps.db.one<{ count: number }>(sql`select count(*) from rest_services`)).count

describe('POST /restservices', () => {
  it.each([
    ['health_info_sync', { service_url: 'https://example.org/%(id_string)s/%(uuid)s' }, {}],
    ['generic_json', { service_url: 'https://example.org/a' }, {}],
    ['generic_xml', { service_url: 'https://example.org/a' }, {}],
    ['dataset_sync', { service_url: 'https://example.org/a' }, {}],
    [
      'flow_messaging',
      { service_url: 'https://example.org/a', auth_token: 'tok', flow_uuid: 'f-1', contacts: 'a,b' },
      { auth_token: 'tok', flow_uuid: 'f-1', contacts: 'a,b', flow_title: '' },
    ],
    [
      'sheet_sync',
      { sheet_title: 'Visits', send_existing_data: false, sync_updates: true },
      { service_url: '', sheet_title: 'Visits', send_existing_data: false, sync_updates: true, existing_data: null },
    ],
  ])('201 makes a %s with what only it has', async (name, body, extras) => {
    const response = await post({ xform: formId, name, ...body })
    expect([response.statusCode, response.json()]).toEqual([
      201,
      {
        id: expect.any(Number),
        xform: formId,
        name,
        active: true,
        inactive_reason: '',
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        date_created: expect.any(String),
        date_modified: expect.any(String),
        ...body,
        ...extras,
      },
    ])
    expect((await app.as(ana)('GET', `/restservices/${response.json().id}`)).json()).toEqual(response.json())
  })

  it('201 for a form-encoded body', async () => {
    const form = { xform: String(formId), name: 'generic_json', service_url: newAddress() }
    expect((await app.as(ana)('POST', '/restservices', { form })).statusCode).toBe(201)
  })

  it('400 names all that is missing or wrong at once, and nothing is stored', async () => {
    const before = await stored()
    const faults = async (body: object) => {
      const response = await post(body)
      expect(response.statusCode).toBe(400)
      return response.json()
    }
    const required = ['This field is required.']
    expect(await faults({})).toEqual({ xform: required, name: required, service_url: required })
    expect(await faults({ xform: 'invalid', name: 'pigeon', service_url: 'nowhere' })).toEqual({
      xform: ['Invalid form id'],
      name: ['"pigeon" is not a valid choice.'],
      service_url: ['Enter a valid URL.'],
    })
    const flow = { xform: formId, name: 'flow_messaging', service_url: newAddress() }
    expect(await faults(flow)).toEqual({ auth_token: required, flow_uuid: required, contacts: required })
    expect(await faults({ ...flow, auth_token: '', flow_uuid: 'x'.repeat(256), contacts: 'a' })).toEqual({
      auth_token: ['This field may not be blank.'],
      flow_uuid: ['Ensure this field has no more than 255 characters.'],
    })
    expect(await faults({ ...flow, auth_token: 'a\nb', flow_uuid: 'f', contacts: 'a' })).toEqual({
      auth_token: ['Only plain letters, digits and signs are allowed.'],
    })
    expect(await faults({ xform: formId, name: 'sheet_sync' })).toEqual({ sheet_title: required })
    expect(await faults({ xform: formId, name: 'sheet_sync', sheet_title: 'S', sync_updates: 'perhaps' })).toEqual({
      sync_updates: ['Must be a valid boolean.'],
    })
    for (const address of ['ftp://example.org/', 'javascript:alert(1)', 'https://', 'https://a:b@example.org/']) {
      expect(Object.keys(await faults({ xform: formId, name: 'generic_json', service_url: address }))).toEqual([
        'service_url',
      ])
    }
    expect(await stored()).toBe(before)
  })

  it('400 for the same address, form and kind twice; another kind may have it', async () => {
    const { service_url } = await create()
    const again = await post({ xform: formId, name: 'generic_json', service_url })
    expect([again.statusCode, again.json()]).toEqual([
      400,
      { non_field_errors: ['The fields service_url, xform, name must make a unique set.'] },
    ])
    await create({ name: 'generic_xml', service_url })
    const flow = { name: 'flow_messaging', service_url, auth_token: 't', flow_uuid: 'f', contacts: 'c' }
    await create(flow)
    expect((await post({ xform: formId, ...flow })).json()).toEqual({
      non_field_errors: ['The service already created for this form.'],
    })
  })

  it('of two at once with the same address one is made', async () => {
    const body = { xform: formId, name: 'generic_json', service_url: newAddress() }
    const statuses = (await Promise.all([post(body), post(body)])).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([201, 400])
  })

  it('400 for a form that the caller cannot see, exactly as for a missing one; 403 for one that they do not manage', async () => {
    const before = await stored()
    const body = (xform: number) => ({ xform, name: 'generic_json', service_url: newAddress() })
    const hidden = await post(body(formId), stranger)
    expect([hidden.statusCode, hidden.json()]).toEqual([
      400,
      { xform: [`Invalid pk "${formId}" - object does not exist.`] },
    ])
    expect((await post(body(2147483647), stranger)).json()).toEqual({
      xform: ['Invalid pk "2147483647" - object does not exist.'],
    })
    expect((await post(body(99999999999))).statusCode).toBe(400)
    expect((await post(body(formId), reader)).statusCode).toBe(403)
    // Whatever else is wrong with it.
    expect((await post({ ...body(formId), service_url: 'nowhere' }, reader)).statusCode).toBe(403)
    expect(await stored()).toBe(before)
  })

  it('400 for the fifty-first service of a form, also when many are made at once', async () => {
    const xform = (await publish(app, ana)).formid
    const add = () => post({ xform, name: 'generic_json', service_url: newAddress() })
    for (let n = 0; n < 48; n++) await add()
    const statuses = (await Promise.all([add(), add(), add(), add()])).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([201, 201, 400, 400])
    expect((await add()).json()).toEqual({ xform: [expect.stringContaining('at most 50 services')] })
  })

  it('401 for anonymous callers', async () => {
    expect((await app.call('POST', '/restservices', { body: {} })).statusCode).toBe(401)
  })
})

describe('GET /restservices', () => {
  it('200 lists those of all forms on which the caller has a role; xform narrows; strangers see none', async () => {
    const owner = await app.account()
    const forms = [(await publish(app, owner)).formid, (await publish(app, owner)).formid]
    for (const xform of forms) await post({ xform, name: 'generic_json', service_url: newAddress() }, owner)
    const list = async (by: Account, query: Record<string, string> = {}) =>
      (await app.as(by)('GET', '/restservices', { query })).json().map((one: { xform: number }) => one.xform)
    expect(await list(owner)).toEqual(forms)
    expect(await list(owner, { xform: String(forms[1]) })).toEqual([forms[1]])
    expect(await list(stranger)).toEqual([])
  })

  it('400 for an xform that is no number, 404 for one that is not there or hidden', async () => {
    const list = (by: Account, xform: string) => app.as(by)('GET', '/restservices', { query: { xform } })
    expect((await list(ana, 'x')).json()).toEqual({
      detail: 'Invalid value for formid. It must be a positive integer.',
    })
    const [hidden, missing] = [await list(stranger, String(formId)), await list(stranger, '2147483647')]
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })

  it('shows secrets to those who manage the form, and to nobody else', async () => {
    const { id } = await create({
      name: 'flow_messaging',
      service_url: newAddress(),
      auth_token: 'hush-token',
      flow_uuid: 'f',
      contacts: 'c',
    })
    const seen = await app.as(reader)('GET', `/restservices/${id}`)
    expect(seen.statusCode).toBe(200)
    expect(seen.json()).not.toHaveProperty('auth_token')
    for (const path of ['/restservices', `/restservices/${id}`]) {
      const { body } = await app.as(reader)('GET', path)
      expect([body.includes('hush-token'), body.includes('whsec_')]).toEqual([false, false])
    }
    expect((await app.as(ana)('GET', '/restservices')).body).toContain('hush-token')
    const { sealed } = await app.deps.db.one<{ sealed: Buffer }>(sql`
      select auth_token || secret as sealed from rest_services where id = ${id}`)
    expect(sealed.toString('latin1')).not.toMatch(/hush-token|whsec_/)
  })
})

describe('a browser with a session', () => {
  it('201 shows the secret to whoever makes a service, once', async () => {
    const call = withSession(app, await startSession(app, ana))
    const body = { xform: formId, name: 'generic_json', service_url: newAddress() }
    const made = await call('POST', '/api/v1/restservices', { body })
    expect([made.statusCode, made.json().secret]).toEqual([201, expect.stringMatching(/^whsec_/)])
    const again = await call('GET', `/api/v1/restservices/${made.json().id}`)
    expect([again.statusCode, again.json().secret]).toEqual([200, undefined])
  })
})

describe('an OAuth access token', () => {
  it('sees services without their secrets, whatever its scope', async () => {
    const flow = { name: 'flow_messaging', auth_token: 'hush-token', flow_uuid: 'f', contacts: 'c' }
    const { id } = await create(flow)
    const client = await newClient(app, stranger)
    for (const scope of ['read', 'read write']) {
      const { access_token } = await newTokens(app, ana, client, { scope })
      for (const path of ['/restservices', `/restservices/${id}`]) {
        const { statusCode, body } = await withBearer(app, access_token)('GET', path)
        expect([statusCode, body.includes('hush-token'), body.includes('whsec_')]).toEqual([200, false, false])
      }
    }
  })
})

describe('a service of somebody else', () => {
  it('404 for a hidden one, exactly as for a missing one, whatever is asked', async () => {
    const { id } = await create()
    const calls = [
      ['GET', ''],
      ['PATCH', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/1/retry'],
      ['POST', '/replay'],
      ['POST', '/test'],
    ] as const
    const body = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
    for (const [method, path] of calls) {
      const ask = (pk: number | string) =>
        app.as(stranger)(method, `/restservices/${pk}${path}`, { ...(method !== 'GET' && { body }) })
      const [hidden, missing, odd] = [await ask(id), await ask(2147483647), await ask('x')]
      expect([hidden.statusCode, missing.statusCode, odd.statusCode]).toEqual([404, 404, 404])
      expect([hidden.body, odd.body]).toEqual([missing.body, missing.body])
    }
  })

  it('403 for whoever sees the form and does not manage it', async () => {
    const { id, service_url } = await create()
    const body = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
    const statuses = [
      (await patch(id, { service_url: newAddress() }, reader)).statusCode,
      (await app.as(reader)('DELETE', `/restservices/${id}`)).statusCode,
      (await app.as(reader)('GET', `/restservices/${id}/deliveries`)).statusCode,
      (await app.as(reader)('POST', `/restservices/${id}/deliveries/1/retry`, { body: {} })).statusCode,
      (await app.as(reader)('POST', `/restservices/${id}/replay`, { body })).statusCode,
      (await app.as(reader)('POST', `/restservices/${id}/test`, { body: {} })).statusCode,
    ]
    expect(statuses).toEqual(Array(6).fill(403))
    expect((await app.as(ana)('GET', `/restservices/${id}`)).json().service_url).toBe(service_url)
  })

  it('404 on a form whose data are public, and on one that was deleted', async () => {
    const other = await publish(app, ana)
    const service = (await post({ xform: other.formid, name: 'generic_json', service_url: newAddress() })).json()
    const opened = await app.as(ana)('PATCH', `/forms/${other.formid}`, { body: { public_data: true, public: true } })
    expect(opened.statusCode).toBe(200)
    expect((await app.as(stranger)('GET', `/restservices/${service.id}`)).statusCode).toBe(404)
    expect((await app.as(stranger)('GET', '/restservices', { query: { xform: String(other.formid) } })).json()).toEqual(
      [],
    )
    expect((await app.as(ana)('DELETE', `/forms/${other.formid}`)).statusCode).toBeLessThan(300)
    expect((await app.as(ana)('GET', `/restservices/${service.id}`)).statusCode).toBe(404)
  })
})

describe('PATCH and PUT /restservices/{pk}', () => {
  it('200 changes what is given and keeps the rest, the secret included', async () => {
    const before = await create({
      name: 'flow_messaging',
      service_url: newAddress(),
      auth_token: 't1',
      flow_uuid: 'f1',
      contacts: 'c1',
    })
    const response = await patch(before.id, { contacts: 'c1,c2' })
    const { date_modified } = response.json()
    expect([response.statusCode, response.json()]).toEqual([200, { ...before, contacts: 'c1,c2', date_modified }])
    const kind = await patch(before.id, { name: 'generic_json' })
    expect(kind.json()).not.toHaveProperty('contacts')
    expect((await patch(before.id, { name: 'flow_messaging' })).json()).toEqual({
      auth_token: ['This field is required.'],
      flow_uuid: ['This field is required.'],
      contacts: ['This field is required.'],
    })
  })

  it('PUT 200 takes the body for the whole', async () => {
    const { id } = await create()
    const put = (body: object) => app.as(ana)('PUT', `/restservices/${id}`, { body })
    expect((await put({ name: 'generic_json' })).json()).toEqual({ service_url: ['This field is required.'] })
    const service_url = newAddress()
    expect((await put({ name: 'generic_xml', service_url })).json()).toMatchObject({ name: 'generic_xml', service_url })
  })

  it('400 for faults, and for an address that is taken; nothing changes', async () => {
    const [one, two] = [await create(), await create()]
    expect((await patch(one.id, { service_url: 'x', name: 'y' })).json()).toEqual({
      service_url: ['Enter a valid URL.'],
      name: ['"y" is not a valid choice.'],
    })
    expect((await patch(one.id, { service_url: two.service_url })).statusCode).toBe(400)
    expect((await app.as(ana)('GET', `/restservices/${one.id}`)).json()).toEqual(one)
  })

  it('400 for another form, whoever manages that: what was recorded for one form is not for the people of another', async () => {
    const { id } = await create()
    const fixed = { xform: ['A service belongs to its form. Delete it and make a new one.'] }
    for (const form of [await publish(app, stranger), await publish(app, ana)]) {
      const response = await patch(id, { xform: form.formid })
      expect([response.statusCode, response.json()]).toEqual([400, fixed])
    }
    expect((await patch(id, { xform: formId })).json().xform).toBe(formId)
    const put = { xform: 2147483647, name: 'generic_json', service_url: newAddress() }
    expect((await app.as(ana)('PUT', `/restservices/${id}`, { body: put })).json()).toEqual(fixed)
  })

  it('200 for two changes at once keeps both', async () => {
    for (let n = 0; n < 5; n++) {
      const flow = { name: 'flow_messaging', auth_token: 't', flow_uuid: 'f', contacts: 'c' }
      const { id } = await create(flow)
      const service_url = newAddress()
      await Promise.all([patch(id, { service_url }), patch(id, { flow_title: 'T' }), patch(id, { contacts: 'd' })])
      const kept = (await app.as(ana)('GET', `/restservices/${id}`)).json()
      expect(kept).toMatchObject({ service_url, flow_title: 'T', contacts: 'd' })
    }
  })
})

describe('DELETE /restservices/{pk}', () => {
  it('204 without a body, then 404', async () => {
    const { id } = await create()
    const response = await app.as(ana)('DELETE', `/restservices/${id}`)
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect((await app.as(ana)('DELETE', `/restservices/${id}`)).statusCode).toBe(404)
  })
})
