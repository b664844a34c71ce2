import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish, visitSheet } from '../../../test/support/forms.js'
import { newProject, share } from '../../../test/support/projects.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account
let project: number
let xform: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
  project = await newProject(app, ana)
  xform = (await publish(app, ana, visitSheet(), { project })).formid
})

const restrict = (by: Account, data_value: string) =>
  app.as(by)('POST', '/metadata', { body: { xform, data_type: 'xform_meta_perms', data_value } })
const entries = async () => (await app.as(ana)('GET', `/metadata?xform=${xform}&data_type=xform_meta_perms`)).json()
const roleOf = async (given: string): Promise<string> => {
  await share(app, ana, project, 'ben', given)
  const { users } = (await app.as(ana)('GET', `/forms/${xform}`)).json()
  return users.find(({ user }: { user: string }) => user === 'ben').role
}
const roles = [
  'readonly-no-download',
  'readonly',
  'dataentry-only',
  'dataentry-minor',
  'dataentry',
  'editor-minor',
  'editor',
  'manager',
  'owner',
]
const effect = async () => {
  const changed: Record<string, string> = {}
  for (const role of roles) {
    const real = await roleOf(role)
    if (real !== role) changed[role] = real
  }
  return changed
}

describe('xform_meta_perms', () => {
  it('every form has one that restricts nothing', async () => {
    expect(await entries()).toMatchObject([{ data_value: 'editor|dataentry|readonly' }])
    expect(await effect()).toEqual({})
  })

  it.each([
    ['editor-minor|dataentry|readonly', { editor: 'editor-minor' }],
    ['editor|dataentry-minor|readonly', { dataentry: 'dataentry-minor' }],
    [
      'editor-minor | dataentry-only | readonly-no-download',
      {
        editor: 'editor-minor',
        dataentry: 'dataentry-only',
        'dataentry-minor': 'dataentry-only',
        readonly: 'readonly-no-download',
      },
    ],
  ])('201 %s narrows what the project gives, and never widens it', async (value, changed) => {
    const response = await restrict(ana, value)
    expect([response.statusCode, response.json().data_value]).toEqual([201, value.replaceAll(' ', '')])
    expect((await entries()).length).toBe(1)
    expect(await effect()).toEqual(changed)
  })

  it('a form’s own share is not narrowed', async () => {
    await restrict(ana, 'editor-minor|dataentry-only|readonly-no-download')
    await share(app, ana, project, 'ben', 'editor')
    await app.as(ana)('POST', `/forms/${xform}/share`, { body: { username: 'ben', role: 'editor' } })
    const { users } = (await app.as(ana)('GET', `/forms/${xform}`)).json()
    expect(users).toContainEqual(expect.objectContaining({ user: 'ben', role: 'editor' }))
  })

  it('PATCH 200 changes it in its place; DELETE 204 lifts it', async () => {
    const [{ id }] = await entries()
    const patched = await app.as(ana)('PATCH', `/metadata/${id}`, {
      body: { data_value: 'editor-minor|dataentry|readonly' },
    })
    expect([patched.statusCode, patched.json()]).toMatchObject([
      200,
      { id, data_value: 'editor-minor|dataentry|readonly' },
    ])
    expect((await app.as(ana)('DELETE', `/metadata/${id}`)).statusCode).toBe(204)
    expect([await entries(), await effect()]).toEqual([[], {}])
  })

  it('400 for anything else: nothing changes', async () => {
    await restrict(ana, 'editor|dataentry|readonly')
    const fault = {
      non_field_errors: [
        "Format must be: 'editor role' | 'dataentry role' | 'readonly role', or an invalid role was provided.",
      ],
    }
    for (const value of [
      'editor',
      'manager|dataentry|readonly',
      'dataentry|editor|readonly',
      'editor|dataentry|readonly|x',
    ]) {
      const response = await restrict(ana, value)
      expect([response.statusCode, response.json()]).toEqual([400, fault])
    }
    const [{ id, data_value }] = await entries()
    expect(data_value).toBe('editor|dataentry|readonly')
    expect((await app.as(ana)('PATCH', `/metadata/${id}`, { body: { data_value: 'x' } })).json()).toEqual(fault)
    expect((await app.as(ana)('PATCH', `/metadata/${id}`, { body: {} })).json()).toEqual({
      data_value: ['This field is required.'],
    })
  })

  it('PATCH 400 for any other entry', async () => {
    const body = { xform, data_type: 'data_license', data_value: 'CC-BY' }
    const { id } = (await app.as(ana)('POST', '/metadata', { body })).json()
    const response = await app.as(ana)('PATCH', `/metadata/${id}`, { body: { data_value: 'x' } })
    expect([response.statusCode, response.json().detail]).toEqual([400, expect.stringContaining('do not change')])
  })

  it('403 for editors, who would lift what restricts them; 404 and 400 for strangers', async () => {
    await restrict(ana, 'editor-minor|dataentry|readonly')
    await share(app, ana, project, 'ben', 'editor')
    const [{ id }] = await entries()
    expect((await restrict(ben, 'editor|dataentry|readonly')).statusCode).toBe(403)
    const body = { data_value: 'editor|dataentry|readonly' }
    expect((await app.as(ben)('PATCH', `/metadata/${id}`, { body })).statusCode).toBe(403)
    expect((await app.as(ben)('DELETE', `/metadata/${id}`)).statusCode).toBe(403)
    expect((await restrict(stranger, 'editor|dataentry|readonly')).statusCode).toBe(400)
    expect((await app.as(stranger)('PATCH', `/metadata/${id}`, { body })).statusCode).toBe(404)
  })
})
