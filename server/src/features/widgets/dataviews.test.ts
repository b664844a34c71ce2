import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { Board } from '../../../test/support/widgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let board: Board
let made = 0

const newDataview = async (on: Board, fields: object = {}): Promise<number> => {
  const body = {
    name: `Dataview ${++made}`,
    xform: on.address,
    project: `http://localhost:80/api/v1/projects/${on.projectId}`,
    columns: ['name', 'age', 'sex', 'fruits'],
    ...fields,
  }
  const response = await on.call('POST', '/dataviews', body)
  if (response.statusCode !== 201) throw new Error(`The dataview was not made: ${response.body}`)
  return response.json().dataviewid
}

const at = (id: number) => ({ content_object: `http://localhost:80/api/v1/dataviews/${id}` })

let ben: Account

beforeAll(async () => {
  board = await Board.open(app)
  ben = await board.person('dataentry-minor')
  await board.put(
    { answers: { name: 'Tom', age: '9', sex: 'm', 'visit/height': '1' } },
    { answers: { name: 'Ann', age: '21', sex: 'f', fruits: 'apple' }, by: ben.id },
    { answers: { name: 'Eve', age: '30', sex: 'f' } },
  )
})

describe('a widget of a dataview', () => {
  it('201 at its address; it counts what the dataview shows, and nothing else', async () => {
    const id = await newDataview(board, { query: [{ column: 'age', filter: '>', value: '20' }] })
    const widget = await board.add({ ...at(id), column: 'sex' })
    expect(widget.content_object).toBe(at(id).content_object)
    expect(await board.data(widget.id)).toEqual([{ count: 2, sex: 'f' }])
    expect(await board.data(widget.id, ben)).toEqual([{ count: 1, sex: 'f' }])
    const grouped = await board.add({ ...at(id), column: 'age', group_by: 'sex' })
    expect(await board.data(grouped.id)).toEqual([{ sex: ['Female'], count: 2, sum: 51, mean: 25.5 }])
    const listed = await board.list(`?dataview=${id}`)
    expect(listed.map(({ data }) => data.length)).toEqual([1, 1])
    const byKey = await app.call('GET', `/widgets?key=${widget.key}`)
    expect(byKey.json()).toMatchObject([{ id: widget.id, data: [{ count: 2, sex: 'f' }] }])
  })

  it('400 for a column that the dataview does not show', async () => {
    const id = await newDataview(board)
    const faults = async (fields: object) => (await board.post({ ...at(id), ...fields })).json()
    expect(await faults({ column: 'height', group_by: '_duration' })).toEqual({
      column: ["'height' not in the dataview."],
      group_by: ["'_duration' not in the dataview."],
    })
    expect(await faults({ column: 'nope' })).toEqual({ column: ["'nope' not in the dataview."] })
    for (const column of ['_submission_time', 'fruits/apple'])
      expect((await board.post({ ...at(id), column })).statusCode).toBe(201)
    const kids = await newDataview(board, { columns: ['kids', '_submitted_by'] })
    for (const column of ['kname', '_submitted_by'])
      expect((await board.post({ ...at(kids), column })).statusCode).toBe(201)
  })

  it('has an order of its own, beside those of the form and of other dataviews', async () => {
    const own = await board.beside()
    const [one, two] = [await newDataview(own), await newDataview(own)]
    for (const [place, title] of [
      [{}, 'form'],
      [at(one), 'a'],
      [at(two), 'x'],
      [at(one), 'b'],
    ] as const)
      await own.add({ ...place, title })
    expect(await own.titles(`?dataview=${one}`)).toEqual(['a', 'b'])
    expect(await own.titles(`?dataview=${two}`)).toEqual(['x'])
    expect(await own.titles()).toEqual(['form'])
    const [first] = await own.list(`?dataview=${one}`)
    await own.patch(first?.id ?? 0, { ...at(two), order: 0 })
    expect([await own.titles(`?dataview=${one}`), await own.titles(`?dataview=${two}`)]).toEqual([['b'], ['a', 'x']])
    await own.patch(first?.id ?? 0, { content_object: own.address })
    expect([await own.titles(`?dataview=${two}`), await own.titles()]).toEqual([['x'], ['form', 'a']])
    expect((await own.list('')).map(({ title }) => title).slice(-4)).toEqual(['form', 'a', 'b', 'x'])
  })

  it('stays whole when many are made and moved between a form and its dataviews at once', async () => {
    const own = await board.beside()
    const places = [{ content_object: own.address }, at(await newDataview(own)), at(await newDataview(own))]
    const ids: number[] = []
    for (let number = 0; number < 9; number++) ids.push((await own.add(places[number % 3])).id)
    const calls = ids.flatMap((id, number) => [
      own.patch(id, { ...places[(number + 1) % 3], order: number % 3 }),
      own.post({ ...places[number % 3], order: 0 }),
      own.patch(id, { order: 1 }),
    ])
    const statuses = (await Promise.all(calls)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([])
    const queries = [
      `?xform=${own.form.id}`,
      ...places.slice(1).map((place) => `?dataview=${place.content_object.split('/').at(-1)}`),
    ]
    const counts = []
    for (const query of queries) counts.push((await own.titles(query)).length)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(18)
  })

  it('404 once the dataview is deleted, also by key; the others stay', async () => {
    const id = await newDataview(board)
    const { id: widgetId, key } = await board.add(at(id))
    expect((await board.call('DELETE', `/dataviews/${id}`)).statusCode).toBe(204)
    expect((await board.get(widgetId)).statusCode).toBe(404)
    expect((await board.patch(widgetId, {})).statusCode).toBe(404)
    expect((await app.call('GET', `/widgets?key=${key}`)).statusCode).toBe(404)
    expect((await board.call('GET', `/widgets?dataview=${id}`)).statusCode).toBe(404)
    expect((await board.post(at(id))).json()).toEqual({
      content_object: [`\`${at(id).content_object}\` is not a valid relation.`],
    })
    expect((await board.list('')).map((one) => one.id)).not.toContain(widgetId)
  })

  it('shows nothing once the dataview has lost its column', async () => {
    const id = await newDataview(board)
    const widget = await board.add({ ...at(id), column: 'age' })
    expect(await board.data(widget.id)).toHaveLength(3)
    await board.call('PATCH', `/dataviews/${id}`, { columns: ['name'] })
    expect(await board.data(widget.id)).toEqual([])
  })

  it('is missing for a stranger, and its dataview too; anonymous callers see it where the data are public', async () => {
    const stranger = await app.account()
    const id = await newDataview(board)
    const widget = await board.add(at(id))
    expect((await board.get(widget.id, '', stranger)).statusCode).toBe(404)
    expect((await board.call('GET', `/widgets?dataview=${id}`, undefined, stranger)).statusCode).toBe(404)
    expect((await board.post(at(id), stranger)).json()).toEqual({
      content_object: [`\`${at(id).content_object}\` is not a valid relation.`],
    })
    expect((await app.call('GET', `/widgets?dataview=${id}`)).statusCode).toBe(401)
    const open = await board.beside({ isPublic: true, isDataPublic: true })
    const public_ = await newDataview(open)
    await open.add(at(public_))
    expect((await app.call('GET', `/widgets?dataview=${public_}`)).json()).toHaveLength(1)
    expect((await open.post(at(public_), stranger)).json()).toEqual({
      content_object: ["You don't have permission to the Project."],
    })
  })

  it('400 for a dataview that is deleted while the widget comes: it would be hidden with it, and lost', async () => {
    const id = await newDataview(board)
    const { id: moved } = await board.add({ title: 'stays' })
    const { db } = app.deps
    const answers = await db.transaction(async (tx) => {
      await tx.run(sql`select 1 from forms where id = ${board.form.id} for update`)
      const sent = [board.post(at(id)), board.patch(moved, at(id))]
      const waiting = sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await vi.waitFor(async () => expect(await db.rows(waiting)).toHaveLength(2), 10_000)
      await tx.run(sql`update dataviews set deleted_at = now() where id = ${id}`)
      return sent
    })
    for (const answer of await Promise.all(answers)) {
      const fault = `\`${at(id).content_object}\` is not a valid relation.`
      expect([answer.statusCode, answer.json()]).toEqual([400, { content_object: [fault] }])
    }
    expect((await board.get(moved)).json()).toMatchObject({ title: 'stays', content_object: board.address })
  })

  it('with xform and dataview: those of the dataview, if it is of the form', async () => {
    const id = await newDataview(board)
    await board.add(at(id))
    expect(await board.list(`?dataview=${id}&xform=${board.form.id}`)).toHaveLength(1)
    const other = await board.beside()
    expect((await board.call('GET', `/widgets?dataview=${id}&xform=${other.form.id}`)).statusCode).toBe(404)
  })
})
