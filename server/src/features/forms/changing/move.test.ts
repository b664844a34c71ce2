import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../../test/support/forms.js'
import { newOrganization, newProject, share } from '../../../../test/support/projects.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  await app.account({ username: 'carl' })
  stranger = await app.account({ username: 'stranger' })
})

const assign = (by: Account, project: number, formid: unknown) =>
  app.as(by)('POST', `/projects/${project}/forms`, { body: { formid } })
const patch = (by: Account, { formid }: PublishedForm, body: object) =>
  app.as(by)('PATCH', `/forms/${formid}`, { body })
const get = async (form: PublishedForm, by = ana) => (await app.as(by)('GET', `/forms/${form.formid}`)).json()
const modified = async (project: number) => (await app.as(ana)('GET', `/projects/${project}`)).json().date_modified
const roles = (form: { users?: unknown }) =>
  Object.fromEntries((form.users as { user: string; role: string }[]).map(({ user, role }) => [user, role]))

describe('POST /projects/{pk}/forms with formid', () => {
  it('201 with the form: in the new project, with its people, without those of the old one and its own shares', async () => {
    const [from, to] = [await newProject(app, ana), await newProject(app, ana)]
    const form = await publish(app, ana, visitSheet(), { project: from })
    await share(app, ana, from, 'ben', 'editor')
    await share(app, ana, to, 'carl', 'dataentry')
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'stranger', role: 'readonly' } })
    const before = [await modified(from), await modified(to)]
    const response = await assign(ana, to, form.formid)
    expect(response.statusCode).toBe(201)
    expect(response.json()).toMatchObject({
      formid: form.formid,
      uuid: form.uuid,
      project: expect.stringMatching(new RegExp(`/projects/${to}$`)),
    })
    expect(roles(response.json())).toEqual({ ana: 'owner', carl: 'dataentry' })
    expect([await modified(from), await modified(to)].every((time, at) => time > before[at])).toBe(true)
    for (const account of [ben, stranger]) {
      expect((await app.as(account)('GET', `/forms/${form.formid}`)).statusCode).toBe(404)
    }
  })

  it('201 into an organization: it owns the form, and so does who moved it; as text and form-encoded too', async () => {
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'manager' } })
    const project = await newProject(app, ben, { owner: org })
    const form = await publish(app, ben)
    expect((await assign(ben, project, String(form.formid))).json()).toMatchObject({ owner: org })
    expect(roles(await get(form, ben))).toMatchObject({ ben: 'owner', ana: 'owner' })
    const back = await app.as(ben)('POST', `/projects/${await newProject(app, ben)}/forms`, {
      form: { formid: String(form.formid) },
    })
    expect(back.json()).toMatchObject({ owner: 'ben' })
  })

  it('201 and nothing changes when it is there already', async () => {
    const project = await newProject(app, ana)
    const form = await publish(app, ana, visitSheet(), { project })
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role: 'readonly' } })
    expect((await assign(ana, project, form.formid)).statusCode).toBe(201)
    expect(roles(await get(form))).toEqual({ ana: 'owner', ben: 'readonly' })
  })

  it('a private form stays private in a public project', async () => {
    const form = await publish(app, ana)
    const project = await newProject(app, ana, { public: true })
    expect((await assign(ana, project, form.formid)).json()).toMatchObject({ public: false, public_data: false })
  })

  it('400 when the new account has the id already, in any case; the form stays', async () => {
    const org = await newOrganization(app, ana)
    const project = await newProject(app, ana, { owner: org })
    await publish(app, ana, visitSheet({ form_id: 'TWIN' }), { project })
    const form = await publish(app, ana, visitSheet({ form_id: 'twin' }))
    const response = await assign(ana, project, form.formid)
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { detail: 'Form with the same id_string already exists in this account' },
    ])
    expect((await get(form)).owner).toBe('ana')
  })

  it('404 for a form that is unknown, hidden or no number; 403 below manager of the form or of the project; 400 without both', async () => {
    const project = await newProject(app, ana)
    const form = await publish(app, ana, visitSheet(), { project })
    const own = await newProject(app, ben)
    const missing = await assign(ben, own, 2147483647)
    for (const id of [form.formid, 'x', 99999999999, true]) {
      const response = await assign(ben, own, id)
      expect([response.statusCode, response.body]).toEqual([404, missing.body])
    }
    await share(app, ana, project, 'ben', 'editor')
    const refused = await assign(ben, own, form.formid)
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { detail: `ben has no manager/owner role to the form ${form.title}` },
    ])
    const bens = await publish(app, ben)
    expect((await assign(ben, project, bens.formid)).statusCode).toBe(403)
    expect((await assign(stranger, project, form.formid)).statusCode).toBe(404)
    const neither = await app.as(ana)('POST', `/projects/${project}/forms`, { body: {} })
    expect([neither.statusCode, neither.json()]).toMatchObject([400, { type: 'alert-error' }])
  })

  it('201 for a manager of the form and of another project of its account: they stay what they are, its own owners too', async () => {
    const [from, to] = [await newProject(app, ana), await newProject(app, ana)]
    const form = await publish(app, ana, visitSheet(), { project: from })
    await share(app, ana, from, 'ben', 'manager')
    await share(app, ana, to, 'ben', 'manager')
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'carl', role: 'owner' } })
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'stranger', role: 'readonly' } })
    expect((await assign(ben, to, form.formid)).statusCode).toBe(201)
    expect(roles(await get(form))).toEqual({ ana: 'owner', ben: 'manager', carl: 'owner' })
  })
})

describe('a form leaves its account', () => {
  const managed = async () => {
    const project = await newProject(app, ana)
    const form = await publish(app, ana, visitSheet(), { project })
    await share(app, ana, project, 'ben', 'manager')
    return form
  }

  it('403 for a manager, whichever way they try it; nothing changes', async () => {
    const form = await managed()
    const own = await newProject(app, ben)
    const org = await newOrganization(app, ben)
    const refused = {
      detail: `ben has no owner role to the form ${form.title}, which giving it to another account needs`,
    }
    for (const response of [
      await assign(ben, own, form.formid),
      await patch(ben, form, { project: own }),
      await patch(ben, form, { owner: 'ben' }),
      await patch(ben, form, { owner: org, title: 'Mine' }),
      await app.as(ben)('PUT', `/forms/${form.formid}`, { body: { owner: 'ben', title: 'Mine' } }),
      // Whether there is such an account is not told either.
      await patch(ben, form, { owner: 'nobody-of-this-name' }),
    ]) {
      expect([response.statusCode, response.json()]).toEqual([403, refused])
    }
    expect(await get(form)).toMatchObject({ owner: 'ana', title: form.title })
  })

  it('403 for a manager who has moved it within the account first', async () => {
    const form = await managed()
    const to = await newProject(app, ana)
    await share(app, ana, to, 'ben', 'manager')
    expect((await assign(ben, to, form.formid)).statusCode).toBe(201)
    expect((await assign(ben, await newProject(app, ben), form.formid)).statusCode).toBe(403)
  })

  it('201 for an owner of it who is not the account', async () => {
    const form = await managed()
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role: 'owner' } })
    expect((await assign(ben, await newProject(app, ben), form.formid)).json()).toMatchObject({ owner: 'ben' })
  })

  it('403 into a project that its owner manages in an account in which they make no projects', async () => {
    const project = await newProject(app, ana)
    await share(app, ana, project, 'ben', 'manager')
    const form = await publish(app, ben)
    for (const response of [await assign(ben, project, form.formid), await patch(ben, form, { project })]) {
      expect([response.statusCode, response.json()]).toEqual([
        403,
        { detail: 'User ben has no permission to add xforms to account ana' },
      ])
    }
    expect((await get(form, ben)).owner).toBe('ben')
  })

  it('403 with its project, for an owner of the project whose role on the form is another one', async () => {
    const project = await newProject(app, ana)
    const form = await publish(app, ana, visitSheet(), { project })
    await share(app, ana, project, 'ben', 'owner')
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role: 'readonly' } })
    for (const [method, body] of [
      ['PATCH', { owner: 'ben' }],
      ['PATCH', { public: true }],
      ['DELETE', undefined],
    ] as const) {
      const response = await app.as(ben)(method, `/projects/${project}`, { body })
      expect([response.statusCode, response.json().detail]).toEqual([
        403,
        `Your role on the form '${form.id_string}' in this project does not allow it.`,
      ])
    }
    expect(await get(form)).toMatchObject({ owner: 'ana', public: false, public_data: false })
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role: 'owner' } })
    expect((await app.as(ben)('PATCH', `/projects/${project}`, { body: { owner: 'ben' } })).statusCode).toBe(200)
    expect((await get(form, ben)).owner).toBe('ben')
  })

  it('204 sharing a project again leaves the roles on forms that the caller does not manage: nobody lifts their own limits', async () => {
    const project = await newProject(app, ana)
    const form = await publish(app, ana, visitSheet(), { project })
    await share(app, ana, project, 'ben', 'manager')
    const shareForm = (username: string, role: string) =>
      app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username, role } })
    await shareForm('ben', 'dataentry-only')
    await shareForm('carl', 'owner')
    for (const username of ['ben', 'carl']) {
      expect((await share(app, ben, project, username, 'manager')).statusCode).toBe(204)
    }
    expect(roles(await get(form))).toMatchObject({ ben: 'dataentry-only', carl: 'owner' })
    // Who owns the form takes them away as before.
    await share(app, ana, project, 'ben', 'editor')
    expect(roles(await get(form))).toMatchObject({ ben: 'editor' })
  })

  it('204 a manager who shares the project does not unmake the owners of a form', async () => {
    const form = await managed()
    const project = Number(String(form.project).split('/').at(-1))
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'carl', role: 'owner' } })
    const remove = { username: 'carl', role: 'readonly', remove: true }
    for (const body of [{ username: 'carl', role: 'readonly' }, remove]) {
      expect((await app.as(ben)('PUT', `/projects/${project}/share`, { body })).statusCode).toBe(204)
      expect(roles(await get(form))).toMatchObject({ carl: 'owner' })
    }
    expect((await app.as(ana)('PUT', `/projects/${project}/share`, { body: remove })).statusCode).toBe(204)
    expect(roles(await get(form))).toEqual({ ana: 'owner', ben: 'manager' })
  })
})

describe('PATCH /forms/{pk} with project or owner', () => {
  it('200 project: an address on any host or an id moves the form; its own one changes nothing', async () => {
    const form = await publish(app, ana)
    for (const project of [await newProject(app, ana), await newProject(app, ana)]) {
      const response = await patch(ana, form, { project: `http://any.host/api/v1/projects/${project}.json` })
      expect(response.json().project).toMatch(new RegExp(`/projects/${project}$`))
      expect((await patch(ana, form, { project })).statusCode).toBe(200)
    }
  })

  it('200 owner: into the first project of the account, by address or by name', async () => {
    const form = await publish(app, ana)
    const org = await newOrganization(app, ana)
    const given = await patch(ana, form, { owner: `http://any.host/api/v1/users/${org.toUpperCase()}` })
    expect([given.statusCode, given.json().owner]).toEqual([200, org])
    expect((await patch(ana, form, { owner: 'ana' })).json().owner).toBe('ana')
    expect((await patch(ana, form, { owner: 'ANA' })).statusCode).toBe(200)
  })

  it('403 into an account that the caller adds no forms to, and into a project that they only see', async () => {
    const form = await publish(app, ana)
    const response = await patch(ana, form, { owner: 'ben' })
    expect([response.statusCode, response.json()]).toEqual([
      403,
      { detail: 'User ana has no permission to add xforms to account ben' },
    ])
    const project = await newProject(app, ben, { public: true })
    expect((await patch(ana, form, { project })).statusCode).toBe(403)
  })

  it('400 when the id is taken there: nothing else changes either', async () => {
    const org = await newOrganization(app, ana)
    const project = await newProject(app, ana, { owner: org })
    await publish(app, ana, visitSheet({ form_id: 'both' }), { project })
    const form = await publish(app, ana, visitSheet({ form_id: 'both' }))
    const response = await patch(ana, form, { project, title: 'New', description: 'New' })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { detail: 'Form with the same id_string already exists in this account' },
    ])
    expect(await get(form)).toMatchObject({ title: form.title, description: '', hash: form.hash })
  })
})
