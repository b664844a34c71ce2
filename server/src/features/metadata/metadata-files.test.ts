import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish, visitSheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject, share } from '../../../test/support/projects.js'
import { putSubmissionRow } from '../../../test/support/submission-rows.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
})

const csv = Buffer.from('name,label\na,Größe\n')
const add = async (fields: Record<string, string | number>, filename = 'people.csv', content = csv) => {
  const parts = Object.entries(fields).map(([name, value]) => ({ name, content: String(value) }))
  const { body, headers } = multipart([...parts, { name: 'data_file', filename, content }])
  const response = await app.as(ana)('POST', '/metadata', { body, headers })
  expect(response.statusCode).toBe(201)
  return response.json().id as number
}
const addValue = async (body: object) => (await app.as(ana)('POST', '/metadata', { body })).json().id as number
const newForm = async (project?: number) =>
  (await publish(app, ana, visitSheet(), { project: project ?? (await newProject(app, ana)) })).formid
const get = (path: string, headers = {}) => app.as(ana)('GET', `/metadata/${path}`, { headers })
const ids = (response: { json(): { id: number }[] }) => response.json().map(({ id }) => id)

describe('GET /metadata/{pk}.{ending}', () => {
  it('200 with the bytes: to be saved, never shown as a page of ours, with a tag', async () => {
    const id = await add({ xform: await newForm(), data_type: 'media' }, 'Größe;1.csv')
    const response = await get(`${id}.csv`)
    expect([response.statusCode, response.rawPayload.equals(csv)]).toEqual([200, true])
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-length': String(csv.length),
      'content-disposition': expect.stringMatching(/^attachment; filename="Gr__e_1\.csv"; filename\*=UTF-8''Gr/),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    })
    expect((await get(`${id}.csv`, { 'if-none-match': response.headers.etag })).statusCode).toBe(304)
    const part = await get(`${id}.csv`, { range: 'bytes=0-3' })
    expect([part.statusCode, part.body]).toEqual([206, 'name'])
  })

  it('every kind of ending leads to its file: those that are formats of the API too', async () => {
    const xform = await newForm()
    const xml = await add({ xform, data_type: 'media' }, 'a.xml', Buffer.from('<?xml version="1.0"?><a/>'))
    const geo = await add({ xform, data_type: 'media' }, 'a.geojson', Buffer.from('{}'))
    const zip = await add({ xform, data_type: 'media' }, 'a.zip', Buffer.from('504b0506000000000000', 'hex'))
    const read = await get(`${xml}.xml`)
    expect([read.headers['content-type'], read.body]).toEqual(['text/xml', '<?xml version="1.0"?><a/>'])
    expect((await get(`${geo}.geojson`)).body).toBe('{}')
    expect((await get(`${zip}.zip`)).headers['content-type']).toBe('application/zip')
    expect((await get(`${geo}.json`)).json()).toMatchObject({ id: geo })
    for (const path of [`${xml}.csv`, `${zip}.png`, `${zip}.html`]) expect((await get(path)).statusCode).toBe(404)
  })

  it('302 to the address of an entry that is one; 200 with the records that a link leads to; 404 for plain texts', async () => {
    const xform = await newForm()
    const address = await addValue({ xform, data_type: 'media', data_value: 'http://example.org/a.csv' })
    const response = await get(`${address}.csv`)
    expect([response.statusCode, response.headers.location]).toEqual([302, 'http://example.org/a.csv'])
    const foreign = await addValue({ xform, data_type: 'media', data_value: 'http://example.org/Ñandú-€.csv' })
    const encoded = await get(`${foreign}.csv`)
    expect([encoded.statusCode, encoded.headers.location]).toEqual([
      302,
      'http://example.org/%C3%91and%C3%BA-%E2%82%AC.csv',
    ])
    const link = await addValue({ xform, data_type: 'media', data_value: `xform ${xform} people` })
    const text = await addValue({ xform, data_type: 'data_license', data_value: 'CC-BY' })
    expect((await get(`${link}.csv`)).headers['content-disposition']).toBe('attachment; filename="people.csv"')
    expect([(await get(`${link}.xml`)).statusCode, (await get(`${text}.csv`)).statusCode]).toEqual([404, 404])
  })
})

describe('who sees metadata', () => {
  it('404 for strangers, exactly as for a missing entry: entry, bytes, list', async () => {
    const project = await newProject(app, ana)
    const xform = await newForm(project)
    const instance = await putSubmissionRow(app, xform)
    const entries = [
      await add({ xform, data_type: 'media' }),
      await add({ project, data_type: 'media' }),
      await add({ instance, data_type: 'media' }),
    ]
    const as = app.as(stranger)
    const missing = (await as('GET', '/metadata/999999999')).body
    const paths = [
      ...entries.flatMap((id) => [`/metadata/${id}`, `/metadata/${id}.csv`]),
      ...[`xform=${xform}`, `project=${project}`, `instance=${instance}`].map((query) => `/metadata?${query}`),
      '/metadata/abc',
      '/metadata/99999999999',
    ]
    for (const path of paths) {
      const response = await as('GET', path)
      expect([path, response.statusCode, response.body]).toEqual([path, 404, missing])
      expect([path, (await app.call('GET', path)).statusCode]).toEqual([path, 401])
    }
    for (const id of entries) expect((await as('DELETE', `/metadata/${id}`)).statusCode).toBe(404)
    expect((await app.call('DELETE', `/metadata/${entries[0]}`)).statusCode).toBe(401)
    expect((await as('GET', '/metadata?xform=abc')).statusCode).toBe(400)
  })

  it('what belongs to a public form is public; roles and keys are not', async () => {
    const xform = await newForm()
    const media = await add({ xform, data_type: 'media' })
    const secret = await addValue({ xform, data_type: 'external_export', data_value: 'x|http://example.org/?key=1' })
    await app.as(ana)('PATCH', `/forms/${xform}`, { body: { public: true } })
    expect((await app.call('GET', `/metadata/${media}.csv`)).body).toBe(csv.toString())
    expect(ids(await app.as(stranger)('GET', `/metadata?xform=${xform}`))).toEqual([media])
    expect((await app.as(stranger)('GET', `/metadata/${secret}`)).statusCode).toBe(404)
    expect((await app.as(stranger)('DELETE', `/metadata/${media}`)).statusCode).toBe(403)
  })

  it('keys of other services are for those who may change the form, in every list', async () => {
    const reader = await app.account()
    const project = await newProject(app, ana)
    const xform = await newForm(project)
    const secret = await addValue({ xform, data_type: 'external_export', data_value: 'x|http://example.org/?key=1' })
    const seen = async () => {
      const as = app.as(reader)
      const form = (await as('GET', `/forms/${xform}`)).json().metadata.map(({ id }: { id: number }) => id)
      const lists = [ids(await as('GET', `/metadata?xform=${xform}`)), ids(await as('GET', '/metadata')), form]
      return lists.map((list) => list.includes(secret))
    }
    await share(app, ana, project, reader.username, 'readonly')
    expect(await seen()).toEqual([false, false, false])
    await share(app, ana, project, reader.username, 'editor')
    expect(await seen()).toEqual([true, true, true])
  })

  it('a submission’s entries are for those who see the submission: own ones only where the role says so', async () => {
    const project = await newProject(app, ana)
    const xform = await newForm(project)
    const [own, other] = [
      await putSubmissionRow(app, xform, { by: ben.id }),
      await putSubmissionRow(app, xform, { by: ana.id }),
    ]
    const [ownEntry, otherEntry] = [
      await add({ instance: own, data_type: 'media' }),
      await add({ instance: other, data_type: 'media' }),
    ]
    await share(app, ana, project, 'ben', 'dataentry-minor')
    const status = async (path: string) => (await app.as(ben)('GET', path)).statusCode
    expect([await status(`/metadata/${ownEntry}.csv`), await status(`/metadata/${otherEntry}.csv`)]).toEqual([200, 404])
    expect([await status(`/metadata?instance=${own}`), await status(`/metadata?instance=${other}`)]).toEqual([200, 404])
  })

  it('without a filter: of forms and projects with a role, paged by id; nothing for nobody', async () => {
    const owner = await app.account()
    const project = await newProject(app, owner)
    const { formid } = await publish(app, owner, visitSheet(), { project })
    const made: number[] = []
    for (const holder of [{ xform: formid }, { project }]) {
      const body = { ...holder, data_type: 'media', data_value: 'http://example.org/a.csv' }
      made.push((await app.as(owner)('POST', '/metadata', { body })).json().id)
    }
    const all = ids(await app.as(owner)('GET', '/metadata'))
    expect(all.slice(-2)).toEqual(made)
    expect(all.length).toBe(3)
    expect(ids(await app.as(owner)('GET', '/metadata?data_type=media'))).toEqual(made)
    const page = await app.as(owner)('GET', '/metadata?page=2&page_size=1')
    expect([ids(page), page.headers.link]).toEqual([[made[0]], expect.stringContaining('rel="next"')])
    expect((await app.call('GET', '/metadata')).json()).toEqual([])
  })
})

describe('DELETE /metadata/{pk}', () => {
  it('204: gone from everywhere; 403 for who may only read, 404 for a second time', async () => {
    const project = await newProject(app, ana)
    const xform = await newForm(project)
    const id = await add({ xform, data_type: 'media' })
    await share(app, ana, project, 'ben', 'readonly')
    expect((await app.as(ben)('DELETE', `/metadata/${id}`)).statusCode).toBe(403)
    const response = await app.as(ana)('DELETE', `/metadata/${id}`)
    expect([response.statusCode, response.body]).toEqual([204, ''])
    for (const path of [`${id}`, `${id}.csv`]) expect((await get(path)).statusCode).toBe(404)
    expect((await app.as(ana)('DELETE', `/metadata/${id}`)).statusCode).toBe(404)
    const { metadata } = (await app.as(ana)('GET', `/forms/${xform}`)).json()
    expect(metadata.map((one: { id: number }) => one.id)).not.toContain(id)
  })

  it('a deleted form, and a deleted project, take theirs along', async () => {
    const project = await newProject(app, ana)
    const ofProject = await add({ project, data_type: 'media' })
    const form = await newForm(project)
    const ofForm = await add({ xform: form, data_type: 'media' })
    await app.as(ana)('DELETE', `/forms/${form}`)
    expect((await get(`${ofForm}.csv`)).statusCode).toBe(404)
    await app.as(ana)('DELETE', `/projects/${project}`)
    expect((await get(`${ofProject}.csv`)).statusCode).toBe(404)
  })
})
