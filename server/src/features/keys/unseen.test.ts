import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { newKey } from '../../../test/support/keys.js'
import { newProject } from '../../../test/support/projects.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let project: number
let form: PublishedForm
let other: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  project = await newProject(app, ana)
  form = await publish(app, ana, visitSheet({ form_id: 'visit' }), { project })
  other = await publish(app, ana, visitSheet({ form_id: 'other' }), { project })
})

const day = 86_400_000

/** As if it had come so many days ago. */
const seen = (keyId: number, deviceId: string, days: number) => {
  const at = new Date(app.deps.clock.now().getTime() - days * day)
  return app.database.db.run(sql`
    insert into device_key_devices (key_id, device_id, agent, first_seen, last_seen, submissions)
    values (${keyId}, ${deviceId}, 'org.odk.collect.android/v2026.2.1', ${at}, ${at}, 3)`)
}

const unseen = async (formId: number, query = '') => {
  const answer = await app.as(ana)('GET', `/forms/${formId}/unseen_devices${query}`)
  expect(answer.statusCode).toBe(200)
  return (answer.json() as { device_id: string }[]).map(({ device_id: id }) => id)
}

describe('GET /forms/{pk}/unseen_devices', () => {
  it('200 phones of the keys that open the form, not seen for seven days or as many as are asked for; the latest first', async () => {
    const all = await newKey(app, ana, project)
    const one = await newKey(app, ana, project, { forms: [other.formid] })
    await seen(all.id, 'lost', 30)
    await seen(all.id, 'late', 8)
    await seen(all.id, 'here', 1)
    await seen(one.id, 'elsewhere', 31)
    expect(await unseen(form.formid)).toEqual(['late', 'lost'])
    expect(await unseen(form.formid, '?days=10')).toEqual(['lost'])
    expect(await unseen(form.formid, '?days=0')).toEqual(['here', 'late', 'lost'])
    expect(await unseen(other.formid, '?days=10')).toEqual(['lost', 'elsewhere'])
    const [device] = (await app.as(ana)('GET', `/forms/${form.formid}/unseen_devices`)).json()
    expect(device).toMatchObject({
      key: all.id,
      key_name: all.name,
      revoked: false,
      submissions: 3,
      last_submission: null,
    })
  })

  it('200 also of a key that listed the form once, and of a revoked one; not of a deleted one', async () => {
    const key = await newKey(app, ana, project, { forms: [form.formid] })
    await seen(key.id, 'moved on', 20)
    await app.as(ana)('PATCH', `/keys/${key.id}`, { body: { forms: [other.formid] } })
    expect(await unseen(form.formid)).toContain('moved on')
    await app.as(ana)('POST', `/keys/${key.id}/revoke`)
    const devices = (await app.as(ana)('GET', `/forms/${form.formid}/unseen_devices`)).json()
    expect(devices).toContainEqual(expect.objectContaining({ device_id: 'moved on', revoked: true }))
    await app.as(ana)('DELETE', `/keys/${key.id}`)
    expect(await unseen(form.formid)).not.toContain('moved on')
  })

  it('200 with so many as one page shows, and no more', async () => {
    const own = await newProject(app, ana)
    const one = await publish(app, ana, visitSheet({ form_id: 'many' }), { project: own })
    const key = await newKey(app, ana, own)
    await app.database.db.run(sql`
      insert into device_key_devices (key_id, device_id, agent, first_seen, last_seen, submissions)
      select ${key.id}, n::text, '', '2026-01-01', '2026-01-01', 0
      from generate_series(1, ${budgets.keys.unseenListed + 1}) as n`)
    expect(await unseen(one.formid)).toHaveLength(budgets.keys.unseenListed)
  })

  it('400 for days that are none; 401 anonymous, 404 for a stranger exactly as for a missing form, 403 for editors', async () => {
    for (const days of ['-1', '401', 'x']) {
      expect((await app.as(ana)('GET', `/forms/${form.formid}/unseen_devices?days=${days}`)).statusCode).toBe(400)
    }
    expect((await app.call('GET', `/forms/${form.formid}/unseen_devices`)).statusCode).toBe(401)
    const hidden = await app.as(ben)('GET', `/forms/${form.formid}/unseen_devices`)
    const missing = await app.as(ben)('GET', '/forms/2147483647/unseen_devices')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role: 'editor' } })
    expect((await app.as(ben)('GET', `/forms/${form.formid}/unseen_devices`)).statusCode).toBe(403)
  })
})
