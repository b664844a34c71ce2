import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../../test/support/forms.js'
import { newOrganization, newProject, share } from '../../../../test/support/projects.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let carl: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  carl = await app.account({ username: 'carl' })
  stranger = await app.account({ username: 'stranger' })
})

const formIn = async (project: number) => publish(app, ana, visitSheet(), { project })
const shareForm = (by: Account, { formid }: PublishedForm, body: object) =>
  app.as(by)('POST', `/forms/${formid}/share`, { body })
const roles = async (form: PublishedForm): Promise<Record<string, string>> => {
  const { users } = (await app.as(ana)('GET', `/forms/${form.formid}`)).json()
  return Object.fromEntries(users.map(({ user, role }: { user: string; role: string }) => [user, role]))
}

describe('POST /forms/{pk}/share', () => {
  it('204 without a body: the people named have the role on this form, and none on the project or its other forms', async () => {
    const project = await newProject(app, ana)
    const [form, other] = [await formIn(project), await formIn(project)]
    const response = await shareForm(ana, form, { username: 'ben', role: 'readonly' })
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect((await shareForm(ana, form, { usernames: ' CARL , ben', role: 'editor' })).statusCode).toBe(204)
    expect(await roles(form)).toEqual({ ana: 'owner', ben: 'editor', carl: 'editor' })
    expect(await roles(other)).toEqual({ ana: 'owner' })
    expect((await app.as(ben)('GET', `/forms/${form.formid}`)).statusCode).toBe(200)
    expect((await app.as(ben)('GET', `/projects/${project}`)).statusCode).toBe(404)
    expect(await app.deps.db.rows(sql`select from form_events where form_id = ${form.formid}`)).toEqual([])
  })

  it.each([
    'readonly-no-download',
    'readonly',
    'dataentry-only',
    'dataentry-minor',
    'dataentry',
    'editor-minor',
    'editor',
    'manager',
    'owner',
  ])('204 with the role %s', async (role) => {
    const form = await formIn(await newProject(app, ana))
    expect((await shareForm(ana, form, { username: 'ben', role })).statusCode).toBe(204)
    expect((await roles(form)).ben).toBe(role)
  })

  it('a form’s own role stands in place of the direct role on the project, higher or lower', async () => {
    const project = await newProject(app, ana)
    const form = await formIn(project)
    await share(app, ana, project, 'ben', 'editor')
    await shareForm(ana, form, { username: 'ben', role: 'dataentry-only' })
    expect((await roles(form)).ben).toBe('dataentry-only')
    await shareForm(ana, form, { username: 'ben', role: 'manager' })
    expect((await roles(form)).ben).toBe('manager')
  })

  it('sharing the project again, or ending it, resets the roles on its forms', async () => {
    const project = await newProject(app, ana)
    const form = await formIn(project)
    await shareForm(ana, form, { username: 'ben', role: 'manager' })
    await share(app, ana, project, 'ben', 'readonly')
    expect((await roles(form)).ben).toBe('readonly')
    await shareForm(ana, form, { username: 'ben', role: 'editor' })
    await app.as(ana)('PUT', `/projects/${project}/share`, { body: { username: 'ben', role: 'editor', remove: true } })
    expect(await roles(form)).toEqual({ ana: 'owner' })
    expect((await app.as(ben)('GET', `/forms/${form.formid}`)).statusCode).toBe(404)
  })

  it('whoever leaves the organization loses their roles on its forms', async () => {
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'manager' } })
    const body = { text_xls_form: visitSheet(), owner: org }
    const form: PublishedForm = (await app.as(ben)('POST', '/forms', { body })).json()
    expect((await app.as(ben)('GET', `/forms/${form.formid}`)).statusCode).toBe(200)
    await app.as(ana)('DELETE', `/orgs/${org}/members`, { body: { username: 'ben' } })
    expect((await app.as(ben)('GET', `/forms/${form.formid}`)).statusCode).toBe(404)
  })

  it('400 with an entry for each name, empty for the good ones; nobody is shared with', async () => {
    const form = await formIn(await newProject(app, ana))
    const asleep = await app.account({ username: 'asleep' })
    await app.deps.db.run(sql`update users set is_active = false where id = ${asleep.id}`)
    const answer = async (body: object) => {
      const response = await shareForm(ana, form, body)
      return [response.statusCode, response.json()]
    }
    expect(await answer({ username: 'ben,nobody,asleep', role: 'readonly' })).toEqual([
      400,
      [{}, { username: ["User 'nobody' does not exist."] }, { username: ['User is not active'] }],
    ])
    expect(await answer({ username: 'ben', role: 'king' })).toEqual([400, [{ role: ["Unknown role 'king'."] }]])
    expect(await answer({ username: 'ben', role: 'member' })).toEqual([400, [{ role: ["Unknown role 'member'."] }]])
    expect(await answer({ username: 'ben', role: null })).toEqual([400, [{ role: ['This field may not be null.'] }]])
    expect(await answer({ username: 'ben', role: '' })).toEqual([400, [{ role: ['This field may not be blank.'] }]])
    expect(await answer({ username: 'nobody' })).toEqual([
      400,
      [{ username: ["User 'nobody' does not exist."], role: ['This field is required.'] }],
    ])
    expect(await answer({ role: 'readonly' })).toEqual([400, { username: ['This field is required.'] }])
    expect(await answer({ username: ' , ', role: 'readonly' })).toEqual([
      400,
      { username: ['This field is required.'] },
    ])
    expect(await roles(form)).toEqual({ ana: 'owner' })
  })

  it('a manager shares, but neither makes nor unmakes owners', async () => {
    const project = await newProject(app, ana)
    const form = await formIn(project)
    await share(app, ana, project, 'ben', 'manager')
    await share(app, ana, project, 'carl', 'owner')
    expect((await shareForm(ben, form, { username: 'stranger', role: 'readonly' })).statusCode).toBe(204)
    expect((await shareForm(ben, form, { username: 'ben', role: 'owner' })).json()).toEqual([
      { role: ["Unknown role 'owner'."] },
    ])
    expect((await shareForm(ben, form, { username: 'stranger,carl', role: 'readonly' })).json()).toEqual([
      {},
      { username: ['Only an owner can change the role of an owner (carl)'] },
    ])
    expect(await roles(form)).toMatchObject({ carl: 'owner', ben: 'manager' })
    expect((await shareForm(ana, form, { username: 'carl', role: 'readonly' })).statusCode).toBe(204)
    expect((await roles(form)).carl).toBe('readonly')
  })

  it('204 with remove: their role on the form is gone, what they have by the project stays; owners are for owners', async () => {
    const project = await newProject(app, ana)
    const form = await formIn(project)
    await share(app, ana, project, 'ben', 'readonly')
    await shareForm(ana, form, { username: 'ben,carl', role: 'manager' })
    expect((await shareForm(stranger, form, { username: 'ben', remove: true })).statusCode).toBe(404)
    expect((await shareForm(ben, form, { username: 'nobody', remove: true })).json()).toEqual([
      { username: ["User 'nobody' does not exist."] },
    ])
    expect((await shareForm(ana, form, { username: 'ben,carl', remove: true })).statusCode).toBe(204)
    expect(await roles(form)).toEqual({ ana: 'owner', ben: 'readonly' })
    await shareForm(ana, form, { username: 'carl', role: 'owner' })
    await shareForm(ana, form, { username: 'ben', role: 'manager' })
    expect((await shareForm(ben, form, { username: 'carl', remove: true })).json()).toEqual([
      { username: ['Only an owner can change the role of an owner (carl)'] },
    ])
  })

  it('403 below manager, 404 for strangers, 401 for nobody', async () => {
    const form = await formIn(await newProject(app, ana))
    await shareForm(ana, form, { username: 'carl', role: 'editor' })
    const body = { username: 'stranger', role: 'readonly' }
    expect((await shareForm(carl, form, body)).statusCode).toBe(403)
    expect((await shareForm(stranger, form, body)).statusCode).toBe(404)
    expect((await app.call('POST', `/forms/${form.formid}/share`, { body })).statusCode).toBe(401)
  })
})
