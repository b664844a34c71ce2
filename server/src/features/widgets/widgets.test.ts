import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { Board } from '../../../test/support/widgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let board: Board

beforeAll(async () => {
  board = await Board.open(app)
})

const required = ['This field is required.']
const stored = async () => (await app.deps.db.one<{ count: number }>(sql`select count(*) from widgets`)).count
const faultsOf = async (body: object): Promise<Record<string, string[]>> => {
  const response = await board.call('POST', '/widgets', body)
  expect(response.statusCode, response.body).toBe(400)
  return response.json()
}

describe('POST /widgets', () => {
  it('201 with every field, a key of 32 hexadecimal digits, and Location', async () => {
    const given = {
      title: 'Ages',
      description: 'How old people are',
      aggregation: 'mean',
      widget_type: 'charts',
      view_type: 'horizontal-bar',
      column: 'age',
      group_by: 'sex',
      metadata: { colours: ['red'], deep: { a: null } },
    }
    const response = await board.post(given)
    const widget = response.json()
    expect([response.statusCode, widget]).toEqual([
      201,
      {
        ...given,
        id: expect.any(Number),
        key: expect.stringMatching(/^[0-9a-f]{32}$/),
        url: `http://localhost:80/api/v1/widgets/${widget.id}`,
        content_object: board.address,
        order: 0,
        data: [],
        date_created: expect.any(String),
        date_modified: expect.any(String),
      },
    ])
    expect(response.headers.location).toBe(widget.url)
    expect((await board.get(widget.id)).json()).toEqual(widget)
  })

  it('201 with defaults for what is left out; blank and null texts stay what they are', async () => {
    expect(await board.add()).toMatchObject({
      title: null,
      description: null,
      aggregation: null,
      widget_type: 'charts',
      group_by: null,
      metadata: {},
    })
    const texts = { title: '', description: null, aggregation: '', group_by: '' }
    expect(await board.add(texts)).toMatchObject({ title: '', description: null, aggregation: '', group_by: null })
  })

  it('201 form-encoded, metadata as JSON text', async () => {
    const form = {
      content_object: board.address,
      view_type: 'pie',
      column: 'sex',
      order: '0',
      title: ' 7 ',
      metadata: '{"a":1}',
    }
    const response = await app.as(board.owner)('POST', '/widgets', { form })
    expect([response.statusCode, response.json()]).toMatchObject([
      201,
      { order: 0, title: '7', view_type: 'pie', metadata: { a: 1 } },
    ])
  })

  it.each([
    ['age', undefined],
    ['visit/height', undefined],
    ['height', undefined],
    ['fruits/apple', undefined],
    ['kage', 'kname'],
    ['_submission_time', undefined],
    ['_submitted_by', '_duration'],
    ['sex', '_submission_time'],
  ])('201 for the column %s, grouped by %s, kept as given', async (column, group_by) => {
    expect(await board.add({ column, group_by })).toMatchObject({ column, group_by: group_by ?? null })
  })

  it.each([
    'https://elsewhere.example.org/api/v1/forms/{id}',
    'http://localhost:80/api/v1/forms/{id}/',
    'http://localhost:80/api/v1/forms/{id}.json',
    '/api/v1/forms/{id}',
  ])('201 for the form at %s, which is shown at its own address', async (address) => {
    const content_object = address.replace('{id}', String(board.form.id))
    expect((await board.add({ content_object })).content_object).toBe(board.address)
  })

  it('400 names all that is missing or wrong at once, and nothing is stored', async () => {
    const before = await stored()
    expect(await faultsOf({})).toEqual({ content_object: required, view_type: required, column: required })
    const wrong = {
      content_object: board.address,
      title: 'x'.repeat(256),
      description: ['list'],
      aggregation: 'x'.repeat(256),
      order: -1,
      widget_type: 'table',
      view_type: 'x'.repeat(51),
      column: 'doesnotexists',
      group_by: 'neither',
      metadata: [1],
    }
    expect(await faultsOf(wrong)).toEqual({
      title: ['Ensure this field has no more than 255 characters.'],
      description: ['Not a valid string.'],
      aggregation: ['Ensure this field has no more than 255 characters.'],
      order: ['Ensure this value is greater than or equal to 0.'],
      widget_type: ['"table" is not a valid choice.'],
      view_type: ['Ensure this field has no more than 50 characters.'],
      column: ["'doesnotexists' not in the form."],
      group_by: ["'neither' not in the form."],
      metadata: ['Expected an object.'],
    })
    const blank = ['This field may not be blank.']
    expect(await faultsOf({ content_object: '', view_type: '', column: '', widget_type: '' })).toEqual({
      content_object: blank,
      view_type: blank,
      column: blank,
      widget_type: blank,
    })
    expect(await faultsOf({ content_object: 7, view_type: [], column: {}, order: 'first', metadata: '{' })).toEqual({
      content_object: ['`7` is not a valid relation.'],
      view_type: ['Not a valid string.'],
      column: ['Not a valid string.'],
      order: ['A valid integer is required.'],
      metadata: [expect.stringContaining('JSON')],
    })
    expect(await stored()).toBe(before)
  })

  it.each([
    'http://x',
    'http://localhost:80/api/v1/projects/1',
    'http://localhost:80/api/v1/forms/',
    'http://localhost:80/api/v1/forms/999999999',
    'http://localhost:80/api/v1/forms/99999999999999',
    'http://localhost:80/api/v1/forms/-1',
    'http://localhost:80/api/v1/forms/1?x=/api/v1/forms/x',
  ])('400 for the content_object %s', async (content_object) => {
    expect(await faultsOf(board.body({ content_object }))).toEqual({
      content_object: [`\`${content_object}\` is not a valid relation.`],
    })
  })

  it('400 for group_by that is the column, by whatever name; for a note; for a choice that is none', async () => {
    expect(await faultsOf(board.body({ column: 'age', group_by: 'age' }))).toEqual({
      group_by: ["'age' is the column already. The field group_by must differ from column."],
    })
    expect(Object.keys(await faultsOf(board.body({ column: 'height', group_by: 'visit/height' })))).toEqual([
      'group_by',
    ])
    expect(await faultsOf(board.body({ column: 'thanks' }))).toEqual({ column: ["'thanks' not in the form."] })
    expect(await faultsOf(board.body({ column: 'fruits/pear' }))).toEqual({
      column: ["'fruits/pear' not in the form."],
    })
    expect(await faultsOf(board.body({ column: 'sex/f' }))).toEqual({ column: ["'sex/f' not in the form."] })
  })

  it('400 for a group that every entry of a repeat has, where the column has one value a record', async () => {
    expect(await faultsOf(board.body({ column: 'sex', group_by: 'kname' }))).toEqual({
      group_by: ["'kids/kname' is asked for every entry of 'kids', and 'sex' is not. Group by a column outside of it."],
    })
    expect((await board.post({ column: 'kname', group_by: 'sex' })).statusCode).toBe(201)
  })

  it('400 for the hundred and first of a form', async () => {
    const full = await board.beside()
    await app.deps.db.run(sql`
      insert into widgets (key, form_id, position, widget_type, view_type, column_name, created_at, modified_at)
      select 'full' || place, ${full.form.id}, place, 'charts', 'pie', 'age', now(), now()
      from generate_series(0, 99) place`)
    expect((await full.post()).json()).toEqual({
      content_object: ['A form or dataview has at most 100 widgets. Delete one that is not needed any more.'],
    })
  })
})

describe('PUT /widgets/{pk}', () => {
  it('200 takes the body for the whole; the key, the place and the id stay', async () => {
    const own = await board.beside()
    await own.add()
    const widget = await own.add({ title: 'Before', group_by: 'sex', metadata: { a: 1 } })
    const response = await own.call('PUT', `/widgets/${widget.id}`, own.body({ column: 'sex', view_type: 'pie' }))
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        ...widget,
        title: null,
        group_by: null,
        metadata: {},
        column: 'sex',
        view_type: 'pie',
        date_modified: expect.any(String),
      },
    ])
    expect((await own.get(widget.id)).json()).toEqual(response.json())
  })

  it('400 without what a widget must have, and nothing changes', async () => {
    const widget = await board.add({ title: 'Whole' })
    const response = await board.call('PUT', `/widgets/${widget.id}`, { title: 'Half', column: 'nope' })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { content_object: required, view_type: required, column: ["'nope' not in the form."] },
    ])
    const elsewhere = { content_object: 'http://x', view_type: 'pie', column: 'nope' }
    expect((await board.call('PUT', `/widgets/${widget.id}`, elsewhere)).json()).toEqual({
      content_object: ['`http://x` is not a valid relation.'],
    })
    expect((await board.get(widget.id)).json()).toEqual(widget)
  })
})

describe('PATCH /widgets/{pk}', () => {
  it('200 changes what is given, and nothing else; id, key, url and data are not taken', async () => {
    const widget = await board.add({ title: 'Ages', group_by: 'sex', metadata: { a: 1 } })
    const response = await board.patch(widget.id, { title: 'Years', id: 1, key: 'mine', url: 'x', data: [1] })
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { ...widget, title: 'Years', date_modified: expect.any(String) },
    ])
    expect((await board.patch(widget.id, { group_by: null })).json().group_by).toBe(null)
    expect((await board.patch(widget.id, { group_by: 'name' })).json().group_by).toBe('name')
    expect((await board.patch(widget.id, {})).json()).toMatchObject({ title: 'Years', group_by: 'name' })
  })

  it('400 checks a column alone against the form that the widget has, and against its group_by', async () => {
    const widget = await board.add({ group_by: 'sex' })
    expect((await board.patch(widget.id, { column: 'nope' })).json()).toEqual({ column: ["'nope' not in the form."] })
    expect(Object.keys((await board.patch(widget.id, { column: 'sex' })).json())).toEqual(['group_by'])
    expect((await board.patch(widget.id, { view_type: null, order: -3 })).json()).toEqual({
      view_type: ['This field may not be null.'],
      order: ['Ensure this value is greater than or equal to 0.'],
    })
    expect((await board.get(widget.id)).json()).toEqual(widget)
  })

  it('200 moves it to another form, last there, if that has its columns', async () => {
    const from = await board.beside()
    const to = await board.beside()
    await to.add({ title: 'there' })
    const widget = await from.add({ title: 'moving' })
    await from.add({ title: 'staying' })
    const moved = await board.patch(widget.id, { content_object: to.address })
    expect([moved.statusCode, moved.json()]).toMatchObject([200, { order: 1, content_object: to.address }])
    expect([await from.titles(), await to.titles()]).toEqual([['staying'], ['there', 'moving']])
    const first = await board.patch(widget.id, { content_object: from.address, order: 0 })
    expect(first.json()).toMatchObject({ order: 0, key: widget.key })
    expect([await from.titles(), await to.titles()]).toEqual([['moving', 'staying'], ['there']])
    const other = await board.beside({
      versions: ['| survey |\n| | type | name | label |\n| | text | word | Word |'],
    })
    expect((await board.patch(widget.id, { content_object: other.address })).json()).toEqual({
      column: ["'age' not in the form."],
    })
    expect(await from.titles()).toEqual(['moving', 'staying'])
  })
})

describe('DELETE /widgets/{pk}', () => {
  it('204, then 404', async () => {
    const widget = await board.add()
    expect((await board.call('DELETE', `/widgets/${widget.id}`)).statusCode).toBe(204)
    for (const method of ['GET', 'DELETE'] as const)
      expect((await board.call(method, `/widgets/${widget.id}`)).statusCode).toBe(404)
    expect((await board.patch(widget.id, { title: 'x' })).statusCode).toBe(404)
    expect((await app.call('GET', `/widgets?key=${widget.key}`)).statusCode).toBe(404)
  })
})
