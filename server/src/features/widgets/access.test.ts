import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { share } from '../../../test/support/projects.js'
import { Board, type WidgetBody } from '../../../test/support/widgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let board: Board
let stranger: Account
let widget: WidgetBody

beforeAll(async () => {
  board = await Board.open(app)
  stranger = await app.account()
  widget = await board.add({ title: 'Seen' })
})

const nobody = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  app.call(method, path, body === undefined ? {} : { body })

/** Sees the widget, makes one, changes it, deletes it. */
const tried = async (by: Account) => {
  const made = await board.post({ title: 'Made' }, by)
  const own = made.statusCode === 201 ? made.json().id : widget.id
  return [
    (await board.get(widget.id, '', by)).statusCode,
    made.statusCode,
    (await board.patch(widget.id, { title: 'Seen' }, by)).statusCode,
    (await board.call('PUT', `/widgets/${widget.id}`, board.body({ title: 'Seen' }), by)).statusCode,
    (await board.call('DELETE', `/widgets/${own}`, undefined, by)).statusCode,
  ]
}

const reads = [200, 403, 403, 403, 403]
const writes = [200, 201, 200, 200, 204]

const matrix = [
  ['readonly-no-download', reads],
  ['readonly', reads],
  ['dataentry-only', reads],
  ['dataentry-minor', reads],
  ['dataentry', reads],
  ['editor-minor', writes],
  ['editor', writes],
  ['manager', writes],
  ['owner', writes],
] as const

describe('a role', () => {
  it.each(matrix)('%s on the form answers %j to reading, making, PATCH, PUT and DELETE', async (role, statuses) => {
    expect(await tried(await board.person(role))).toEqual(statuses)
  })

  it.each(matrix)('%s on the project answers %j too', async (role, statuses) => {
    const person = await app.account()
    const shared = await share(app, board.owner, board.projectId, person.username, role)
    expect([shared.statusCode, await tried(person)]).toEqual([204, statuses])
  })

  it('lists the widgets of its forms, and of no others', async () => {
    const person = await board.person('dataentry-only')
    const ids = (await board.list('', person)).map(({ id }) => id)
    expect(ids).toContain(widget.id)
    expect(await board.list('', stranger)).toEqual([])
  })
})

describe('a stranger', () => {
  it('404 for every method on a hidden widget, exactly as for a missing one', async () => {
    for (const [method, body] of [['GET'], ['PUT', {}], ['PATCH', {}], ['DELETE']] as const) {
      const hidden = await board.call(method, `/widgets/${widget.id}`, body, stranger)
      const missing = await board.call(method, '/widgets/999999999', body, stranger)
      expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    }
    expect(await board.list('', stranger)).not.toContainEqual(expect.objectContaining({ id: widget.id }))
  })

  it('400 for a widget of a hidden form, exactly as for a missing one', async () => {
    const response = await board.post({}, stranger)
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { content_object: [`\`${board.address}\` is not a valid relation.`] },
    ])
  })

  it('400 for a widget of a form that is public, on whose project they are not', async () => {
    const open = await board.beside({ isPublic: true, isDataPublic: true })
    const response = await open.post({}, stranger)
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { content_object: ["You don't have permission to the Project."] },
    ])
  })

  it('sees the widgets of public data, and may not change them; of a public form alone they see none', async () => {
    const open = await board.beside({ isDataPublic: true })
    const seen = await open.add()
    expect((await open.list(undefined, stranger)).map(({ id }) => id)).toEqual([seen.id])
    expect((await open.get(seen.id, '', stranger)).statusCode).toBe(200)
    expect((await open.patch(seen.id, {}, stranger)).statusCode).toBe(403)
    expect(await open.list('', stranger)).toEqual([])
    const shown = await board.beside({ isPublic: true })
    const hidden = await shown.add()
    expect(await shown.list(undefined, stranger)).toEqual([])
    expect((await shown.get(hidden.id, '', stranger)).statusCode).toBe(404)
  })

  it('cannot move a widget of theirs to a form of another, nor one of another to theirs', async () => {
    const own = await Board.open(app)
    const mine = await own.add()
    expect((await own.patch(mine.id, { content_object: board.address })).json()).toEqual({
      content_object: [`\`${board.address}\` is not a valid relation.`],
    })
    expect((await own.patch(widget.id, { content_object: own.address })).statusCode).toBe(404)
    const reader = await board.person('readonly')
    await app.deps.db.run(sql`
      insert into form_roles (form_id, user_id, role, created_at)
      values (${own.form.id}, ${reader.id}, 'editor', now())`)
    expect((await own.patch(mine.id, { content_object: board.address }, reader)).statusCode).toBe(403)
    expect((await own.get(mine.id)).json()).toEqual(mine)
  })
})

describe('nobody', () => {
  it('401 for one widget and for every write, also with its key', async () => {
    for (const query of ['', `?key=${widget.key}`]) {
      for (const [method, body] of [['GET'], ['PUT', {}], ['PATCH', {}], ['DELETE']] as const) {
        const response = await nobody(method, `/widgets/${widget.id}${query}`, body)
        expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, expect.any(String)])
      }
      expect((await nobody('POST', `/widgets${query}`, board.body())).statusCode).toBe(401)
    }
  })

  it('200 [] without a filter and for a public form that hides its data, 401 for a hidden one; its widgets where the data are public', async () => {
    expect((await nobody('GET', '/widgets')).json()).toEqual([])
    expect((await nobody('GET', `/widgets?xform=${board.form.id}`)).statusCode).toBe(401)
    const open = await board.beside({ isDataPublic: true })
    const { id } = await open.add()
    expect((await nobody('GET', `/widgets?xform=${open.form.id}`)).json()).toMatchObject([{ id }])
    const shown = await board.beside({ isPublic: true })
    await shown.add()
    expect((await nobody('GET', `/widgets?xform=${shown.form.id}`)).json()).toEqual([])
  })

  it('200 with the one widget by its key, in a list; 404 for every other key, in the same words', async () => {
    const response = await nobody('GET', `/widgets?key=${widget.key}`)
    expect([response.statusCode, response.json()]).toMatchObject([200, [{ id: widget.id, key: widget.key }]])
    const others = ['0'.repeat(32), widget.key.toUpperCase(), widget.key.slice(1), `${widget.key}0`, '%25', "' or 1=1"]
    for (const key of others) {
      const refused = await nobody('GET', `/widgets?key=${encodeURIComponent(key)}`)
      expect([refused.statusCode, refused.body]).toEqual([404, '{"detail":"Not found."}'])
    }
  })

  it('200 by key whatever else the caller is or is not; 404 when a filter beside it does not hold', async () => {
    expect((await board.list(`?key=${widget.key}`, stranger)).map(({ id }) => id)).toEqual([widget.id])
    expect((await nobody('GET', `/widgets?key=${widget.key}&xform=${board.form.id}`)).json()).toHaveLength(1)
    expect((await nobody('GET', `/widgets?key=${widget.key}&xform=999999999`)).statusCode).toBe(404)
  })
})

describe('filters', () => {
  it.each(['abc', '-1', '0', '1.5', '1;drop table widgets'])('400 for xform=%s', async (xform) => {
    const response = await app.as(board.owner)('GET', '/widgets', { query: { xform } })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { detail: 'Invalid value for formid. It must be a positive integer.' },
    ])
  })

  it('400 for a dataview that is no number; 404 for a form and a dataview that are not there', async () => {
    const response = await board.call('GET', '/widgets?dataview=so_invalid')
    expect([response.statusCode, response.json()]).toEqual([400, { detail: 'Invalid value for dataview so_invalid.' }])
    for (const query of ['xform=999999999', 'xform=99999999999', 'dataview=999999999', 'dataview=99999999999'])
      expect((await board.call('GET', `/widgets?${query}`)).statusCode, query).toBe(404)
  })

  it('without one, pages of all widgets of the caller, form by form in their order', async () => {
    const own = await Board.open(app)
    const second = await own.beside()
    for (const [one, title] of [
      [second, 'c'],
      [own, 'a'],
      [own, 'b'],
    ] as const)
      await one.add({ title })
    expect((await own.list('')).map(({ title }) => title)).toEqual(['a', 'b', 'c'])
    const page = await own.call('GET', '/widgets?page=2&page_size=2')
    expect(page.json()).toMatchObject([{ title: 'c' }])
    expect(page.headers.link).toContain('rel="prev"')
    expect((await own.call('GET', '/widgets?page=3&page_size=2')).statusCode).toBe(404)
  })

  it('a trailing slash and .json say the same', async () => {
    const { id } = await board.add()
    const plain = (await board.get(id)).json()
    for (const path of [`/widgets/${id}/`, `/widgets/${id}.json`])
      expect((await board.call('GET', path)).json()).toEqual(plain)
    const list = (await board.call('GET', '/widgets')).json()
    for (const path of ['/widgets/', '/widgets.json']) expect((await board.call('GET', path)).json()).toEqual(list)
    for (const pk of ['abc', '0', '-1', '99999999999', '1e3'])
      expect((await board.call('GET', `/widgets/${pk}`)).statusCode, pk).toBe(404)
  })
})

describe('what is gone', () => {
  it('404 for widgets of a deleted form, also by key, and none in lists', async () => {
    const gone = await board.beside()
    const { id, key } = await gone.add()
    expect((await board.call('DELETE', `/forms/${gone.form.id}`)).statusCode).toBe(204)
    expect((await gone.get(id)).statusCode).toBe(404)
    expect((await nobody('GET', `/widgets?key=${key}`)).statusCode).toBe(404)
    expect((await board.call('GET', `/widgets?xform=${gone.form.id}`)).statusCode).toBe(404)
    expect((await board.list('')).map((one) => one.id)).not.toContain(id)
    expect((await gone.patch(id, {})).statusCode).toBe(404)
  })

  it('404 by key where the account of the form is not active', async () => {
    const gone = await Board.open(app)
    const { key } = await gone.add()
    await app.deps.db.run(sql`update users set is_active = false where id = ${gone.owner.id}`)
    expect((await nobody('GET', `/widgets?key=${key}`)).statusCode).toBe(404)
  })

  it('stays where the form is moved; a clone begins without', async () => {
    const moving = await board.beside()
    const { id } = await moving.add()
    const elsewhere = await app.as(board.owner)('POST', '/projects', { body: { name: 'Elsewhere' } })
    const moved = await board.call('PATCH', `/forms/${moving.form.id}`, { project: elsewhere.json().url })
    expect(moved.statusCode, moved.body).toBe(200)
    expect((await moving.list()).map((one) => one.id)).toEqual([id])
    const cloned = await board.call('POST', `/forms/${moving.form.id}/clone`, { username: board.owner.username })
    expect(cloned.statusCode, cloned.body).toBe(201)
    expect(await board.list(`?xform=${cloned.json().formid}`)).toEqual([])
  })
})
