import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { publish, sheet, visitSheet } from '../../../../test/support/forms.js'
import { multipart, type Part } from '../../../../test/support/multipart.js'
import { newProject, share } from '../../../../test/support/projects.js'
import { visitWorkbook } from '../../../../test/support/workbooks.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
})

const patch = (account: Account, formid: number, parts: readonly Part[]) => {
  const { body, headers } = multipart(parts)
  return app.as(account)('PATCH', `/forms/${formid}`, { body, headers })
}
const file = (content: string | Buffer, filename = 'any.csv', name = 'xls_file'): Part => ({ name, filename, content })
const get = async (path: string) => app.as(ana)('GET', path)
const events = (formid: number) =>
  app.deps.db.rows<{ verb: string; ids: number[]; userId: number }>(
    sql`select verb, ids::int[] as ids, user_id as "userId" from form_events where form_id = ${formid} order by id`,
  )
const versions = async (formid: number): Promise<string[]> =>
  (await get(`/forms/${formid}/versions`)).json().map(({ version }: { version: string }) => version)

describe('PATCH /forms/{pk} with a definition', () => {
  it('200 with the form: its number, id, uuid and creation stay; title, version and hash change', async () => {
    const before = await publish(app, ana, visitSheet({ form_id: 'stay', form_title: 'Old', version: '1' }))
    const response = await patch(ana, before.formid, [
      file(visitWorkbook({ form_id: 'stay', form_title: 'New', version: '2' }), 'other.xlsx'),
    ])
    expect(response.statusCode).toBe(200)
    const { formid, uuid, id_string, date_created, hash } = before
    expect(response.json()).toMatchObject({ formid, uuid, id_string, date_created, title: 'New', version: '2' })
    expect(response.json().hash).not.toBe(hash)
    expect(response.json().last_updated_at > String(before.last_updated_at)).toBe(true)
    expect((await get(`/forms/${formid}/form.xml`)).body).toContain(`'${uuid}'`)
  })

  it('the earlier version stays readable, as JSON and as XForm', async () => {
    const { formid } = await publish(
      app,
      ana,
      sheet('type,name,label\ntext,old,Old', { settings: { form_id: 'v', version: '1' } }),
    )
    await patch(ana, formid, [
      file(sheet('type,name,label\ntext,new,New', { settings: { form_id: 'v', version: '2' } })),
    ])
    expect(await versions(formid)).toEqual(['1', '2'])
    expect((await get(`/forms/${formid}/versions/1`)).json().children[1]).toMatchObject({ name: 'old' })
    expect((await get(`/forms/${formid}/versions/1.xml`)).body).toContain('<old/>')
    expect((await get(`/forms/${formid}/form.json`)).json().children[1]).toMatchObject({ name: 'new' })
  })

  it('records form_updated, once for each replacement and not for the publication', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'event', version: '1' }))
    expect(await events(formid)).toEqual([])
    await patch(ana, formid, [file(visitSheet({ form_id: 'event', version: '2' }))])
    expect(await events(formid)).toEqual([{ verb: 'form_updated', ids: [formid], userId: ana.id }])
  })

  it('a version text that was used gets -2, -3', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'suffix', version: 'v' }))
    for (const expected of ['v-2', 'v-3']) {
      const response = await patch(ana, formid, [file(visitSheet({ form_id: 'suffix', version: 'v' }))])
      expect(response.json().version).toBe(expected)
    }
    expect(await versions(formid)).toEqual(['v', 'v-2', 'v-3'])
  })

  it('of ten replacements by the same version at once, each gets a version of its own', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'race', version: 'v' }))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => patch(ana, formid, [file(visitSheet({ form_id: 'race', version: 'v' }))])),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
    expect((await versions(formid)).sort()).toEqual(
      ['v', ...Array.from({ length: 10 }, (_, at) => `v-${at + 2}`)].sort(),
    )
    expect((await events(formid)).length).toBe(10)
    expect((await app.deps.db.rows(sql`select from pending_files`)).length).toBe(0)
  })

  it('keeps the name of the root, so that answers keep their paths', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'root', name: 'survey', version: '1' }))
    await patch(ana, formid, [file(visitSheet({ form_id: 'root', version: '2' }))])
    expect((await get(`/forms/${formid}/form.json`)).json().name).toBe('survey')
  })

  it('200 from an XForm, from text, and by PUT; the spreadsheet is the newest one', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'kinds', version: '1' }))
    const xml = (await get(`/forms/${formid}/form.xml`)).body
    const byXml = await patch(ana, formid, [file(xml.replace('version="1"', 'version="2"'), 'x.xml', 'xml_file')])
    expect([byXml.statusCode, byXml.json()]).toMatchObject([200, { version: '2', xls_available: false }])
    const body = { text_xls_form: visitSheet({ form_id: 'kinds', version: '3' }) }
    const byText = await app.as(ana)('PUT', `/forms/${formid}`, { body })
    expect([byText.statusCode, byText.json()]).toMatchObject([200, { version: '3', xls_available: true }])
  })

  it('400 for another id, told apart by case: {type, text}; nothing changes', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'mine', version: '1' }))
    for (const id of ['other', 'Mine']) {
      const response = await patch(ana, formid, [file(visitSheet({ form_id: id, version: '2' }))])
      expect([response.statusCode, response.json()]).toEqual([
        400,
        {
          type: 'alert-error',
          text: `Your updated form's id_string '${id}' must match the existing forms' id_string 'mine'.`,
        },
      ])
    }
    expect([await versions(formid), await events(formid)]).toEqual([['1'], []])
    expect((await app.deps.db.rows(sql`select from pending_files`)).length).toBe(0)
  })

  it('400 for mistakes, for a flow package and for a file of another kind; nothing changes', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'safe', version: '1' }))
    const mistaken = await patch(ana, formid, [file(sheet('type,name,label\nintegr,a,A'))])
    expect([mistaken.statusCode, mistaken.json()]).toMatchObject([400, { type: 'alert-error', problems: [{ row: 2 }] }])
    const flow = await patch(ana, formid, [file('{}', 'flow.json', 'flow_results_file')])
    expect([flow.statusCode, flow.json().text]).toEqual([400, expect.stringContaining('Flow packages')])
    expect((await patch(ana, formid, [file('x', 'x.pdf')])).statusCode).toBe(400)
    expect(await versions(formid)).toEqual(['1'])
  })

  it('400 for an encrypted form; 400 for a key in the new definition once there are submissions', async () => {
    const locked = await publish(app, ana, visitSheet({ form_id: 'locked', public_key: 'MIIB' }))
    const response = await patch(ana, locked.formid, [file(visitSheet({ form_id: 'locked' }))])
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { message: 'This form is encrypted and cannot be replaced.' },
    ])
    const open = await publish(app, ana, visitSheet({ form_id: 'open' }))
    await app.deps.db.run(sql`
      insert into form_counts (form_id, version, slot, submissions) values (${open.formid}, '1', 0, 3)`)
    const late = await patch(ana, open.formid, [file(visitSheet({ form_id: 'open', public_key: 'MIIB' }))])
    expect([late.statusCode, late.json().text]).toEqual([
      400,
      expect.stringContaining('Cannot encrypt a form that has'),
    ])
    const fresh = await publish(app, ana, visitSheet({ form_id: 'fresh' }))
    const early = await patch(ana, fresh.formid, [file(visitSheet({ form_id: 'fresh', public_key: 'MIIB' }))])
    expect(early.json()).toMatchObject({ encrypted: true, public_key: 'MIIB' })
  })

  it('200 for managers, 403 below them before the file is looked at, 404 for strangers, 401 for nobody', async () => {
    const project = await newProject(app, ana)
    const { formid, title } = await publish(app, ana, visitSheet({ form_id: 'who', version: '1' }), { project })
    const broken = [file('not a form', 'x.exe')]
    await share(app, ana, project, 'ben', 'editor')
    const refused = await patch(ben, formid, broken)
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { detail: `ben has no manager/owner role to the form ${title}` },
    ])
    const hidden = await patch(stranger, formid, broken)
    expect([hidden.statusCode, hidden.body]).toEqual([404, (await patch(stranger, 2147483647, broken)).body])
    expect((await app.call('PATCH', `/forms/${formid}`, multipart(broken))).statusCode).toBe(401)
    await share(app, ana, project, 'ben', 'manager')
    expect((await patch(ben, formid, [file(visitSheet({ form_id: 'who', version: '2' }))])).statusCode).toBe(200)
    expect((await get(`/forms/${formid}/versions`)).json()[1].created_by).toMatch(/\/users\/ben$/)
  })

  it('413 for a file of more than 10 MB', async () => {
    const { formid } = await publish(app, ana)
    expect((await patch(ana, formid, [file('x'.repeat(10 * 1024 * 1024 + 1))])).statusCode).toBe(413)
  })
})
