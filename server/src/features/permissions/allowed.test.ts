// `allowed` in projects, forms and organizations: a page asks it before it offers something.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { publish, sheet } from '../../../test/support/forms.js'
import { newOrganization, newProject } from '../../../test/support/projects.js'

const survey = sheet(`type,name,label
   text,name,Name`)

describe('allowed', () => {
  const app = testApp()

  it('says of a form and its project what each role may do: all of it as an owner, little as a reader', async () => {
    const [owner, reader] = [await app.account(), await app.account()]
    const project = await newProject(app, owner)
    const form = await publish(app, owner, survey, { project })
    await app.as(owner)('PUT', `/projects/${project}/share`, { body: { username: reader.username, role: 'readonly' } })
    const seen = async (person: typeof owner, path: string) => (await app.as(person)('GET', path)).json().allowed
    expect(await seen(owner, `/forms/${form.formid}`)).toEqual(expect.arrayContaining(['manage', 'transfer']))
    expect(await seen(owner, `/projects/${project}`)).toEqual(expect.arrayContaining(['manage', 'grant_owner']))
    expect((await seen(reader, `/forms/${form.formid}`)).sort()).toEqual(['export', 'view', 'view_all', 'view_data'])
    expect((await seen(reader, `/projects/${project}`)).sort()).toEqual(['export', 'view', 'view_all'])
  })

  it('nothing for a stranger who sees a public form, and for nobody at all', async () => {
    const [owner, stranger] = [await app.account(), await app.account()]
    const form = await publish(app, owner, survey)
    await app.as(owner)('PATCH', `/forms/${form.formid}`, { body: { public: true } })
    expect((await app.as(stranger)('GET', `/forms/${form.formid}`)).json().allowed).toEqual([])
    expect((await app.call('GET', `/forms/${form.formid}`)).json().allowed).toEqual([])
  })

  it('project_visible says whether the project of a form would be missing: with a role on the form alone it is', async () => {
    const [owner, both, alone, stranger] = [
      await app.account(),
      await app.account(),
      await app.account(),
      await app.account(),
    ]
    const project = await newProject(app, owner)
    const form = await publish(app, owner, survey, { project })
    const give = (path: string, username: string, role: string) =>
      app.as(owner)('PUT', `${path}/share`, { body: { username, role } })
    await give(`/projects/${project}`, both.username, 'readonly')
    for (const { username } of [both, alone]) {
      await app.as(owner)('POST', `/forms/${form.formid}/share`, { body: { username, role: 'editor' } })
    }
    const seen = async (person: typeof owner) => {
      const { project_visible } = (await app.as(person)('GET', `/forms/${form.formid}`)).json()
      return [project_visible, (await app.as(person)('GET', `/projects/${project}`)).statusCode]
    }
    expect(await seen(owner)).toEqual([true, 200])
    expect(await seen(both)).toEqual([true, 200])
    expect(await seen(alone)).toEqual([false, 404])
    await app.as(owner)('PATCH', `/forms/${form.formid}`, { body: { public: true } })
    expect(await seen(stranger)).toEqual([false, 404])
    await app.as(owner)('PATCH', `/projects/${project}`, { body: { public: true } })
    expect(await seen(alone)).toEqual([true, 200])
    expect((await app.call('GET', `/forms/${form.formid}`)).json().project_visible).toBe(true)
  })

  it('of an organization: everything for its owner, nothing for whoever is no member', async () => {
    const [owner, stranger] = [await app.account(), await app.account()]
    const org = await newOrganization(app, owner)
    const seen = async (person: typeof owner) => (await app.as(person)('GET', `/orgs/${org}`)).json().allowed
    expect(await seen(owner)).toEqual(['view', 'view_metadata', 'create_projects', 'change'])
    expect(await seen(stranger)).toEqual([])
  })
})
