// The data of a form, from submissions as devices send them: listed, queried, paged, labelled, edited, deleted, exported.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { acceptance, newName, type Person } from './service.js'

const service = acceptance()
let ana: Person
let reader: Person
let stranger: Person
let form: Form
let ids: number[]

interface Form {
  formid: number
  id_string: string
  uuid: string
}

type DataRecord = Record<string, unknown> & { _id: number; _uuid: string }

const part = (name: string, file: string, type: string, text: string) => ({
  raw: `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n--b--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
})

const sheet = (id: string) => `survey
,type,name,label
,text,name,Name
,integer,age,Age
,geopoint,gps,Place
,begin repeat,kids,Children
,text,kid,Child
,end repeat,,
settings
,form_id,form_title
,${id},Visits
`

const submit = async (answers: string, deprecated?: string): Promise<string> => {
  const id = randomUUID()
  const former = deprecated === undefined ? '' : `<deprecatedID>uuid:${deprecated}</deprecatedID>`
  const xml = `<data id="${form.id_string}">${answers}<meta><instanceID>uuid:${id}</instanceID>${former}</meta></data>`
  const file = part('xml_submission_file', 'submission.xml', 'text/xml', xml)
  expect((await service.page('POST', '/submission', { auth: ana.auth, ...file })).status).toBe(201)
  return id
}

const get = (path = '', by = ana, headers: Record<string, string> = {}) =>
  service.call('GET', `/data/${form.formid}${path}`, { auth: by.auth, headers })

const list = async (query = ''): Promise<DataRecord[]> => (await get(`?${query}`)).read<DataRecord[]>()

const namesOf = async (query: string) => (await list(query)).map(({ name }) => name)

beforeAll(async () => {
  ;[ana, reader, stranger] = await Promise.all([
    service.person('ana'),
    service.person('reader'),
    service.person('stranger'),
  ])
  const made = await service.call('POST', '/projects', { auth: ana.auth, json: { name: newName('project') } })
  const { projectid } = made.read<{ projectid: number }>()
  const share = { username: reader.username, role: 'readonly' }
  await service.call('PUT', `/projects/${projectid}/share`, { auth: ana.auth, json: share })
  const file = part('xls_file', 'form.csv', 'text/csv', sheet(newName('visits')))
  form = (await service.call('POST', `/projects/${projectid}/forms`, { auth: ana.auth, ...file })).read<Form>()
  await submit('<name>Amy</name><age>9</age><gps>-1.5 36.5 0 5</gps>')
  await submit('<name>Tom</name><age>21</age><kids><kid>Bo</kid></kids><kids><kid>Cy</kid></kids>')
  await submit('<name>=1+1</name><age>10</age>')
  ids = (await list()).map(({ _id }) => _id)
})

describe('GET /data/{pk}', () => {
  it('200 with the submissions in their order: answers as strings, and the built-in fields', async () => {
    const [first, second] = await list()
    expect(first).toMatchObject({
      name: 'Amy',
      age: '9',
      _xform_id: form.formid,
      _xform_id_string: form.id_string,
      _submission_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      _submitted_by: ana.username,
      _status: 'submitted_via_web',
      _geolocation: [-1.5, 36.5],
      _attachments: [],
      _tags: [],
      _notes: [],
      _edited: false,
      _last_edited: null,
      _deleted_at: null,
      _media_all_received: true,
      _review_status: null,
    })
    expect(second?.kids).toEqual([{ 'kids/kid': 'Bo' }, { 'kids/kid': 'Cy' }])
  })

  it('takes query, sort, fields, start and limit', async () => {
    expect(await namesOf('query={"age":{"$gt":"9"}}')).toEqual(['Tom', '=1+1'])
    expect(await namesOf('query={"$or":[{"name":"Amy"},{"kids/kid":"Cy"}]}')).toEqual(['Amy', 'Tom'])
    expect(await namesOf('query={"name":{"$i":"tO"}}')).toEqual(['Tom'])
    expect(await namesOf('sort={"age":-1}')).toEqual(['Tom', '=1+1', 'Amy'])
    expect(await list('fields=["name","nope"]&start=1&limit=1')).toEqual([{ name: 'Tom', nope: null }])
    expect((await get('?query={bad')).status).toBe(400)
  })

  it('pages, with the others linked', async () => {
    const answer = await get('?page=2&page_size=1')
    expect(answer.read<DataRecord[]>().map(({ _id }) => _id)).toEqual([ids[1]])
    const relations = [...(answer.headers.get('link') ?? '').matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation)
    expect(relations).toEqual(['prev', 'next', 'last', 'first'])
    expect((await get('?page=9&page_size=1')).status).toBe(404)
  })

  it('404 for a stranger, 401 for an anonymous caller; a reader reads and may not change', async () => {
    expect((await get('', stranger)).status).toBe(404)
    expect((await service.call('GET', `/data/${form.formid}`)).status).toBe(401)
    expect((await get('', reader)).read<DataRecord[]>()).toHaveLength(3)
    const deletion = await service.call('DELETE', `/data/${form.formid}/${ids[0]}`, { auth: reader.auth })
    expect(deletion.status).toBe(403)
  })
})

describe('representations', () => {
  it('CSV defuses what a spreadsheet would execute', async () => {
    const { text, headers } = await get('.csv')
    expect(headers.get('content-type')).toMatch(/^text\/csv/)
    const [head = '', ...rows] = text.trim().split('\n')
    expect(head).toMatch(/^name,age,gps,_gps_latitude,.*kids\[1\]\/kid,kids\[2\]\/kid,.*_id,_uuid/)
    expect(rows).toHaveLength(3)
    expect(rows[2]).toMatch(/^'=1\+1,10,n\/a/)
  })

  it('XML, GeoJSON and flow results show the same submissions', async () => {
    expect((await get('.xml')).text.match(/<submission-item /g)).toHaveLength(3)
    const features = JSON.parse((await get('.geojson')).text).features
    expect(features.map(({ geometry }: { geometry: unknown }) => geometry === null)).toEqual([false, true, true])
    const accept = 'application/vnd.org.flowinterop.results+json'
    const rows = JSON.parse((await get('', ana, { accept })).text) as unknown[][]
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([6]))
    expect(rows.map((row) => row[3])).toContain('kids[2]/kid')
  })
})

describe('one submission', () => {
  it('is found by _id and by _uuid; an edit keeps its _id and leaves its history', async () => {
    const uuid = await submit('<name>before</name>')
    const { _id: id } = (await get(`/${uuid}`)).read<DataRecord>()
    expect((await get(`/${id}`)).read<DataRecord>()._uuid).toBe(uuid)
    await submit('<name>after</name>', uuid)
    expect((await get(`/${id}`)).body).toMatchObject({ name: 'after', _edited: true })
    expect((await get(`/${id}/history`)).body).toMatchObject([{ name: 'before', _id: id, _uuid: uuid }])
  })

  it('is labelled, deleted, and told of by the changes feed', async () => {
    const { _id: id } = (await get(`/${await submit('<name>gone</name>')}`)).read<DataRecord>()
    const before = await get('?changed_since=0')
    const cursor = /changed_since=([\d-]+)/.exec(before.headers.get('link') ?? '')?.[1]
    const call = (method: string, path: string, json?: object) =>
      service.call(method, `/data/${form.formid}/${id}${path}`, { auth: ana.auth, ...(json && { json }) })
    expect((await call('POST', '/labels', { tags: 'b, a' })).body).toEqual(['a', 'b'])
    expect((await call('DELETE', '/labels/b')).body).toEqual(['a'])
    expect(await namesOf('tags=a')).toEqual(['gone'])
    expect((await call('DELETE', '')).status).toBe(204)
    expect((await call('DELETE', '')).status).toBe(404)
    const after = (await get(`?changed_since=${cursor}`)).read<DataRecord[]>()
    expect(after).toEqual([{ _id: id, _uuid: expect.any(String), _deleted_at: expect.any(String) }])
  })
})
