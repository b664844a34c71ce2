// Widgets: charts that are kept with a form or a dataview, in their order, and shown to whoever has the key.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { acceptance, newName, type Person } from './service.js'

const service = acceptance()
let ana: Person
let reader: Person
let stranger: Person
let projectId: number

interface Form {
  formid: number
  id_string: string
}

interface Widget {
  id: number
  key: string
  order: number
  title: string | null
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
choices
,list_name,name,label
,sex,f,Female
,sex,m,Male
settings
,form_id,form_title
,${id},Visits
`

const newForm = async (): Promise<Form> => {
  const file = part('xls_file', 'form.csv', 'text/csv', sheet(newName('visits')))
  const made = await service.call('POST', `/projects/${projectId}/forms`, { auth: ana.auth, ...file })
  expect(made.status).toBe(201)
  return made.read<Form>()
}

const submit = async (form: Form, age: number, sex: string): Promise<void> => {
  const answers = `<age>${age}</age><sex>${sex}</sex>`
  const xml = `<data id="${form.id_string}">${answers}<meta><instanceID>uuid:${randomUUID()}</instanceID></meta></data>`
  const file = part('xml_submission_file', 'submission.xml', 'text/xml', xml)
  expect((await service.page('POST', '/submission', { auth: ana.auth, ...file })).status).toBe(201)
}

const addressOf = ({ formid }: Form): string => `${service.base}/api/v1/forms/${formid}`

const bodyFor = (form: Form, fields: object = {}) => ({
  content_object: addressOf(form),
  widget_type: 'charts',
  view_type: 'horizontal-bar',
  column: 'age',
  ...fields,
})

const call = (method: string, path: string, json?: object, by: Person | null = ana) =>
  service.call(method, `/widgets${path}`, { ...(by && { auth: by.auth }), ...(json && { json }) })

const create = async (form: Form, fields: object = {}): Promise<Widget> => {
  const made = await call('POST', '', bodyFor(form, fields))
  expect(made.status, made.text).toBe(201)
  return made.read<Widget>()
}

const listOf = async (form: Form) => (await call('GET', `?xform=${form.formid}`)).read<Widget[]>()

let form: Form

beforeAll(async () => {
  ;[ana, reader, stranger] = await Promise.all([
    service.person('ana'),
    service.person('reader'),
    service.person('stranger'),
  ])
  const made = await service.call('POST', '/projects', { auth: ana.auth, json: { name: newName('project') } })
  projectId = made.read<{ projectid: number }>().projectid
  const share = { username: reader.username, role: 'readonly' }
  await service.call('PUT', `/projects/${projectId}/share`, { auth: ana.auth, json: share })
  form = await newForm()
  for (const [age, sex] of [
    [21, 'f'],
    [22, 'm'],
    [22, 'f'],
    [21, 'm'],
    [22, 'm'],
  ] as const)
    await submit(form, age, sex)
})

const counted = [
  { count: 2, age: '21' },
  { count: 3, age: '22' },
]

describe('POST /widgets', () => {
  it('201 with the widget: every field of the contract, as it was given, and a key of its own', async () => {
    const given = {
      title: 'Ages',
      description: 'How old people are',
      aggregation: 'mean',
      order: 0,
      widget_type: 'charts',
      view_type: 'horizontal-bar',
      column: 'age',
      group_by: 'sex',
      metadata: { colour: 'red' },
    }
    const own = await newForm()
    const widget = await create(own, given)
    expect(widget).toMatchObject({ ...given, content_object: addressOf(own), data: [] })
    expect(widget).toMatchObject({ id: expect.any(Number), key: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect((await call('GET', `/${widget.id}`)).body).toEqual(widget)
    expect((await create(own)).key).not.toBe(widget.key)
  })

  it('201 form-encoded as well as JSON; group_by is null and metadata an empty object when they are left out', async () => {
    const fields = { content_object: addressOf(await newForm()), view_type: 'pie', column: 'sex' }
    const made = await service.call('POST', '/widgets', { auth: ana.auth, form: fields })
    expect([made.status, made.body]).toMatchObject([
      201,
      { column: 'sex', group_by: null, metadata: {}, order: 0, widget_type: 'charts' },
    ])
  })

  it('400 names everything that is missing or wrong, and group_by that is the column', async () => {
    expect((await call('POST', '', {})).body).toEqual({
      content_object: ['This field is required.'],
      view_type: ['This field is required.'],
      column: ['This field is required.'],
    })
    const wrong = { content_object: 'http://x', widget_type: 'table', order: -1 }
    const refused = await call('POST', '', bodyFor(form, wrong))
    expect([refused.status, Object.keys(refused.read<object>()).sort()]).toEqual([
      400,
      ['content_object', 'order', 'widget_type'],
    ])
    const unknown = await call('POST', '', bodyFor(form, { column: 'doesnotexists' }))
    expect([unknown.status, unknown.body]).toEqual([400, { column: ["'doesnotexists' not in the form."] }])
    const same = await call('POST', '', bodyFor(form, { group_by: 'age' }))
    expect([same.status, Object.keys(same.read<object>())]).toEqual([400, ['group_by']])
  })
})

describe('GET /widgets', () => {
  it('200 with all widgets of the caller, whose data are empty; a stranger has none', async () => {
    const { id } = await create(form)
    const mine = (await call('GET', '')).read<Widget[]>().find((widget) => widget.id === id)
    expect(mine?.data).toEqual([])
    expect((await call('GET', '', undefined, stranger)).body).toEqual([])
  })

  it('xform: 200 with the widgets of the form and their data, counts by value', async () => {
    const own = await newForm()
    await submit(own, 30, 'f')
    const { id } = await create(own)
    expect(await listOf(own)).toMatchObject([{ id, data: [{ count: 1, age: '30' }] }])
    expect((await call('GET', '?xform=abc')).status).toBe(400)
    expect((await call('GET', '?xform=2147483647')).status).toBe(404)
  })

  it('dataview: 200 with the widgets of the dataview, whose data are of the records that it shows', async () => {
    const json = {
      name: newName('dataview'),
      xform: addressOf(form),
      project: `${service.base}/api/v1/projects/${projectId}`,
      columns: ['age', 'sex'],
      query: [{ column: 'sex', filter: '=', value: 'f' }],
    }
    const made = await service.call('POST', '/dataviews', { auth: ana.auth, json })
    const { dataviewid, url } = made.read<{ dataviewid: number; url: string }>()
    const widget = await create(form, { content_object: url })
    expect(widget).toMatchObject({ content_object: url, order: 0 })
    const data = [
      { count: 1, age: '21' },
      { count: 1, age: '22' },
    ]
    expect((await call('GET', `?dataview=${dataviewid}`)).body).toMatchObject([{ id: widget.id, data }])
  })

  it('key: 200 with the one widget and its data for anybody, signed in or not; 404 for another key', async () => {
    const { id, key } = await create(form)
    for (const by of [null, stranger, ana])
      expect((await call('GET', `?key=${key}`, undefined, by)).body).toMatchObject([{ id, key, data: counted }])
    expect((await call('GET', `?key=${'0'.repeat(32)}`, undefined, null)).status).toBe(404)
  })
})

describe('GET /widgets/{pk}', () => {
  it('200 with the widget; data=true fills data with rows of the count and the value of the column', async () => {
    const { id } = await create(form)
    expect((await call('GET', `/${id}`)).read<Widget>().data).toEqual([])
    expect((await call('GET', `/${id}?data=true`)).read<Widget>().data).toEqual(counted)
    expect((await call('GET', `/${id}.json?data=true`)).read<Widget>().data).toEqual(counted)
  })

  it('with group_by the rows are sums and means for every group', async () => {
    const { id } = await create(form, { group_by: 'sex', aggregation: 'mean' })
    expect((await call('GET', `/${id}?data=true`)).read<Widget>().data).toMatchObject([
      { sex: ['Female'], sum: 43, mean: 21.5 },
      { sex: ['Male'], sum: 65, mean: expect.closeTo(21.667, 3) },
    ])
  })

  it('404 for a stranger, 401 for anonymous callers; readers of the form see it and get 403 for changes', async () => {
    const { id, key } = await create(form)
    expect((await call('GET', `/${id}`, undefined, reader)).status).toBe(200)
    expect((await call('PATCH', `/${id}`, { title: 'x' }, reader)).status).toBe(403)
    for (const method of ['GET', 'DELETE']) {
      expect((await call(method, `/${id}`, undefined, stranger)).status).toBe(404)
      expect((await call(method, `/${id}?key=${key}`, undefined, null)).status).toBe(401)
    }
  })
})

describe('a form that is replaced or deleted', () => {
  it('leaves its widgets: without data where the column is gone; with the form they go', async () => {
    const own = await newForm()
    await submit(own, 30, 'f')
    const [lost, kept] = [await create(own), await create(own, { column: 'sex' })]
    const file = part('xls_file', 'form.csv', 'text/csv', sheet(own.id_string).replace(',integer,age,Age\n', ''))
    const replaced = await service.call('PATCH', `/forms/${own.formid}`, { auth: ana.auth, ...file })
    expect(replaced.status, replaced.text).toBe(200)
    expect((await listOf(own)).map(({ data }) => data)).toEqual([[], [{ count: 1, sex: 'f' }]])
    expect((await call('GET', `/${lost.id}?data=true`)).read<Widget>().data).toEqual([])
    expect((await call('GET', `?key=${lost.key}`, undefined, null)).body).toMatchObject([{ id: lost.id, data: [] }])
    expect((await service.call('DELETE', `/forms/${own.formid}`, { auth: ana.auth })).status).toBe(204)
    expect((await call('GET', `/${kept.id}`)).status).toBe(404)
    expect((await call('GET', `?key=${kept.key}`, undefined, null)).status).toBe(404)
  })
})

describe('order', () => {
  it('is unique in each form: whoever comes to a place moves the others on, and a gap is closed', async () => {
    const own = await newForm()
    const ids: number[] = []
    for (const title of ['a', 'b', 'c']) ids.push((await create(own, { title })).id)
    const orders = async () => (await listOf(own)).map(({ title, order }) => `${order}${title}`)
    expect(await orders()).toEqual(['0a', '1b', '2c'])
    await call('PATCH', `/${ids[2]}`, { order: 1 })
    expect(await orders()).toEqual(['0a', '1c', '2b'])
    await create(own, { title: 'd', order: 0 })
    expect(await orders()).toEqual(['0d', '1a', '2c', '3b'])
    await call('DELETE', `/${ids[0]}`)
    expect(await orders()).toEqual(['0d', '1c', '2b'])
  })

  it('stays so when many are made at once', async () => {
    const own = await newForm()
    await Promise.all(Array.from({ length: 10 }, (_one, place) => create(own, { order: place % 3 })))
    expect((await listOf(own)).map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

describe('PUT, PATCH and DELETE /widgets/{pk}', () => {
  it('PUT 200 takes the full widget, PATCH 200 what is to change; the key stays', async () => {
    const { id, key } = await create(form, { title: 'Before', metadata: { a: 1 } })
    const put = await call('PUT', `/${id}`, bodyFor(form, { column: 'sex', view_type: 'pie' }))
    expect([put.status, put.body]).toMatchObject([
      200,
      { id, key, title: null, column: 'sex', view_type: 'pie', metadata: {} },
    ])
    const patched = await call('PATCH', `/${id}`, { title: 'After', group_by: 'age' })
    expect([patched.status, patched.body]).toMatchObject([
      200,
      { id, key, title: 'After', column: 'sex', group_by: 'age', view_type: 'pie' },
    ])
    expect((await call('PUT', `/${id}`, { title: 'Half' })).status).toBe(400)
  })

  it('DELETE 204 without a body, then 404', async () => {
    const { id } = await create(form)
    const deleted = await call('DELETE', `/${id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await call('GET', `/${id}`)).status).toBe(404)
  })
})
