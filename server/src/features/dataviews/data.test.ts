import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { giveRole, newForm, type Place, put, survey, useForm, useRecords } from '../../../test/support/data.js'
import { dataOf, newDataview } from '../../../test/support/dataviews.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
const place = useForm(app)

const ids = useRecords(app, place, () => [
  { answers: { name: 'tom', age: '21', 'visit/gps': '1 2 0 0' }, at: '2024-01-01T10:00:00.500Z', place: [1, 2] },
  {
    answers: { name: 'amy', age: '9', kids: [{ 'kids/kname': 'Bo' }, { 'kids/kage': '1' }, { 'kids/kname': 'Cy' }] },
    at: '2024-01-02T10:00:00Z',
    notes: [{ note: 'late' }],
    editedAt: '2024-02-01T00:00:00Z',
  },
  { answers: { name: 'bo', sex: 'f' }, at: '2024-01-03T10:00:00Z', by: place.ana.id, duration: 5 },
  { answers: { name: 'zoe', age: '10' }, at: '2024-01-04T10:00:00Z' },
])

type Item = readonly [column: string, filter: string, value: unknown, condition?: string]

const items = (query: readonly Item[]) =>
  query.map(([column, filter, value, condition]) => ({ column, filter, value, ...(condition && { condition }) }))

const made = (query: readonly Item[], columns: readonly string[] = ['name'], at = place) =>
  newDataview(app, at, { columns, query: items(query) })

/** Which of the records, from 1. */
const shown = async (id: number, query: Record<string, string> = {}): Promise<number[]> =>
  (await dataOf(app, place.ana, id, query)).json().map(({ _id }: { _id: number }) => ids.indexOf(_id) + 1)

describe('GET /dataviews/{pk}/data', () => {
  it('200 with the chosen columns and what every record has, null where there is none', async () => {
    const response = await dataOf(app, place.ana, await made([], ['sex', 'name']))
    expect(response.statusCode).toBe(200)
    expect(response.json()[2]).toEqual({
      sex: 'f',
      name: 'bo',
      _id: ids[2],
      _submission_time: '2024-01-03T10:00:00',
      _edited: false,
      _last_edited: null,
      _notes: [],
    })
    expect(Object.entries(response.json()[0])[0]).toEqual(['sex', null])
  })

  it('places bring _geolocation, files _attachments; a repeat is its entries, a question within it the list of its answers', async () => {
    const id = await made([], ['visit/gps', 'photo', 'kids', 'kids/kname', '_submitted_by', '_id'])
    const [first, second, third] = (await dataOf(app, place.ana, id)).json()
    expect(first).toMatchObject({ 'visit/gps': '1 2 0 0', _geolocation: [1, 2], _attachments: [], kids: null })
    expect(second).toMatchObject({ 'kids/kname': ['Bo', 'Cy'], photo: null, _edited: true, _notes: [{ note: 'late' }] })
    expect(second.kids).toHaveLength(3)
    expect(third._submitted_by).toBe(place.ana.username)
    expect((await dataOf(app, place.ana, await made([], ['path']))).json()[0]).not.toHaveProperty('_geolocation')
  })

  it.each<[Item[], number[]]>([
    [[['age', '>', '9']], [1, 4]],
    [[['age', '>', 9]], [1, 4]],
    [[['age', '<=', '10.0']], [2, 4]],
    [[['age', '<>', '21']], [2, 4]],
    [[['age', '!=', '21']], [2, 4]],
    [[['sex', '!=', 'm']], [3]],
    [[['name', '>', 'b']], [1, 3, 4]],
    [[['kids/kname', '=', 'Cy']], [2]],
    [[['kids/kname', '<>', 'Cy']], [2]],
    [[['_submission_time', '>=', '2024-01-03']], [3, 4]],
    [[['_submission_time', '=', '2024-01-01T10:00:00']], [1]],
    [[['_submission_time', '<>', '2024-01-01T10:00:00']], [2, 3, 4]],
    [[['_edited', '=', 'true']], [2]],
    [[['_edited', '<>', true]], [1, 3, 4]],
    [[['_notes', '=', 'late']], [2]],
    [[['_submitted_by', '!=', 'nobody']], [3]],
    [[['_duration', '<', '6']], [3]],
    [
      [
        ['age', '>', '9'],
        ['name', '=', 'zoe', 'and'],
      ],
      [4],
    ],
    [
      [
        ['name', '=', 'tom', 'or'],
        ['age', '<', '20'],
        ['name', '=', 'zoe', 'or'],
      ],
      [4],
    ],
    [[['name', '=', 'tom', 'or']], [1]],
    [[['name', '=', "'; drop table submissions; --"]], []],
    [[], [1, 2, 3, 4]],
  ])('%j shows %j', async (query, expected) => {
    expect(await shown(await made(query))).toEqual(expected)
  })

  it('query narrows further; sort, start, limit and pages work as in /data; count=true tells how many', async () => {
    const id = await made([['name', '>', 'b']])
    expect(await shown(id, { query: '{"age": {"$gt": "10"}}' })).toEqual([1])
    expect(await shown(id, { query: '{"name": "amy"}' })).toEqual([])
    expect(await shown(id, { sort: '{"name": -1}' })).toEqual([4, 1, 3])
    expect(await shown(id, { start: '1', limit: '1' })).toEqual([3])
    const page = await dataOf(app, place.ana, id, { page: '2', page_size: '2' })
    expect([page.json()[0]._id, page.headers.link]).toEqual([
      ids[3],
      expect.stringContaining(`/dataviews/${id}/data?page=1`),
    ])
    expect((await dataOf(app, place.ana, id, { page: '3', page_size: '2' })).statusCode).toBe(404)
    expect((await dataOf(app, place.ana, id, { count: 'true' })).json()).toEqual([{ count: 3 }])
    expect((await dataOf(app, place.ana, id, { count: 'true', query: '{"age": 10}' })).json()).toEqual([{ count: 1 }])
    expect((await dataOf(app, place.ana, id, { query: '{' })).statusCode).toBe(400)
  })

  it('follows deletion of records', async () => {
    const at = await newForm(app)
    const [first] = await put(app, at.form, { answers: { name: 'a' } }, { answers: { name: 'b' } })
    const id = await made([], ['name'], at)
    expect((await app.as(at.ana)('DELETE', `/data/${at.form.id}/${first}`)).statusCode).toBe(204)
    expect((await dataOf(app, at.ana, id)).json()).toMatchObject([{ name: 'b' }])
    expect((await app.as(at.ana)('GET', `/dataviews/${id}`)).json().count).toBe(1)
  })
})

describe('a form that was replaced', () => {
  const text = '| survey |\n| | type | name | label |\n| | text | code | Code |\n| | text | name | Name |'
  const integer = text.replace('text | code', 'integer | code')
  const without = '| survey |\n| | type | name | label |\n| | text | name | Name |'

  const replace = async ({ form }: Place, models: readonly unknown[]) => {
    const model = JSON.stringify(models.at(-1))
    await app.deps.db.run(sql`
      insert into form_versions (form_id, number, version, title, xml, hash, model, created_at, modified_at)
      values (${form.id}, 2, 'v2', '', '', '', ${model}::json, now(), now())`)
    await app.deps.db.run(sql`update forms set version_number = 2 where id = ${form.id}`)
  }
  const modelsOf = async (...versions: string[]) => (await newForm(app, { versions })).form.models

  it('what cannot be compared any more matches nothing, and is no error; in a group of `or` the others count', async () => {
    const at = await newForm(app, { versions: [text] })
    await put(app, at.form, { answers: { code: 'x', name: 'a' } }, { answers: { code: '5', name: 'b' } })
    const alone = await made([['code', '=', 'x']], ['code'], at)
    const group: Item[] = [
      ['code', '<>', 'x', 'or'],
      ['name', '=', 'a', 'or'],
    ]
    const either = await made(group, ['name'], at)
    await replace(at, await modelsOf(integer))
    expect((await dataOf(app, at.ana, alone)).json()).toEqual([])
    expect((await dataOf(app, at.ana, either)).json()).toMatchObject([{ name: 'a' }])
    for (const path of ['', '/data.csv', '/data?count=true']) {
      expect((await app.as(at.ana)('GET', `/dataviews/${alone}${path}`)).statusCode).toBe(200)
    }
    expect((await app.as(at.ana)('PATCH', `/dataviews/${alone}`, { body: { name: 'Still' } })).statusCode).toBe(200)
  })

  it('a question that it no longer asks is still a column, with the answers that are stored', async () => {
    const at = await newForm(app, { versions: [text] })
    await put(app, at.form, { answers: { code: 'x' } }, { answers: { code: 'y' } })
    const id = await made([['code', '>', 'x']], ['code'], at)
    await replace(at, await modelsOf(without))
    expect((await dataOf(app, at.ana, id)).json()).toMatchObject([{ code: 'y' }])
    expect((await app.as(at.ana)('GET', `/dataviews/${id}/data.csv`)).body).toBe('code\ny\n')
  })

  it('a name that no version knows, as if it had been stored so, shows and matches nothing', async () => {
    const at = await newForm(app, { versions: [text] })
    await put(app, at.form, { answers: { name: 'a' } })
    const id = await made([], ['name'], at)
    const hostile = JSON.stringify(['"; drop table submissions; --', 'name', '__proto__', '$[*]'])
    const query = JSON.stringify([{ column: '$."x"', filter: '>', value: '0' }])
    await app.deps.db.run(sql`update dataviews set columns = ${hostile}::jsonb where id = ${id}`)
    expect((await dataOf(app, at.ana, id)).json()[0]).toMatchObject({
      '"; drop table submissions; --': null,
      name: 'a',
    })
    for (const suffix of ['csv', 'xlsx', 'csvzip', 'kml']) {
      expect((await app.as(at.ana)('GET', `/dataviews/${id}/data.${suffix}`)).statusCode).toBe(200)
    }
    await app.deps.db.run(
      sql`update dataviews set columns = '["none of them"]', query = ${query}::jsonb where id = ${id}`,
    )
    for (const suffix of ['csv', 'xlsx']) {
      expect((await app.as(at.ana)('GET', `/dataviews/${id}/data.${suffix}`)).statusCode).toBe(200)
    }
    expect((await dataOf(app, at.ana, id)).json()).toEqual([])
    expect((await app.as(at.ana)('GET', '/dataviews')).json()).toMatchObject([{ dataviewid: id, count: 0 }])
  })
})

describe('who sees the records of a dataview', () => {
  it('one’s own for dataentry-minor; 404 for dataentry-only and strangers, 401 for anonymous callers', async () => {
    const id = await made([])
    const [minor, only, stranger] = [await app.account(), await app.account(), await app.account()]
    await giveRole(app, place.form, minor, 'dataentry-minor')
    await giveRole(app, place.form, only, 'dataentry-only')
    expect((await dataOf(app, minor, id)).body).toBe('[]')
    expect((await dataOf(app, minor, id, { count: 'true' })).json()).toEqual([{ count: 0 }])
    const missing = await dataOf(app, place.ana, 2_147_483_647)
    for (const response of [await dataOf(app, only, id), await dataOf(app, stranger, id)]) {
      expect([response.statusCode, response.body]).toEqual([404, missing.body])
    }
    expect((await dataOf(app, undefined, id)).statusCode).toBe(401)
  })

  it('anybody where form and data are public; 404 when the form is deleted', async () => {
    const open = await newForm(app, { versions: [survey], isPublic: true, isDataPublic: true })
    await put(app, open.form, { answers: { name: 'a' } })
    const id = await made([], ['name'], open)
    expect((await dataOf(app, undefined, id)).json()).toMatchObject([{ name: 'a' }])
    await app.as(open.ana)('DELETE', `/forms/${open.form.id}`)
    expect((await dataOf(app, open.ana, id)).statusCode).toBe(404)
    expect((await dataOf(app, undefined, id)).statusCode).toBe(401)
  })
})
