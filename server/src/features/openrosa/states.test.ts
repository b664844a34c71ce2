// What phones see of a form that is open, closing or closed, and what happens to what is on its way when it closes.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { sendTable } from '../../../test/support/imports.js'
import { type KeyBody, newKey, sendBy } from '../../../test/support/keys.js'
import { meanwhile } from '../../../test/support/meanwhile.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { type Db, sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let project: number
let form: PublishedForm
let media: string
let key: KeyBody

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

beforeEach(async () => {
  project = await newProject(app, ana)
  form = await publish(
    app,
    ana,
    sheet('type,name,label\ntext,name,Name\nimage,photo,Photo', { settings: { form_id: `visit${project}` } }),
    { project },
  )
  const upload = multipart([
    { name: 'xform', content: String(form.formid) },
    { name: 'data_type', content: 'media' },
    { name: 'data_value', content: 'people.csv' },
    { name: 'data_file', filename: 'people.csv', type: 'text/csv', content: 'name\nana\n' },
  ])
  const { id } = (await app.as(ana)('POST', '/metadata', upload)).json()
  key = await newKey(app, ana, project)
  media = `xformsMedia/${form.formid}/${id}.csv`
})

const authorization = () => ({ authorization: `Token ${ana.apiToken}` })
const get = (url: string, isAnonymous = false) => app.page('GET', url, { headers: isAnonymous ? {} : authorization() })
const setForm = (body: object) => app.as(ana)('PATCH', `/forms/${form.formid}`, { body })

/** Every address of the protocol that leads to the form. */
const places = () => ['/ana', `/projects/${project}`, `/forms/${form.formid}`, `/ana/${form.formid}`]

const isListed = async (at: string, isAnonymous = false): Promise<boolean> => {
  const answer = await get(`${at}/formList`, isAnonymous)
  expect([at, answer.statusCode]).toEqual([at, 200])
  return answer.body.includes(`<formID>${form.id_string}</formID>`)
}

const record = (id = newId()) => instance(form, '<name>Ana</name><photo>a.png</photo>', { id })
const picture = [{ name: 'a.png', content: 'not really', type: 'image/png' }]
const count = async () => (await app.as(ana)('GET', `/forms/${form.formid}`)).json().num_of_submissions

const states = [
  { state: 'open', listed: true, download: 200, post: 201 },
  { state: 'closing', listed: false, download: 200, post: 201 },
  { state: 'closed', listed: false, download: 403, post: 405 },
] as const

describe.each(states)('$state', ({ state, listed, download, post }) => {
  beforeEach(() => setForm({ state }))

  it(`the form is ${listed ? '' : 'not '}listed at any address`, async () => {
    for (const at of ['', '/me', ...places(), ...places().map((place) => `/me${place}`)]) {
      expect([at, await isListed(at)]).toEqual([at, listed])
    }
    for (const at of [...places(), `/key/${key.token}`]) expect([at, await isListed(at, true)]).toEqual([at, listed])
  })

  it(`${download} for the form, its manifest and its files, for everybody who may have them`, async () => {
    const files = [`forms/${form.formid}/form.xml`, `xformsManifest/${form.formid}`, media]
    for (const url of ['/ana', `/key/${key.token}`].flatMap((base) => files.map((file) => `${base}/${file}`))) {
      for (const isAnonymous of [false, true]) {
        const answer = await get(url, isAnonymous)
        expect([url, answer.statusCode]).toEqual([url, download])
        if (download !== 403) continue
        expect([answer.headers['content-type'], answer.headers['x-openrosa-version']]).toEqual([
          'text/xml; charset=utf-8',
          '1.0',
        ])
        expect(answer.body).toContain('This form is closed.')
      }
    }
  })

  it(`${post} for a record, at every address`, async () => {
    for (const at of ['', ...places(), ...places().map((place) => `/me${place}`)]) {
      const answer = await send(app, ana, at, record())
      expect([at, answer.statusCode]).toEqual([at, post])
      if (post === 405) expect(answer.body).toContain('Form is inactive')
    }
    expect((await sendBy(app, key, record())).statusCode).toBe(post)
    const json = { id: form.id_string, submission: { name: 'Ana' } }
    expect((await app.as(ana)('POST', '/submissions', { body: json })).statusCode).toBe(post)
  })
})

describe('closing by its time', () => {
  it('from that moment on it is not listed, and still taken and handed out; opened again it is listed', async () => {
    await setForm({ closes_at: new Date(app.deps.clock.now().getTime() + 3600_000).toISOString() })
    expect(await isListed('/ana')).toBe(true)
    app.wait(3600)
    expect(await isListed('/ana')).toBe(false)
    expect((await get(`/ana/forms/${form.formid}/form.xml`)).statusCode).toBe(200)
    expect((await send(app, ana, '/ana', record())).statusCode).toBe(201)
    await setForm({ state: 'open' })
    expect(await isListed('/ana')).toBe(true)
  })
})

describe('closed, and opened again', () => {
  it('what a phone could not send is sent then, once', async () => {
    const xml = record()
    await setForm({ state: 'closed' })
    expect((await send(app, ana, '/ana', xml, picture)).statusCode).toBe(405)
    await setForm({ state: 'open' })
    expect((await send(app, ana, '/ana', xml, picture)).statusCode).toBe(201)
    expect((await send(app, ana, '/ana', xml, picture)).statusCode).toBe(202)
    expect(await count()).toBe(1)
  })

  it('404 for a stranger where it is hidden, exactly as for a missing form', async () => {
    const stranger = await app.account()
    await setForm({ state: 'closed', require_auth: true })
    const headers = { authorization: `Token ${stranger.apiToken}` }
    const hidden = await app.page('GET', `/ana/forms/${form.formid}/form.xml`, { headers })
    const missing = await app.page('GET', '/ana/forms/2147483647/form.xml', { headers })
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })
})

describe('a form that is closed while something is on its way', () => {
  const close = (tx: Db) => tx.run(sql`update forms set state = 'closed' where id = ${form.formid}`)
  /** A file is written down here after it was asked whether the form takes records, and before anything is stored. */
  const uploads = sql`lock table pending_files in exclusive mode`
  const left = async () => {
    const { pending } = await app.database.db.one<{ pending: number }>(
      sql`select count(*) as pending from pending_files`,
    )
    return { pending, records: await count() }
  }

  it('405 for a record: nothing of it is stored, its file neither', async () => {
    const answer = await meanwhile(app, uploads, () => send(app, ana, '/ana', record(), picture), close)
    expect(answer.statusCode).toBe(405)
    expect(await left()).toEqual({ pending: 0, records: 0 })
  })

  it('405 for the files that a record lacks, and for an edit of it', async () => {
    const id = newId()
    expect((await send(app, ana, '/ana', record(id))).statusCode).toBe(201)
    const files = await meanwhile(app, uploads, () => send(app, ana, '/ana', record(id), picture), close)
    expect(files.statusCode).toBe(405)
    await setForm({ state: 'open' })
    const edit = instance(form, '<name>Eva</name><photo>a.png</photo>', { deprecated: id })
    const edited = await meanwhile(app, uploads, () => send(app, ana, '/ana', edit, picture), close)
    expect(edited.statusCode).toBe(405)
    expect(await left()).toEqual({ pending: 0, records: 1 })
    expect((await app.as(ana)('GET', `/data/${form.formid}`)).json()).toMatchObject([{ name: 'Ana', _attachments: [] }])
  })

  it('400 for a change of answers, and for an import, of which no row is kept', async () => {
    await send(app, ana, '/ana', record())
    const [{ _id: dataId }] = (await app.as(ana)('GET', `/data/${form.formid}`)).json()
    const lock = sql`select from submissions where form_id = ${form.formid} for update`
    const change = () => app.as(ana)('PATCH', `/data/${form.formid}/${dataId}`, { body: { name: 'Eva' } })
    expect((await meanwhile(app, lock, change, close)).statusCode).toBe(400)
    await setForm({ state: 'open' })
    const table = () => sendTable(app, ana, form.formid, 'name\nTom\nTim\n')
    const imported = await meanwhile(app, sql`lock table submissions in exclusive mode`, table, close)
    expect([imported.statusCode, imported.json().error]).toEqual([400, expect.stringContaining('inactive')])
    expect(await left()).toMatchObject({ records: 1 })
  })

  it('of a hundred records that are sent meanwhile each is taken whole or refused', async () => {
    const sent = Array.from({ length: 100 }, () => send(app, ana, '/ana', record(), picture))
    const closed = Promise.race(sent).then(() => setForm({ state: 'closed' }))
    const answers = await Promise.all(sent)
    expect((await closed).statusCode).toBe(200)
    const taken = answers.filter(({ statusCode }) => statusCode === 201)
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(
      new Set([201, 405].filter((code) => answers.some(({ statusCode }) => statusCode === code))),
    )
    expect(await left()).toEqual({ pending: 0, records: taken.length })
    const rows = (await app.as(ana)('GET', `/data/${form.formid}`)).json() as { _attachments: object[] }[]
    expect(rows.map(({ _attachments: files }) => files.length)).toEqual(taken.map(() => 1))
  })
})
