import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { giveRole, newForm, put, useForm, useRecords } from '../../../test/support/data.js'
import { bodyOf, newDataview } from '../../../test/support/dataviews.js'
import { newProject } from '../../../test/support/projects.js'
import { countStatements } from '../../../test/support/statements.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
const place = useForm(app)

useRecords(app, place, () => [
  { answers: { name: 'tom', age: '21', 'visit/gps': '1 2 0 0' }, at: '2024-01-01T10:00:00.500Z', place: [1, 2] },
  { answers: { name: 'amy', age: '9' }, at: '2024-01-02T10:00:00Z' },
  { answers: { name: 'bo' }, at: '2024-01-03T10:00:00Z' },
])

const post = (fields: object = {}, at = place) => app.as(at.ana)('POST', '/dataviews', { body: bodyOf(at, fields) })
const get = async (id: number) => (await app.as(place.ana)('GET', `/dataviews/${id}`)).json()

describe('POST /dataviews', () => {
  it('201 with every field and its Location', async () => {
    const query = [{ column: 'age', filter: '>', value: '10' }]
    const response = await post({ name: ' Adults ', query, columns: ['name', 'age', 'visit/gps'] })
    const { dataviewid: id } = response.json()
    const base = 'http://localhost:80/api/v1'
    expect([response.statusCode, response.headers.location]).toEqual([201, `${base}/dataviews/${id}`])
    expect(response.json()).toEqual({
      dataviewid: id,
      name: 'Adults',
      url: `${base}/dataviews/${id}`,
      xform: `${base}/forms/${place.form.id}`,
      project: `${base}/projects/${place.projectId}`,
      columns: ['name', 'age', 'visit/gps'],
      query,
      matches_parent: false,
      count: 1,
      instances_with_geopoints: true,
      last_submission_time: '2024-01-01T10:00:00',
      has_hxl_support: false,
      date_created: expect.stringMatching(/^20.*Z$/),
      date_modified: expect.stringMatching(/^20.*Z$/),
    })
    expect(await get(id)).toEqual(response.json())
  })

  it('201 form-encoded, with columns and query as JSON text; names twice count once; ids in place of addresses', async () => {
    const form = {
      name: 'Encoded',
      xform: String(place.form.id),
      project: String(place.projectId),
      columns: '["age", "name", "age", "_id", "kids"]',
      query: '[{"column": "_edited", "filter": "=", "value": false, "condition": "OR"}]',
    }
    const response = await app.as(place.ana)('POST', '/dataviews', { form })
    expect([response.statusCode, response.json()]).toMatchObject([
      201,
      {
        columns: ['age', 'name', '_id', 'kids'],
        query: [{ column: '_edited', filter: '=', value: false, condition: 'or' }],
        count: 3,
      },
    ])
  })

  it('matches_parent says whether the columns are all fields of the form and nothing else', async () => {
    const other = await newForm(app, {
      versions: ['| survey |\n| | type | name | label |\n| | text | a | A |\n| | note | n | N |\n| | text | b | B |'],
    })
    const matches = async (columns: string[]) =>
      (await post({ name: columns.join(), columns }, other)).json().matches_parent
    expect(await matches(['b', 'a'])).toBe(true)
    expect(await matches(['a'])).toBe(false)
    expect(await matches(['a', 'b', '_id'])).toBe(false)
  })

  it.each([
    [{ name: undefined }, { name: ['This field is required.'] }],
    [{ name: '' }, { name: ['This field may not be blank.'] }],
    [{ name: 'x'.repeat(256) }, { name: ['Ensure this field has no more than 255 characters.'] }],
    [{ columns: undefined }, { columns: ['This field is required.'] }],
    [{ columns: 'name,age' }, { columns: ['`columns` should be a list of columns'] }],
    [{ columns: { a: 1 } }, { columns: ['`columns` should be a list of columns'] }],
    [{ columns: ['name', 5] }, { columns: ['`columns` should be a list of columns'] }],
    [{ columns: [] }, { columns: ['This list may not be empty.'] }],
    [{ columns: ['name', 'x', 'y'] }, { columns: ["Unknown column 'x'", "Unknown column 'y'"] }],
    [{ columns: ['a\'"); drop table'] }, { columns: ["Unknown column 'a'\"); drop table'"] }],
    [{ columns: ['__proto__'] }, { columns: ["Unknown column '__proto__'"] }],
    [{ columns: ['thanks'] }, { columns: ["Unknown column 'thanks'"] }],
    [{ query: 'age > 5' }, { query: ['`query` should be a list of conditions'] }],
    [{ query: { column: 'age' } }, { query: ['`query` should be a list of conditions'] }],
    [
      { query: [{}, 5, null] },
      { query: ['`column` not set in query', '`filter` not set in query', '`value` not set in query'] },
    ],
    [{ query: [{ column: 'age', filter: 'like', value: '1' }] }, { query: ['Filter not supported'] }],
    [{ query: [{ column: 'x', filter: '=', value: '1' }] }, { query: ["Unknown column 'x'"] }],
    [{ query: [{ column: '_uuid', filter: '=', value: '1' }] }, { query: ["Unknown column '_uuid'"] }],
    [{ query: [{ column: 'a__b', filter: '=', value: '1' }] }, { query: ["Unsupported column 'a__b'"] }],
    [
      { query: [{ column: 'age', filter: '=', value: [1] }] },
      { query: ['`value` should be a text, a number, true or false'] },
    ],
    [
      { query: [{ column: 'age', filter: '=', value: '1', condition: 'xor' }] },
      { query: ['`condition` should be `and` or `or`'] },
    ],
    [{ query: [{ column: 'age', filter: '>', value: 'ten' }] }, { query: ['Invalid value "ten" for the field age.'] }],
    [
      { query: [{ column: '_edited', filter: '>', value: true }] },
      { query: ['Invalid value "true" for the field _edited.'] },
    ],
    [{ query: '[{"column":"name","filter":"=","value":"\\u0000"}]' }, { query: ['Null characters are not allowed.'] }],
    [
      { query: [{ column: 'name', filter: '=', value: 'x'.repeat(1001) }] },
      { query: ['`value` should have no more than 1000 characters'] },
    ],
    [
      { query: Array.from({ length: 101 }, () => ({ column: 'name', filter: '=', value: 'x' })) },
      { query: ['A dataview has at most 100 conditions.'] },
    ],
    [
      { query: [{ column: '_submission_time', filter: '>', value: 'yesterday' }] },
      { non_field_errors: ['Date value in _submission_time should be yyyy-mm-ddThh:m:s or yyyy-mm-dd'] },
    ],
    [
      { query: [{ column: 'visit/day', filter: '>', value: '2024-02-30' }] },
      { non_field_errors: ['Date value in visit/day should be yyyy-mm-ddThh:m:s or yyyy-mm-dd'] },
    ],
    [{ xform: 'nonsense' }, { xform: ['Invalid hyperlink - No URL match.'] }],
    [{ xform: 'http://h/api/v1/forms/2147483647' }, { xform: ['Invalid hyperlink - Object does not exist.'] }],
    [{ xform: 'http://h/api/v1/forms/99999999999' }, { xform: ['Invalid hyperlink - Object does not exist.'] }],
    [{ project: 'nonsense' }, { project: ['Invalid hyperlink - No URL match.'] }],
    [{ project: 'http://h/api/v1/projects/2147483647' }, { project: ['Invalid hyperlink - Object does not exist.'] }],
  ])('400 for %j', async (fields, expected) => {
    const response = await post(fields)
    expect([response.statusCode, response.json()]).toEqual([400, expected])
  })

  it('400 with all faults at once', async () => {
    const query = [
      { column: '_submission_time', filter: '>', value: 'x' },
      { column: 'y', filter: '~' },
    ]
    const response = await post({ name: '', columns: ['x'], project: '2147483647', query })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      {
        name: ['This field may not be blank.'],
        project: ['Invalid hyperlink - Object does not exist.'],
        columns: ["Unknown column 'x'"],
        query: ["Unknown column 'y'", 'Filter not supported', '`value` not set in query'],
        non_field_errors: ['Date value in _submission_time should be yyyy-mm-ddThh:m:s or yyyy-mm-dd'],
      },
    ])
  })

  it('400 for a project that the form is not in, which it names', async () => {
    const other = await newProject(app, place.ana)
    const { project } = (await post({ project: String(other) })).json()
    expect(project[0]).toContain(`/api/v1/projects/${place.projectId}`)
  })

  it('400 for a name that the form has already, however many ask at once; another form may have it', async () => {
    const at = await newForm(app)
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({ name: 'Once' }, at)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(7).fill(400)])
    expect(answers.find(({ statusCode }) => statusCode === 400)?.json()).toEqual({
      non_field_errors: ['The fields name, xform must make a unique set.'],
    })
    expect((await post({ name: 'Once' }, await newForm(app))).statusCode).toBe(201)
  })

  it('400 for more than a hundred of one form', async () => {
    const at = await newForm(app)
    await app.deps.db.run(sql`
      insert into dataviews (form_id, name, columns, created_at, modified_at)
      select ${at.form.id}, 'Dataview no. ' || number, '["name"]', now(), now() from generate_series(1, 99) number`)
    expect((await post({}, at)).statusCode).toBe(201)
    expect((await post({ name: 'Too many' }, at)).json()).toEqual({
      xform: ['A form has at most 100 dataviews. Delete one that is not needed any more.'],
    })
  })

  it('403 for an editor, 400 for a stranger as for no form at all, 401 for an anonymous caller, 201 for a manager', async () => {
    const [editor, manager, stranger] = [await app.account(), await app.account(), await app.account()]
    await giveRole(app, place.form, editor, 'editor')
    await giveRole(app, place.form, manager, 'manager')
    const body = bodyOf(place, { name: 'By others' })
    expect((await app.as(editor)('POST', '/dataviews', { body })).statusCode).toBe(403)
    const { xform } = (await app.as(stranger)('POST', '/dataviews', { body })).json()
    expect(xform).toEqual(['Invalid hyperlink - Object does not exist.'])
    expect((await app.call('POST', '/dataviews', { body })).statusCode).toBe(401)
    expect((await app.as(manager)('POST', '/dataviews', { body })).statusCode).toBe(201)
  })
})

describe('PUT and PATCH /dataviews/{pk}', () => {
  it('200: PATCH keeps what is left out, PUT takes the body for the whole', async () => {
    const id = await newDataview(app, place, { query: [{ column: 'name', filter: '=', value: 'tom' }] })
    const patched = await app.as(place.ana)('PATCH', `/dataviews/${id}`, { body: { columns: ['sex'] } })
    expect([patched.statusCode, patched.json()]).toMatchObject([200, { columns: ['sex'], count: 1 }])
    const put = await app.as(place.ana)('PUT', `/dataviews/${id}`, { body: bodyOf(place, { name: 'Whole' }) })
    expect([put.statusCode, put.json()]).toMatchObject([
      200,
      { name: 'Whole', columns: ['name', 'age'], query: [], count: 3 },
    ])
    const lacking = await app.as(place.ana)('PUT', `/dataviews/${id}`, { body: {} })
    expect(Object.keys(lacking.json()).sort()).toEqual(['columns', 'name', 'project', 'xform'])
  })

  it('400 for another form, for a taken name and for what POST refuses; nothing changes', async () => {
    const other = await newForm(app)
    const [id] = [await newDataview(app, place, { name: 'First' }), await newDataview(app, place, { name: 'Second' })]
    const patch = async (body: object) => (await app.as(place.ana)('PATCH', `/dataviews/${id}`, { body })).json()
    await giveRole(app, other.form, place.ana, 'manager')
    expect((await patch({ xform: String(other.form.id) })).xform).toEqual([
      'A dataview belongs to its form. Delete it and make a new one.',
    ])
    expect((await patch({ name: 'Second' })).non_field_errors).toEqual([
      'The fields name, xform must make a unique set.',
    ])
    expect(await patch({ columns: ['x'], query: [{ column: 'age', filter: '=', value: 'x' }] })).toEqual({
      columns: ["Unknown column 'x'"],
      query: ['Invalid value "x" for the field age.'],
    })
    expect((await get(id)).name).toBe('First')
  })

  it('403 for whoever sees it and does not manage the form, 404 for a stranger, 401 for an anonymous caller', async () => {
    const id = await newDataview(app, place)
    const [editor, stranger] = [await app.account(), await app.account()]
    await giveRole(app, place.form, editor, 'editor')
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const body = method === 'DELETE' ? {} : { body: { name: 'Mine' } }
      expect((await app.as(editor)(method, `/dataviews/${id}`, body)).statusCode).toBe(403)
      expect((await app.as(stranger)(method, `/dataviews/${id}`, body)).statusCode).toBe(404)
      expect((await app.call(method, `/dataviews/${id}`, body)).statusCode).toBe(401)
    }
  })
})

describe('DELETE /dataviews/{pk}', () => {
  it('204; it is gone, its name is free, and its row remembers it', async () => {
    const id = await newDataview(app, place, { name: 'Gone' })
    expect((await app.as(place.ana)('DELETE', `/dataviews/${id}`)).statusCode).toBe(204)
    expect((await app.as(place.ana)('GET', `/dataviews/${id}`)).statusCode).toBe(404)
    expect((await app.as(place.ana)('DELETE', `/dataviews/${id}`)).statusCode).toBe(404)
    expect((await post({ name: 'Gone' })).statusCode).toBe(201)
    const { name } = await app.deps.db.one<{ name: string }>(sql`select name from dataviews where id = ${id}`)
    expect(name).toMatch(/^Gone-deleted-at-\d+$/)
  })
})

describe('GET /dataviews', () => {
  it('200 with those of forms on which the caller has a role, in pages; a stranger gets none, an anonymous caller 401', async () => {
    const at = await newForm(app, { isPublic: true })
    const ids = [await newDataview(app, at), await newDataview(app, at), await newDataview(app, at)]
    const list = async (query = {}) => app.as(at.ana)('GET', '/dataviews', { query })
    const idsOf = (response: Awaited<ReturnType<typeof list>>) =>
      response.json().map(({ dataviewid }: { dataviewid: number }) => dataviewid)
    expect(idsOf(await list())).toEqual(ids)
    const second = await list({ page: '2', page_size: '2' })
    expect([idsOf(second), second.headers.link]).toEqual([ids.slice(2), expect.stringContaining('rel="prev"')])
    expect((await app.as(await app.account())('GET', '/dataviews')).json()).toEqual([])
    expect((await app.call('GET', '/dataviews')).statusCode).toBe(401)
  })

  it('needs no statement for each', async () => {
    const at = await newForm(app)
    const statementsFor = async () => {
      const before = countStatements(app)
      await app.as(at.ana)('GET', '/dataviews')
      return countStatements(app) - before
    }
    await newDataview(app, at)
    const few = await statementsFor()
    for (let more = 0; more < 5; more++) await newDataview(app, at)
    expect(await statementsFor()).toBe(few)
  })
})

describe('GET /dataviews/{pk}', () => {
  it('404 for a stranger, 401 for an anonymous caller, as for one that is missing; 404 when its form is deleted', async () => {
    const at = await newForm(app)
    const id = await newDataview(app, at)
    const missing = await app.as(at.ana)('GET', '/dataviews/2147483647')
    for (const response of [
      await app.as(await app.account())('GET', `/dataviews/${id}`),
      await app.as(at.ana)('GET', '/dataviews/abc'),
    ]) {
      expect([response.statusCode, response.body]).toEqual([404, missing.body])
    }
    const nobody = await app.call('GET', `/dataviews/${id}`)
    expect(nobody.statusCode).toBe(401)
    expect((await app.call('GET', '/dataviews/2147483647')).body).toBe(nobody.body)
    expect((await app.as(at.ana)('DELETE', `/forms/${at.form.id}`)).statusCode).toBe(204)
    expect((await app.as(at.ana)('GET', `/dataviews/${id}`)).statusCode).toBe(404)
    expect((await app.as(at.ana)('GET', '/dataviews')).json()).toEqual([])
  })

  it('200 for anybody when the form is public; whose records are in it depends on the caller', async () => {
    const open = await newForm(app, { isPublic: true })
    const minor = await app.account()
    await giveRole(app, open.form, minor, 'dataentry-minor')
    await put(app, open.form, {}, { by: minor.id }, {})
    const id = await newDataview(app, open)
    const count = async (caller?: Parameters<typeof app.as>[0]) =>
      (
        await (caller === undefined ? app.call('GET', `/dataviews/${id}`) : app.as(caller)('GET', `/dataviews/${id}`))
      ).json()
    expect((await count()).count).toBe(0)
    expect((await count(minor)).count).toBe(1)
    expect((await count(open.ana)).count).toBe(3)
  })

  it('follows its form into another project', async () => {
    const at = await newForm(app)
    const id = await newDataview(app, at)
    const project = await newProject(app, at.ana)
    const moved = await app.as(at.ana)('POST', `/projects/${project}/forms`, { body: { formid: at.form.id } })
    expect(moved.statusCode).toBe(201)
    expect((await app.as(at.ana)('GET', `/dataviews/${id}`)).json().project).toMatch(new RegExp(`/${project}$`))
  })
})
