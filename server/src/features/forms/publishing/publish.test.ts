import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { formFile, postParts, publish, sheet, upload, visitSheet } from '../../../../test/support/forms.js'
import { multipart, type Part } from '../../../../test/support/multipart.js'
import { newOrganization, newProject, share } from '../../../../test/support/projects.js'
import { visitWorkbook } from '../../../../test/support/workbooks.js'
import { budgets } from '../../../budgets.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana', first_name: 'Ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
})

const post = (account: Account, parts: readonly Part[], path?: string) => postParts(app, account, parts, path)
const file = formFile

describe('POST /forms', () => {
  it('201 with the whole form, Location, and whether its id was changed', async () => {
    const response = await upload(app, ana, visitSheet({ form_id: 'whole', form_title: 'Whole', version: '7' }))
    expect(response.statusCode).toBe(201)
    const { url, formid, uuid, hash, project } = response.json()
    expect(response.headers.location).toBe(url)
    const base = 'http://localhost:80/api/v1'
    expect(response.json()).toEqual({
      url: `${base}/forms/${formid}`,
      formid,
      title: 'Whole',
      id_string: 'whole',
      sms_id_string: 'whole',
      version: '7',
      uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
      hash: expect.stringMatching(/^md5:[0-9a-f]{32}$/),
      date_created: expect.stringMatching(/Z$/),
      date_modified: expect.stringMatching(/Z$/),
      last_updated_at: expect.stringMatching(/Z$/),
      description: '',
      downloadable: true,
      state: 'open',
      closes_at: null,
      has_draft: false,
      owner: 'ana',
      created_by: `${base}/users/ana`,
      public: false,
      public_data: false,
      public_key: '',
      require_auth: false,
      anonymous_submissions: true,
      allowed: expect.arrayContaining(['view', 'view_all', 'change', 'manage', 'transfer']),
      project: expect.stringMatching(/\/api\/v1\/projects\/\d+$/),
      tags: [],
      num_of_submissions: 0,
      last_submission_time: null,
      xls_available: true,
      allows_sms: false,
      encrypted: false,
      ext_dataset: '',
      instances_with_geopoints: false,
      instances_with_osm: false,
      has_hxl_support: false,
      is_merged_dataset: false,
      data_views: [],
      users: [{ is_org: false, metadata: {}, first_name: 'Ana', last_name: '', user: 'ana', role: 'owner' }],
      webform_url: null,
      webform_preview_url: null,
      webform_single_submit_url: null,
      metadata: [expect.objectContaining({ data_type: 'xform_meta_perms', data_value: 'editor|dataentry|readonly' })],
      missing_files: [],
      form_versions: [],
      submission_count_for_today: 0,
      project_visible: true,
      has_id_string_changed: false,
      warnings: [],
    })
    const xml = (await app.as(ana)('GET', `/forms/${formid}/form.xml`)).body
    expect(xml).toContain('<form><uuid/></form>')
    expect(xml).toContain(`calculate="'${uuid}'"`)
    expect(hash).toMatch(/^md5:/)
    expect((await app.as(ana)('GET', new URL(project).pathname.slice('/api/v1'.length))).json()).toMatchObject({
      name: "ana's Project",
    })
  })

  it.each([
    ['an .xlsx file', () => [file(visitWorkbook(), 'by-xlsx.xlsx')], 'by-xlsx'],
    ['an .xls file', () => [file(visitWorkbook({}, 'biff8'), 'by-xls.xls')], 'by-xls'],
    ['a .csv file', () => [file(visitSheet(), 'by-csv.csv')], 'by-csv'],
    ['a file with a folder in its name', () => [file(visitSheet(), '..\\..\\etc/by-folder.csv')], 'by-folder'],
    [
      'text in a multipart field',
      () => [{ name: 'text_xls_form', content: visitSheet({ form_id: 'by-text' }) }],
      'by-text',
    ],
  ])('201 from %s', async (_, parts, id) => {
    const response = await post(ana, parts())
    expect([response.statusCode, response.json()]).toMatchObject([201, { id_string: id, title: id }])
    const { children } = (await app.as(ana)('GET', `/forms/${response.json().formid}/form.json`)).json()
    expect(children.map(({ name }: { name: string }) => name)).toContain('age')
  })

  it('201 from text in JSON and form-encoded, named by chance when it names itself nothing', async () => {
    const json = await app.as(ana)('POST', '/forms', { body: { text_xls_form: visitSheet({ form_id: 'json' }) } })
    const form = await app.as(ana)('POST', '/forms', { form: { text_xls_form: visitSheet() } })
    expect([json.statusCode, form.statusCode]).toEqual([201, 201])
    expect([json.json().id_string, form.json().id_string]).toEqual([
      'json',
      expect.stringMatching(/^uploaded_form_\w+$/),
    ])
  })

  it('201 from an XForm, in the encoding that it declares; no spreadsheet is to be had', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'asxml', form_title: 'XML' }))
    const { body } = await app.as(ana)('GET', `/forms/${formid}/form.xml`)
    const latin = body
      .replace(/^<\?xml[^>]*\?>/, '<?xml version="1.0" encoding="ISO-8859-1"?>')
      .replace('>Name<', '>Größe<')
    const response = await post(ben, [file(Buffer.from(latin, 'latin1'), 'any.xml', 'xml_file')])
    expect([response.statusCode, response.json()]).toMatchObject([
      201,
      { id_string: 'asxml', title: 'XML', xls_available: false, has_id_string_changed: false },
    ])
    const again = (await app.as(ben)('GET', `/forms/${response.json().formid}/form.xml`)).body
    expect(again).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>/)
    expect(again).toContain('>Größe<')
    expect(again).toContain(`'${response.json().uuid}'`)
    expect((await app.as(ben)('GET', `/forms/${response.json().formid}/form.xlsx`)).statusCode).toBe(404)
  })

  it('defaults: the id is the file’s name, the title the id, the version the minute in UTC', async () => {
    const before = new Date()
    const form = await publish(app, ana, visitSheet(), { fileName: 'defaults.csv' })
    const minutes = [before, new Date()].map((time) => time.toISOString().replace(/\D/g, '').slice(0, 12))
    expect(form).toMatchObject({ id_string: 'defaults', title: 'defaults', sms_id_string: 'defaults' })
    expect(minutes).toContain(form.version)
  })

  it('201 of several sources: an XForm before a spreadsheet, a spreadsheet before text', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'first' }))
    const xml = (await app.as(ana)('GET', `/forms/${formid}/form.xml`)).body
    const parts = [
      { name: 'text_xls_form', content: visitSheet({ form_id: 'third' }) },
      file(visitSheet({ form_id: 'second' }), 'x.csv'),
      file(xml, 'x.xml', 'xml_file'),
    ]
    expect((await post(ben, parts)).json().id_string).toBe('first')
    expect((await post(ben, parts.slice(0, 2))).json().id_string).toBe('second')
  })

  it('201 with a number behind the id when the account has it already, in whatever case; deleted forms do not count', async () => {
    const first = await publish(app, ben, visitSheet({ form_id: 'Clash', form_title: 'T' }))
    const second = await publish(app, ben, visitSheet({ form_id: 'clash', form_title: 'T' }))
    const third = await publish(app, ben, visitSheet({ form_id: 'Clash', form_title: 'T' }))
    expect([first, second, third]).toMatchObject([
      { id_string: 'Clash', has_id_string_changed: false },
      { id_string: 'clash_1', sms_id_string: 'clash', title: 'T', has_id_string_changed: true },
      { id_string: 'Clash_2', sms_id_string: 'Clash', has_id_string_changed: true },
    ])
    expect((await app.as(ben)('GET', `/forms/${third.formid}/form.xml`)).body).toContain('id="Clash_2"')
    await app.as(ben)('DELETE', `/forms/${first.formid}`)
    expect(await publish(app, ben, visitSheet({ form_id: 'clash' }))).toMatchObject({ id_string: 'clash' })
    expect(await publish(app, ana, visitSheet({ form_id: 'clash' }))).toMatchObject({ id_string: 'clash' })
  })

  it('201 an id of the longest length stays within it when it gets a number', async () => {
    const most = budgets.forms.idCharacters
    const id = 'a'.repeat(most)
    for (const expected of [id, `${'a'.repeat(most - 2)}_1`, `${'a'.repeat(most - 2)}_2`]) {
      expect(await publish(app, ben, visitSheet({ form_id: id }))).toMatchObject({ id_string: expected })
    }
    // A picture at its end is left out whole.
    const pictured = `${'b'.repeat(most - 2)}🌳`
    for (const expected of [pictured, `${'b'.repeat(most - 2)}_1`, `${'b'.repeat(most - 2)}_2`]) {
      expect(await publish(app, ben, visitSheet({ form_id: pictured }))).toMatchObject({ id_string: expected })
    }
    const last = `${'c'.repeat(most - 3)}🌳d`
    for (const expected of [last, `${'c'.repeat(most - 3)}_1`]) {
      expect(await publish(app, ben, visitSheet({ form_id: last }))).toMatchObject({ id_string: expected })
    }
  })

  it('201 with itemsets.csv as media when the form reads its choices from a file', async () => {
    const form = await publish(
      app,
      ana,
      `${sheet('type,name,label,choice_filter\nselect_one_external towns,town,Town,state=1')}\nexternal_choices\n,list_name,name,label,state\n,towns,a,A,1\n`,
    )
    expect(form.metadata).toMatchObject([
      { data_type: 'media', data_value: 'itemsets.csv', data_file_type: 'text/csv' },
      {},
    ])
  })

  it('201 for oddities, which are told: a question without a label', async () => {
    const form = await publish(app, ana, sheet('type,name,label\ntext,a,'))
    expect(form.warnings).toEqual([expect.stringContaining('survey row 2')])
  })

  it('201 encrypted when the settings have a key', async () => {
    expect(await publish(app, ana, visitSheet({ form_id: 'locked', public_key: 'MIIB' }))).toMatchObject({
      encrypted: true,
      public_key: 'MIIB',
    })
  })
})

describe('where a form goes', () => {
  it('into the project that is named, by id or by address; 404 when hidden, 403 when only visible, 400 when no project', async () => {
    const project = await newProject(app, ana)
    for (const named of [String(project), ` ${project} `, `http://any.host/api/v1/projects/${project}.json`]) {
      const response = await post(ana, [file(visitSheet(), 'into.csv'), { name: 'project', content: named }])
      expect(response.json().project).toMatch(new RegExp(`/projects/${project}$`))
    }
    const attempt = (by: Account, named: string) =>
      post(by, [file(visitSheet(), 'into.csv'), { name: 'project', content: named }])
    const hidden = await attempt(stranger, String(project))
    const missing = await attempt(stranger, '2147483647')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    await share(app, ana, project, 'ben', 'editor')
    expect((await attempt(ben, String(project))).statusCode).toBe(403)
    expect((await attempt(ana, 'nonsense')).json()).toEqual({ project: ['Invalid hyperlink - No URL match.'] })
  })

  it('into an organization for its managers, who own what they publish; 403 for others; 400 for a name nobody has', async () => {
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'manager' } })
    const body = { text_xls_form: visitSheet(), owner: org }
    const made = await app.as(ben)('POST', '/forms', { body })
    expect([made.statusCode, made.json().owner]).toEqual([201, org])
    const withBlanks = await app.as(ben)('POST', '/forms', { body: { ...body, owner: ` ${org} ` } })
    expect([withBlanks.statusCode, withBlanks.json().owner]).toEqual([201, org])
    expect(made.json().users).toContainEqual(expect.objectContaining({ user: 'ben', role: 'owner' }))
    const refused = await app.as(stranger)('POST', '/forms', { body })
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { detail: `User stranger has no permission to add xforms to account ${org}` },
    ])
    const other = await app.as(stranger)('POST', '/forms', { body: { ...body, owner: 'ana' } })
    expect(other.json()).toEqual({ detail: 'User stranger has no permission to add xforms to account ana' })
    const unknown = await app.as(ana)('POST', '/forms', { body: { ...body, owner: 'nobody' } })
    expect([unknown.statusCode, unknown.json()]).toEqual([
      400,
      { message: 'User with username nobody does not exist.' },
    ])
  })

  it('into a project of their own for a manager who manages none of the organization’s', async () => {
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', '/forms', { body: { text_xls_form: visitSheet(), owner: org } })
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'manager' } })
    const made = await app.as(ben)('POST', '/forms', { body: { text_xls_form: visitSheet(), owner: org } })
    expect([made.statusCode, made.json().owner]).toEqual([201, org])
  })

  it('POST /projects/{pk}/forms: 201 with the form; public in a public project', async () => {
    const project = await newProject(app, ana, { public: true })
    const response = await post(ana, [file(visitWorkbook(), 'visit.xlsx')], `/projects/${project}/forms`)
    expect([response.statusCode, response.json()]).toMatchObject([
      201,
      { public: true, public_data: true, owner: 'ana' },
    ])
    expect(response.headers.location).toBe(response.json().url)
  })

  it('POST /projects/{pk}/forms: 401, 404 for a stranger, 403 below manager, before the file is looked at', async () => {
    const project = await newProject(app, ana)
    await share(app, ana, project, 'ben', 'editor')
    const path = `/projects/${project}/forms`
    const broken = [file('not a form', 'x.exe')]
    expect((await app.call('POST', path, multipart(broken))).statusCode).toBe(401)
    expect((await post(stranger, broken, path)).statusCode).toBe(404)
    expect((await post(ben, broken, path)).statusCode).toBe(403)
    expect((await post(ana, broken, path)).statusCode).toBe(400)
    expect((await app.call('POST', '/forms', multipart(broken))).statusCode).toBe(401)
  })
})
