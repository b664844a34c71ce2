import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { newForm, put } from '../../../test/support/data.js'
import { Board } from '../../../test/support/widgets.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let board: Board

beforeAll(async () => {
  board = await Board.open(app)
})

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const raw = (body: string) =>
  app.as(board.owner)('POST', '/widgets', { body, headers: { 'content-type': 'application/json' } })
const withMetadata = (metadata: string) =>
  raw(JSON.stringify(board.body({ metadata: 0 })).replace('"metadata":0', `"metadata":${metadata}`))

describe('hostile input', () => {
  it.each([
    ["age'; drop table widgets; --"],
    ['age" or 1=1'],
    ['$.age'],
    ['../age'],
    ['%'],
    ['age\u200b/..'],
    ['constructor'],
    ['__proto__'],
    ['_submission_time/x'],
    ['/'],
    ['fruits/'],
    ['/apple'],
    ['x'.repeat(1000)],
    ['/'.repeat(1000)],
  ])('400 for the column and the group %j', async (text) => {
    const response = await board.post({ column: text, group_by: text })
    expect(response.statusCode, response.body).toBe(400)
    expect(Object.keys(response.json())).toEqual(['column', 'group_by'])
  })

  it('400 for texts that cannot be stored and for columns beyond all measure', async () => {
    expect((await board.post({ column: 'a\0b', title: '\ud800', group_by: 'x'.repeat(1001) })).json()).toEqual({
      title: ['Surrogate characters are not allowed.'],
      column: ['Null characters are not allowed.'],
      group_by: ['Ensure this field has no more than 1000 characters.'],
    })
  })

  it('201 for metadata up to its bound; 400 beyond it and for depth without end; 413 for a megabyte', async () => {
    expect((await withMetadata(`{"a":"${'x'.repeat(9000)}"}`)).statusCode).toBe(201)
    expect((await withMetadata(deep(60))).statusCode).toBe(201)
    expect((await withMetadata(`{"a":"${'x'.repeat(10_000)}"}`)).json()).toEqual({
      metadata: ['Ensure this field has no more than 10000 characters as JSON.'],
    })
    for (const levels of [70, 100_000]) expect((await withMetadata(deep(levels))).statusCode).toBe(400)
    expect((await withMetadata(`{"a":"${'x'.repeat(1_100_000)}"}`)).statusCode).toBe(413)
    expect((await withMetadata('{"a":"\\u0000"}')).statusCode).toBe(400)
  })

  it('400 for a body that is no object', async () => {
    for (const body of ['[]', '7', '"x"', '{', '[{}]']) expect((await raw(body)).statusCode, body).toBe(400)
    const widget = await board.add()
    for (const method of ['PUT', 'PATCH'] as const)
      expect((await app.as(board.owner)(method, `/widgets/${widget.id}`, { body: [1] })).statusCode).toBe(400)
  })

  it('keeps markup and formulas as they are, and sends them as JSON', async () => {
    const title = '<script>alert(1)</script>'
    const response = await board.get((await board.add({ title, metadata: { a: '=1+1' } })).id)
    expect(response.headers['content-type']).toContain('application/json')
    expect(response.json()).toMatchObject({ title, metadata: { a: '=1+1' } })
  })

  it('never logs a key', async () => {
    const { key } = await board.add()
    await app.call('GET', `/widgets?key=${key}`)
    expect(app.logged.filter((line) => line.includes(key))).toEqual([])
  })

  it('leaves out the rarest of very many values, and answers', async () => {
    const own = await board.beside()
    await app.deps.db.run(sql`
      insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
        modified_at, change_no, media_total, media_count, attachments, notes, tags)
      select ${own.form.id}, nextval('submission_ids'), gen_random_uuid()::text, '',
        jsonb_build_object('name', 'name ' || place / 2), 'v1', 1, 'data', '', now(), now(), 1, 0, 0,
        '[]', '[]', '{}'
      from generate_series(1, 40000) place`)
    const { id } = await own.add({ column: 'name' })
    expect(await own.data(id)).toHaveLength(10_000)
    // Widgets that ask for the same are counted once, and shown as often as they are.
    for (let more = 0; more < 4; more++) await own.add({ column: 'name' })
    const rowsOfAll = async (widgets: number) => {
      const all = (await app.as(own.owner)('GET', `/widgets?xform=${own.form.id}`)).json()
      expect(all).toHaveLength(widgets)
      return all.reduce((sum: number, { data }: { data: unknown[] }) => sum + data.length, 0)
    }
    expect(await rowsOfAll(5)).toBeLessThanOrEqual(10_000)
    await own.add({ column: 'age' })
    expect(await rowsOfAll(6)).toBeLessThanOrEqual(20_000)
  })

  it('leaves out groups whose labels do not fit into budgets.charts.labelCharacters', async () => {
    const letters = [...'abcdefghij']
    const label = (letter: string) => letter.repeat(60_000)
    const survey = `| survey |
| | type | name | label |
| | text | name | Name |
| | select_multiple l | several | Several |
| choices |
| | list_name | name | label |
${letters.map((letter) => `| | l | ${letter} | ${label(letter)} |`).join('\n')}`
    const { ana, form } = await newForm(app, { versions: [survey] })
    const records = Array.from({ length: 300 }, (_, at) => ({
      answers: { name: `n${at % 3}`, several: letters.filter((_, bit) => ((at + 1) >> bit) & 1).join(' ') },
    }))
    await put(app, form, ...records)
    const body = {
      ...board.body({ column: 'name', group_by: 'several' }),
      content_object: `http://x/api/v1/forms/${form.id}`,
    }
    const made = await app.as(ana)('POST', '/widgets', { body })
    expect(made.statusCode, made.body).toBe(201)
    const shown = await app.as(ana)('GET', `/widgets/${made.json().id}?data=true`)
    expect(shown.statusCode).toBe(200)
    expect(shown.json().data).toHaveLength(3)
    expect(shown.body.length).toBeLessThan(budgets.charts.labelCharacters * 1.1)
  })
})
