import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import { newKey } from '../../../test/support/keys.js'
import { newProject, share } from '../../../test/support/projects.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account
let project: number
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
  project = await newProject(app, ana)
  form = await publish(app, ana, undefined, { project })
})

const post = (body: object, by = ana, at = project) => app.as(by)('POST', `/projects/${at}/keys`, { body })
const get = (id: number, by = ana) => app.as(by)('GET', `/keys/${id}`)
const patch = (id: number, body: object, by = ana) => app.as(by)('PATCH', `/keys/${id}`, { body })
const act = (id: number, what: 'revoke' | 'renew', by = ana) => app.as(by)('POST', `/keys/${id}/${what}`)

describe('POST /projects/{pk}/keys', () => {
  it('201 with the token, of 32 letters and digits, and the address that a phone is given', async () => {
    const answer = await post({ name: 'Tablet 7', properties: { district: 'North' } })
    expect(answer.statusCode).toBe(201)
    const key = answer.json()
    expect(key).toEqual({
      id: expect.any(Number),
      project,
      name: 'Tablet 7',
      kind: 'device',
      forms: 'all',
      acts_as: null,
      properties: { district: 'North' },
      created_by: 'ana',
      created_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
      revoked_by: null,
      stopped_at: null,
      last_seen: null,
      last_list: null,
      last_submission: null,
      submissions: 0,
      devices: [],
      token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      address: `http://localhost:80/key/${key.token}`,
      fill_url: `http://localhost:80/f/key/${key.token}`,
    })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('the token is not in the database in clear', async () => {
    const { token } = await newKey(app, ana, project)
    const rows = await app.deps.db.rows<{ row: string }>(sql`select t::text as row from device_key_tokens t`)
    expect(rows.some(({ row }) => row.includes(token))).toBe(false)
  })

  it('201 for chosen forms, an account to act for and an end', async () => {
    const end = new Date(Date.now() + 86_400_000).toISOString()
    const answer = await post({ name: 'T', forms: [form.formid], acts_as: 'Ana', expires_at: end })
    expect(answer.json()).toMatchObject({ forms: [form.formid], acts_as: 'ana', expires_at: end })
  })

  it('400 with all faults at once, each at its field', async () => {
    const other = await publish(app, ana, undefined, { project: await newProject(app, ana) })
    const body = {
      forms: [form.formid, other.formid, 2_147_483_647],
      acts_as: 'nobody',
      expires_at: '2020-01-01T00:00:00Z',
    }
    const answer = await post({ ...body, properties: { text: 'x'.repeat(200_000) } })
    expect([answer.statusCode, Object.keys(answer.json()).sort()]).toEqual([
      400,
      ['acts_as', 'expires_at', 'forms', 'name', 'properties'],
    ])
    expect(answer.json().forms).toEqual([`Not forms of this project that you manage: ${other.formid}, 2147483647.`])
  })

  it.each([
    ['a control sign', 'a\u0007b'],
    ['a line break', 'a\nb'],
    ['a sign that turns the line', 'a\u202eb'],
    ['nothing', ''],
    ['more than budgets.keys.nameCharacters', 'x'.repeat(budgets.keys.nameCharacters + 1)],
  ])('400 for a name with %s', async (_words, name) => {
    const answer = await post({ name })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['name']])
  })

  it.each([[[]], ['some'], [7], [['x']], [{}]])('400 for the forms %j', async (forms) => {
    const answer = await post({ name: 'T', forms })
    expect(answer.json()).toEqual({ forms: ['Either "all", or a list of ids of forms.'] })
  })

  it('400 for more forms than budgets.keys.forms', async () => {
    const forms = Array.from({ length: budgets.keys.forms + 1 }, (_, n) => n + 1)
    expect(Object.keys((await post({ name: 'T', forms })).json())).toEqual(['forms'])
  })

  it('409 for one more than budgets.keys.perProject, until one is deleted', async () => {
    const place = await newProject(app, ana)
    const { id } = await newKey(app, ana, place)
    await app.deps.db.run(sql`
      insert into device_keys (kind, project_id, name, has_all_forms, created_at)
      select 'device', ${place}::int, 'x', true, now() from generate_series(2, ${budgets.keys.perProject}::int)`)
    expect((await post({ name: 'one more' }, ana, place)).statusCode).toBe(409)
    await app.as(ana)('DELETE', `/keys/${id}`)
    expect((await post({ name: 'one more' }, ana, place)).statusCode).toBe(201)
  })

  it('400 for an account that may not submit to the project, as for one that there is not', async () => {
    for (const name of ['stranger', 'nobody-at-all']) {
      expect((await post({ name: 'T', acts_as: name })).json()).toEqual({
        acts_as: [`${name} is no account that may submit to this project.`],
      })
    }
  })
})

describe('who may', () => {
  it('404 for strangers, exactly as for what is missing; 403 for whoever sees the project; 401 without signing in', async () => {
    const place = await newProject(app, ana)
    await share(app, ana, place, 'ben', 'editor')
    const { id } = await newKey(app, ana, place)
    const calls = (by: Account, key: number, at: number) => [
      app.as(by)('GET', `/projects/${at}/keys`),
      post({ name: 'x' }, by, at),
      get(key, by),
      patch(key, { name: 'x' }, by),
      act(key, 'revoke', by),
      act(key, 'renew', by),
      app.as(by)('DELETE', `/keys/${key}`),
    ]
    const missing = (await Promise.all(calls(stranger, 2_147_483_647, 2_147_483_647))).map(({ body }) => body)
    const hidden = await Promise.all(calls(stranger, id, place))
    expect(hidden.map(({ statusCode }) => statusCode)).toEqual(Array(7).fill(404))
    expect(hidden.map(({ body }) => body)).toEqual(missing)
    const seen = await Promise.all(calls(ben, id, place))
    expect(seen.map(({ statusCode }) => statusCode)).toEqual(Array(7).fill(403))
    expect((await app.call('GET', `/keys/${id}`)).statusCode).toBe(401)
    expect((await get(id)).json()).toMatchObject({ name: expect.stringMatching(/^Tablet/), revoked_at: null })
  })

  it('managers may all of it, and see the token again', async () => {
    const place = await newProject(app, ana)
    await share(app, ana, place, 'ben', 'manager')
    const { id, token } = await newKey(app, ana, place)
    expect((await get(id, ben)).json()).toMatchObject({ token })
    expect((await app.as(ben)('GET', `/projects/${place}/keys`)).json()).toMatchObject([{ id, token }])
    expect((await patch(id, { name: 'Other' }, ben)).json()).toMatchObject({ name: 'Other', token })
    expect((await act(id, 'revoke', ben)).statusCode).toBe(204)
  })

  it('a manager who manages not all forms that a key opens is shown no token, and renews nothing', async () => {
    const place = await newProject(app, ana)
    const [one, secret] = [
      await publish(app, ana, undefined, { project: place }),
      await publish(app, ana, undefined, { project: place }),
    ]
    await share(app, ana, place, 'ben', 'manager')
    await app.as(ana)('POST', `/forms/${secret.formid}/share`, { body: { username: 'ben', role: 'readonly' } })
    const [all, chosen] = [await newKey(app, ana, place), await newKey(app, ana, place, { forms: [one.formid] })]
    const list = (await app.as(ben)('GET', `/projects/${place}/keys`)).json()
    expect(list).toMatchObject([{ id: chosen.id, token: chosen.token }, { id: all.id }])
    expect(list[1]).not.toHaveProperty('token')
    expect(list[1]).not.toHaveProperty('address')
    expect((await act(all.id, 'renew', ben)).statusCode).toBe(403)
    expect((await post({ name: 'T', forms: [secret.formid] }, ben, place)).statusCode).toBe(400)
  })
})

describe('/keys/{id}', () => {
  it('PATCH 200 changes what is given, and leaves the rest', async () => {
    const { id, token } = await newKey(app, ana, project, { properties: { a: 1 } })
    const end = new Date(Date.now() + 86_400_000).toISOString()
    expect((await patch(id, { forms: [form.formid], expires_at: end })).json()).toMatchObject({
      forms: [form.formid],
      expires_at: end,
      properties: { a: 1 },
      token,
    })
    expect((await patch(id, { forms: 'all', expires_at: null, properties: {} })).json()).toMatchObject({
      forms: 'all',
      expires_at: null,
      properties: {},
    })
  })

  it('PATCH 400 with all faults at once', async () => {
    const { id } = await newKey(app, ana, project)
    const answer = await patch(id, { name: '', forms: [], expires_at: 'tomorrow', limit: 5 })
    expect([answer.statusCode, Object.keys(answer.json()).sort()]).toEqual([
      400,
      ['expires_at', 'forms', 'limit', 'name'],
    ])
  })

  it('revoking twice is 204, and the row stays, without its token', async () => {
    const { id } = await newKey(app, ana, project)
    for (const _ of [1, 2]) expect((await act(id, 'revoke')).statusCode).toBe(204)
    expect((await get(id)).json()).toMatchObject({
      revoked_at: expect.any(String),
      revoked_by: 'ana',
      token: null,
      address: null,
    })
    expect((await act(id, 'renew')).statusCode).toBe(409)
  })

  it('renewing is 201 with another token', async () => {
    const { id, token } = await newKey(app, ana, project)
    const answer = await act(id, 'renew')
    expect(answer.statusCode).toBe(201)
    expect(answer.json().token).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(answer.json().token).not.toBe(token)
  })

  it('DELETE 204, and it is gone', async () => {
    const { id } = await newKey(app, ana, project)
    expect((await app.as(ana)('DELETE', `/keys/${id}`)).statusCode).toBe(204)
    expect((await get(id)).statusCode).toBe(404)
  })

  it.each(['0', 'x', '99999999999999999999', '2147483648'])('404 for the id %s', async (id) => {
    expect((await app.as(ana)('GET', `/keys/${id}`)).statusCode).toBe(404)
  })
})
