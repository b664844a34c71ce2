// Titles and ids as devices take them: whatever they hold is escaped where it is shown, and every address works.
import { SaxesParser } from 'saxes'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { budgets } from '../../budgets.js'
import { runPendingJobs } from '../../platform/jobs/index.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

/** Throws for what is not well-formed; answers the text of every element of a name. */
const textsOf = (xml: string, name: string): string[] => {
  const found: string[] = []
  let open: string | undefined
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    open = tag.name === name ? '' : undefined
  })
  parser.on('text', (text) => {
    if (open !== undefined) open += text
  })
  parser.on('closetag', (tag) => {
    if (tag.name === name) found.push(open ?? '')
    open = undefined
  })
  parser.write(xml).close()
  return found
}

const title = 'Health & <b>safety</b> > "all"'
const survey = 'type,name,label\ntext,who,Who\nimage,photo,Photo\ngeopoint,place,Place'
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
const formOf = (settings: Record<string, string>) =>
  sheet(survey, { settings: Object.fromEntries(Object.entries(settings).map(([name, text]) => [name, cell(text)])) })

const escaped = /&amp;.*&lt;b&gt;/
const notMarkup = (text: string) => expect(text).not.toContain('<b>safety')

describe('a title with &, < and >', () => {
  let form: PublishedForm

  beforeAll(async () => {
    form = await publish(app, ana, formOf({ form_title: title, form_id: 'titled', version: '1 & <2>' }))
    const xml = instance({ id_string: 'titled' }, '<who>x</who><place>1 2 0 0</place>')
    expect((await send(app, ana, '/ana', xml)).statusCode).toBe(201)
  })

  it('201 as it is, in JSON; the same by a change', async () => {
    expect(form).toMatchObject({ title, version: '1 & <2>' })
    const changed = await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { title: `${title}!` } })
    expect([changed.statusCode, changed.json().title]).toEqual([200, `${title}!`])
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { title } })
  })

  it('is escaped in the XForm, in the list of forms, and in KML', async () => {
    const xml = (await app.as(ana)('GET', `/forms/${form.formid}/form.xml`)).body
    expect(textsOf(xml, 'h:title')).toEqual([title])
    const list = await app.page('GET', '/ana/formList')
    expect([list.statusCode, textsOf(list.body, 'name'), textsOf(list.body, 'version')]).toEqual([
      200,
      [title],
      ['1 & <2>-3'],
    ])
    const kml = (await app.as(ana)('GET', `/data/${form.formid}.kml`)).body
    expect(textsOf(kml, 'name')).toContain(title)
  })

  it('is escaped on pages, and plain in mails', async () => {
    const page = await app.as(ana)('GET', `/charts/${form.formid}.html?field_name=who`)
    expect(page.body).toMatch(escaped)
    notMarkup(page.body)
    const ben = await app.account({ username: 'ben' })
    const share = (role: string) =>
      app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role } })
    await share('manager')
    await app.as(ben)('POST', '/restservices', {
      body: { xform: form.formid, name: 'generic_json', service_url: 'http://127.0.0.1:9/' },
    })
    await share('readonly')
    await app.deps.jobs.run('mandates.look', {})
    const [mail] = await app.mailsTo(ana.email)
    expect(mail?.subject).toBe(`Something of "${title}" has stopped`)
    expect(mail?.text).not.toContain('&amp;')
  })
})

describe.each([
  ['dots and blanks', 'my form v1.2'],
  ['an ending of a format', 'visit.json'],
  ['accents', 'Encuesta año ñ'],
  ['another alphabet', '家庭調査'],
  ['what XML and addresses escape', `a&b<c>"d'e?f#g%h;i=j`],
  ['slashes and dots', '../../etc/passwd'],
  ['the longest', 'x'.repeat(budgets.forms.idCharacters)],
])('a form id with %s', (_what, id) => {
  let form: PublishedForm
  const uuid = newId()
  const attribute = id
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

  beforeAll(async () => {
    form = await publish(app, ana, formOf({ form_id: id, form_title: 'Any' }))
    const parts = Object.entries({ xform: String(form.formid), data_type: 'media' })
    const { body, headers } = multipart([
      ...parts.map(([name, content]) => ({ name, content })),
      { name: 'data_file', filename: 'a.csv', content: 'name,label\n' },
    ])
    expect((await app.as(ana)('POST', '/metadata', { body, headers })).statusCode).toBe(201)
    const xml = instance({ id_string: attribute }, '<who>Eva</who><photo>a.jpg</photo>', { id: uuid })
    const sent = await send(app, ana, '/ana', xml, [{ name: 'a.jpg', content: 'bytes', type: 'image/jpeg' }])
    expect(sent.statusCode).toBe(201)
    expect(sent.body).toContain(` id="${attribute}"`)
  })

  it('201 as it is; devices find form, manifest and media by what the list says', async () => {
    expect(form.id_string).toBe(id)
    const list = (await app.page('GET', `/ana/formList?formID=${encodeURIComponent(id)}`)).body
    expect(textsOf(list, 'formID')).toEqual([id])
    const [address = ''] = textsOf(list, 'downloadUrl')
    const xform = await app.page('GET', new URL(address).pathname)
    expect([xform.statusCode, xform.body]).toEqual([200, expect.stringContaining(` id="${attribute}"`)])
    const [manifest = ''] = textsOf(list, 'manifestUrl')
    const files = await app.page('GET', new URL(manifest).pathname)
    const [file = ''] = textsOf(files.body, 'downloadUrl')
    expect((await app.page('GET', new URL(file).pathname)).body).toBe('name,label\n')
  })

  it('201 for JSON; records, their files and exports have addresses and names that work', async () => {
    const body = { id, submission: { who: 'Ida' } }
    const sent = await app.as(ana)('POST', '/submissions', { body })
    expect([sent.statusCode, sent.json().formid]).toEqual([201, id])
    const records = (await app.as(ana)('GET', `/data/${form.formid}?sort=_id`)).json()
    expect(records[0]).toMatchObject({ who: 'Eva', _xform_id_string: id })
    const [attachment] = records[0]._attachments
    expect(attachment.filename).not.toMatch(/\/\.\.?\/|\\/)
    const bytes = await app.page('GET', attachment.download_url, {
      headers: { authorization: `Token ${ana.apiToken}` },
    })
    expect([bytes.statusCode, bytes.body]).toEqual([200, 'bytes'])
    for (const path of [`/data/${form.formid}.csv`, `/data/${form.formid}.xlsx`, `/forms/${form.formid}/form.csv`]) {
      const file = await app.as(ana)('GET', path)
      expect([path, file.statusCode]).toEqual([path, 200])
      expect(file.headers['content-disposition']).toMatch(
        /^attachment; filename="?[^"/\\]+"?(; filename\*=UTF-8''[^\s/]+)?$/,
      )
    }
  })

  it('202 for an export, whose file has a name', async () => {
    const asked = await app.as(ana)('GET', `/forms/${form.formid}/export_async?format=csv`)
    expect(asked.statusCode).toBe(202)
    await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
    const done = await app.as(ana)('GET', `/forms/${form.formid}/export_async?job_uuid=${asked.json().job_uuid}`)
    const path = new URL(done.json().export_url).pathname
    const file = await app.as(ana)('GET', path.replace('/api/v1', ''))
    expect([file.statusCode, file.headers['content-disposition']]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="/),
    ])
  })

  it('its copy, its replacement and a second one of the same id work as of any form', async () => {
    const text = formOf({ form_id: id, form_title: 'Any', version: 'second' })
    const { body, headers } = multipart([{ name: 'xls_file', filename: 'f.csv', content: text }])
    const replaced = await app.as(ana)('PATCH', `/forms/${form.formid}`, { body, headers })
    expect([replaced.statusCode, replaced.json().id_string]).toEqual([200, id])
    const second = await publish(app, ana, text)
    expect(second.id_string).toBe(`${id.slice(0, budgets.forms.idCharacters - 2)}_1`)
    expect((await app.as(ana)('DELETE', `/forms/${second.formid}`)).statusCode).toBe(204)
  })
})

describe('a file without a form_id', () => {
  it('201 by the name of the file, blanks and dots included', async () => {
    const form = await publish(app, ana, sheet(survey), { fileName: 'Household survey 1.2 (draft).csv' })
    expect(form.id_string).toBe('Household survey 1.2 (draft)')
  })
})
