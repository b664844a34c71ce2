// Charts of a form’s answers, and dataviews: some columns of its records, of those that match.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { acceptance, newName, type Person } from './service.js'

const service = acceptance()
let ana: Person
let stranger: Person
let projectId: number
let form: Form

interface Form {
  formid: number
  id_string: string
}

interface Chart {
  data: Record<string, unknown>[]
  [field: string]: unknown
}

const part = (name: string, file: string, type: string, text: string) => ({
  raw: `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n--b--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
})

const sheet = (id: string) => `survey
,type,name,label
,integer,age,Age
,select_one sex,sex,Sex
,select_one fan,fan,Fan
choices
,list_name,name,label
,sex,f,Female
,sex,m,Male
,fan,y,Yes
,fan,n,No
settings
,form_id,form_title
,${id},Visits
`

const submit = async (age: number, sex: string, fan: string): Promise<void> => {
  const answers = `<age>${age}</age><sex>${sex}</sex><fan>${fan}</fan>`
  const xml = `<data id="${form.id_string}">${answers}<meta><instanceID>uuid:${randomUUID()}</instanceID></meta></data>`
  const file = part('xml_submission_file', 'submission.xml', 'text/xml', xml)
  expect((await service.page('POST', '/submission', { auth: ana.auth, ...file })).status).toBe(201)
}

const get = (path: string, by: Person | null = ana) => service.call('GET', path, by === null ? {} : { auth: by.auth })
const chart = async (query: string) => (await get(`/charts/${form.formid}${query}`)).read<Chart>()

beforeAll(async () => {
  ;[ana, stranger] = await Promise.all([service.person('ana'), service.person('stranger')])
  const made = await service.call('POST', '/projects', { auth: ana.auth, json: { name: newName('project') } })
  projectId = made.read<{ projectid: number }>().projectid
  const file = part('xls_file', 'form.csv', 'text/csv', sheet(newName('visits')))
  form = (await service.call('POST', `/projects/${projectId}/forms`, { auth: ana.auth, ...file })).read<Form>()
  for (const [age, sex, fan] of [
    [21, 'f', 'y'],
    [22, 'm', 'n'],
    [22, 'm', 'y'],
  ] as const)
    await submit(age, sex, fan)
})

describe('GET /charts', () => {
  it('200 with an entry for every form of the caller: id, id_string, url; a stranger and nobody get none of them', async () => {
    const url = `${service.base}/api/v1/charts/${form.formid}`
    expect((await get('/charts')).body).toContainEqual({ id: form.formid, id_string: form.id_string, url })
    for (const by of [stranger, null])
      expect((await get('/charts', by)).read<{ id: number }[]>().map(({ id }) => id)).not.toContain(form.formid)
  })
})

describe('GET /charts/{formid}', () => {
  it('200 with the detail: id, id_string, url, and fields with the address of each chart, which leads to it', async () => {
    const detail = await chart('')
    expect(detail).toMatchObject({ id: form.formid, id_string: form.id_string, url: expect.any(String) })
    const fields = detail.fields as Record<string, string>
    expect(Object.keys(fields)).toEqual(['age', 'sex', 'fan'])
    for (const [field_name, address] of Object.entries(fields))
      expect((await service.page('GET', address, { auth: ana.auth })).body).toMatchObject({ field_name })
  })

  it('with fields: the data of these, or of all but the instance id', async () => {
    const some = await get(`/charts/${form.formid}?fields=age,sex`)
    expect(Object.keys(some.read<object>())).toEqual(['age', 'sex'])
    const all = (await get(`/charts/${form.formid}?fields=all`)).read<Record<string, Chart>>()
    expect(Object.keys(all)).toEqual(['age', 'sex', 'fan'])
    expect(all.age?.data).toEqual([
      { age: '21', count: 1 },
      { age: '22', count: 2 },
    ])
  })

  it('404 for a stranger, 401 for nobody, and 404 for a field that the form does not have', async () => {
    for (const [by, status] of [
      [stranger, 404],
      [null, 401],
    ] as const) {
      const hidden = await get(`/charts/${form.formid}?field_name=age`, by)
      const missing = await get('/charts/2147483647?field_name=age', by)
      expect([hidden.status, hidden.text]).toEqual([status, missing.text])
    }
    expect((await get(`/charts/${form.formid}?field_name=nope`)).status).toBe(404)
  })
})

describe('GET /charts/{formid}.{format}', () => {
  it('json: 200 with the data for a charting library', async () => {
    const answer = await chart('.json?field_name=sex')
    expect(answer).toMatchObject({
      data: [
        { sex: ['Female'], count: 1 },
        { sex: ['Male'], count: 2 },
      ],
      data_type: 'categorized',
      field_label: 'Sex',
      field_name: 'sex',
    })
    expect(await chart('?field_name=sex')).toEqual(answer)
  })

  it('html: 200 with markup, script and style of the chart; 400 without field_name', async () => {
    const page = await get(`/charts/${form.formid}.html?field_name=sex`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)])
    for (const piece of ['<svg', '<style', '<script', 'Female']) expect(page.text).toContain(piece)
    expect((await get(`/charts/${form.formid}.html`)).status).toBe(400)
  })

  it('group_by divides by another field; by several only numbers', async () => {
    expect((await chart('.json?field_name=age&group_by=sex')).data).toMatchObject([
      { sex: ['Female'], count: 1, sum: 21, mean: 21 },
      { sex: ['Male'], count: 2, sum: 44, mean: 22 },
    ])
    expect((await chart('.json?field_name=age&group_by=sex,fan')).data).toHaveLength(3)
    expect((await chart('.json?field_name=sex&group_by=fan')).data).toHaveLength(2)
    expect((await get(`/charts/${form.formid}.json?field_name=sex&group_by=fan,age`)).status).toBe(400)
  })

  it('is kept for a while; refresh=true counts again', async () => {
    const count = async (query = '') => {
      const { data } = await chart(`.json?field_name=fan${query}`)
      return data.reduce((sum, row) => sum + Number(row.count), 0)
    }
    const before = await count()
    await submit(40, 'f', 'y')
    expect([await count(), await count('&refresh=true'), await count()]).toEqual([before, before + 1, before + 1])
  })
})

describe('/dataviews', () => {
  it('are made of columns and a filter, show those records alone, change and go', async () => {
    const json = {
      name: newName('women'),
      xform: `${service.base}/api/v1/forms/${form.formid}`,
      project: `${service.base}/api/v1/projects/${projectId}`,
      columns: ['age'],
      query: [{ column: 'sex', filter: '=', value: 'm' }],
    }
    const made = await service.call('POST', '/dataviews', { auth: ana.auth, json })
    const { dataviewid: id } = made.read<{ dataviewid: number }>()
    expect([made.status, made.body]).toMatchObject([201, { ...json, count: 2 }])
    const rows = (await get(`/dataviews/${id}/data`)).read<Record<string, unknown>[]>()
    expect(rows.map(({ age, sex }) => [age, sex])).toEqual([
      ['22', undefined],
      ['22', undefined],
    ])
    const patch = { query: [] }
    expect((await service.call('PATCH', `/dataviews/${id}`, { auth: ana.auth, json: patch })).status).toBe(200)
    expect((await get(`/dataviews/${id}/data`)).read<object[]>().length).toBeGreaterThan(2)
    for (const path of [`/dataviews/${id}`, `/dataviews/${id}/data`])
      expect((await get(path, stranger)).status).toBe(404)
    expect((await service.call('DELETE', `/dataviews/${id}`, { auth: ana.auth })).status).toBe(204)
    expect((await get(`/dataviews/${id}`)).status).toBe(404)
  })
})
