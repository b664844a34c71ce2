import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../../test/support/forms.js'
import { multipart } from '../../../../test/support/multipart.js'
import { newOrganization, newProject, share } from '../../../../test/support/projects.js'
import { visitWorkbook } from '../../../../test/support/workbooks.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
})

const clone = (by: Account, { formid }: { formid: number }, body: object) =>
  app.as(by)('POST', `/forms/${formid}/clone`, { body })
const publicForm = async (text = visitSheet()) => {
  const form = await publish(app, ana, text)
  await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { public: true } })
  return form
}

describe('POST /forms/{pk}/clone', () => {
  it('201 with the new form: a uuid of its own, the same questions, neither labels nor shares', async () => {
    const project = await newProject(app, ana)
    const form = await publish(app, ana, visitSheet({ form_id: 'source', form_title: 'Source' }), { project })
    await app.as(ana)('POST', `/forms/${form.formid}/labels`, { body: { tags: 'a' } })
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role: 'readonly' } })
    const response = await clone(ana, form, { username: 'ana', project_id: project })
    expect(response.statusCode).toBe(201)
    const copy = response.json()
    expect(response.headers.location).toBe(copy.url)
    expect(copy).toMatchObject({ title: 'Source', num_of_submissions: 0, tags: [], owner: 'ana', public: false })
    expect(copy.users.map(({ user }: { user: string }) => user)).toEqual(['ana'])
    expect([copy.uuid, copy.formid]).not.toEqual([form.uuid, form.formid])
    const questions = async (pk: number) =>
      (await app.as(ana)('GET', `/forms/${pk}/form.json`)).json().children.slice(1)
    expect(await questions(copy.formid)).toEqual(await questions(form.formid))
  })

  it('201 again and again: the id gets a number where the account has it', async () => {
    const form = await publish(app, ana, visitSheet({ form_id: 'again' }))
    const ids = []
    for (let time = 0; time < 3; time++) {
      const { id_string, has_id_string_changed } = (await clone(ana, form, { username: 'ana' })).json()
      ids.push([id_string, has_id_string_changed])
    }
    expect(ids).toEqual([
      ['again_1', true],
      ['again_2', true],
      ['again_3', true],
    ])
  })

  it('201 a spreadsheet without an id is named after the form, and can be had back from the copy', async () => {
    const { body, headers } = multipart([{ name: 'xls_file', filename: 'noid.xlsx', content: visitWorkbook() }])
    const form: PublishedForm = (await app.as(ana)('POST', '/forms', { body, headers })).json()
    const copy = (await clone(ana, form, { username: 'ana' })).json()
    expect(copy).toMatchObject({ id_string: 'noid_cloned', xls_available: true })
    const [one, two] = await Promise.all(
      [form, copy].map(({ formid }) => app.as(ana)('GET', `/forms/${formid}/form.xlsx`)),
    )
    expect(one?.rawPayload.equals(two?.rawPayload as Buffer)).toBe(true)
  })

  it('201 of a form that came as XForm', async () => {
    const source = await publish(app, ana, visitSheet({ form_id: 'x' }))
    const xml = (await app.as(ana)('GET', `/forms/${source.formid}/form.xml`)).body
    const { body, headers } = multipart([{ name: 'xml_file', filename: 'x.xml', content: xml }])
    const form = (await app.as(ben)('POST', '/forms', { body, headers })).json()
    const copy = (await clone(ben, form, { username: 'ben' })).json()
    expect(copy).toMatchObject({ id_string: 'x_1', xls_available: false })
    const cloned = (await app.as(ben)('GET', `/forms/${copy.formid}/form.xml`)).body
    expect(cloned).toContain(copy.uuid)
    expect(cloned).not.toContain(form.uuid)
  })

  it('201 of a public form by a stranger into their own account, and into an organization that they manage', async () => {
    const form = await publicForm(visitSheet({ form_id: 'public' }))
    expect((await clone(stranger, form, { username: 'stranger' })).json()).toMatchObject({
      owner: 'stranger',
      id_string: 'public',
      has_id_string_changed: false,
    })
    const org = await newOrganization(app, stranger)
    const project = await newProject(app, stranger, { owner: org })
    const copy = (await clone(stranger, form, { username: org, project_id: project })).json()
    expect([copy.owner, copy.project]).toEqual([org, expect.stringMatching(new RegExp(`/projects/${project}$`))])
  })

  it('400 for no account, an unknown one, an unknown, hidden or foreign project; nothing is made', async () => {
    const form = await publicForm()
    const hidden = await newProject(app, ben)
    const own = await newProject(app, stranger)
    const org = await newOrganization(app, stranger)
    const answer = async (body: object) => (await clone(stranger, form, body)).json()
    expect(await answer({})).toEqual({ username: ['This field is required.'] })
    expect(await answer({ username: 'nobody' })).toEqual({ username: ["User 'nobody' does not exist."] })
    expect(await answer({ username: 'nobody', project_id: own })).toEqual({
      username: ["User 'nobody' does not exist."],
    })
    for (const id of [2147483647, 99999999999, -1, hidden]) {
      expect(await answer({ username: 'stranger', project_id: id })).toEqual({
        project: [`Project with id '${id}' does not exist.`],
      })
    }
    expect(await answer({ username: org, project_id: own })).toEqual({
      project: [`Project with id '${own}' does not exist.`],
    })
    expect(await answer({ username: 'stranger', project_id: 'x' })).toEqual({
      project_id: ['A valid integer is required.'],
    })
  })

  it('403 into somebody else’s account, and for those below manager; 404 when hidden; 401 for nobody', async () => {
    const project = await newProject(app, ana)
    const form = await publish(app, ana, visitSheet(), { project })
    const refused = await clone(ana, form, { username: 'ben' })
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { detail: 'User ana has no permission to add xforms to account ben' },
    ])
    await share(app, ana, project, 'ben', 'editor')
    expect((await clone(ben, form, { username: 'ben' })).statusCode).toBe(403)
    expect((await clone(stranger, form, { username: 'stranger' })).statusCode).toBe(404)
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { public_data: true } })
    expect((await clone(stranger, form, { username: 'stranger' })).statusCode).toBe(404)
    expect((await app.call('POST', `/forms/${form.formid}/clone`, { body: { username: 'ana' } })).statusCode).toBe(401)
    await share(app, ana, project, 'ben', 'manager')
    expect((await clone(ben, form, { username: 'ben' })).statusCode).toBe(201)
  })
})
