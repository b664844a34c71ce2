import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { giveRole, newList, put, useForm } from '../../../../test/support/data.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()

const totalIn = ({ headers }: { headers: Record<string, unknown> }) => headers['x-total-count']

describe('X-Total-Count of /data/{pk}', () => {
  it('how many the whole list has: of a page, of a list in one answer, of a filter, in every list format', async () => {
    const { list } = await newList(app)
    for (const [query, suffix, total] of [
      [{}, '', '4'],
      [{ page: '2', page_size: '2' }, '', '4'],
      [{ page_size: '1', query: '{"age":{"$gt":"9"}}' }, '', '2'],
      [{ query: '{"name":"nobody"}' }, '', '0'],
      [{ tags: 'b', page_size: '1' }, '', '2'],
      [{ sort: 'name', page_size: '3' }, '', '4'],
      [{ page_size: '1' }, '.xml', '4'],
      [{ page_size: '1' }, '.geojson', '4'],
      [{ start: '1', limit: '1' }, '', '4'],
    ] as const) {
      expect([query, suffix, totalIn(await list(query, suffix))]).toEqual([query, suffix, total])
    }
  })

  it('is not there where it would be counted for a range alone, nor in files', async () => {
    const { list } = await newList(app)
    expect(totalIn(await list({ start: '0', limit: '1', query: '{"name":"tom"}' }))).toBeUndefined()
    expect(totalIn(await list({}, '.csv'))).toBeUndefined()
  })

  it('is of what the caller sees', async () => {
    const { form } = await newList(app)
    const minor = await app.account()
    await giveRole(app, form, minor, 'dataentry-minor')
    await put(app, form, { by: minor.id })
    const own = await app.as(minor)('GET', `/data/${form.id}`)
    expect([totalIn(own), own.json().length]).toEqual(['1', 1])
  })

  it('other lists with pages have it too, and pages of any origin read it', async () => {
    const { ana, form } = await newList(app)
    const paths = [
      '/projects',
      '/forms',
      `/messaging?target_type=xform&target_id=${form.id}`,
      '/data',
      `/data/${form.id}?deleted=true`,
    ]
    for (const path of paths)
      expect([path, totalIn(await app.as(ana)('GET', path))]).toEqual([path, expect.stringMatching(/^\d+$/)])
    const answer = await app.as(ana)('GET', `/data/${form.id}`)
    expect(answer.headers['access-control-expose-headers']).toContain('X-Total-Count, X-Total-Count-Exact')
  })
})

describe('GET /data/{pk}?count=true', () => {
  it('200 with how many match, whatever page is asked for', async () => {
    const { list } = await newList(app)
    const counted = await list({ count: 'true', query: '{"age":{"$gt":"9"}}', page: '7', page_size: '1', start: '3' })
    expect([counted.json(), totalIn(counted)]).toEqual([[{ count: 2 }], '2'])
    expect((await list({ count: 'True' })).json()).toEqual([{ count: 4 }])
    expect((await list({ count: 'true', date_created__gte: '2024-01-03' })).json()).toEqual([{ count: 2 }])
    expect((await list({ count: 'false' })).json()).toHaveLength(4)
  })

  it('400 for what is no boolean, for a query that is none, beside a cursor and beside deleted', async () => {
    const { list } = await newList(app)
    expect((await list({ count: 'maybe' })).json()).toEqual({ count: ['Must be a valid boolean.'] })
    expect((await list({ count: 'true', query: '{' })).statusCode).toBe(400)
    for (const other of ['changed_since', 'deleted']) {
      const refused = await list({ count: 'true', [other]: other === 'deleted' ? 'true' : '0' })
      expect([refused.statusCode, refused.json().detail]).toEqual([400, expect.stringContaining('count')])
    }
  })

  it('404 for a stranger, exactly as for a form that is not there', async () => {
    const { form } = await newList(app)
    const stranger = await app.account()
    const hidden = await app.as(stranger)('GET', `/data/${form.id}?count=true`)
    const missing = await app.as(stranger)('GET', '/data/2147483647?count=true')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })
})

describe('a form of more than budgets.counts.records', () => {
  const records = budgets.counts.records + 5000

  const place = useForm(app)

  beforeAll(async () => {
    await app.deps.db.run(sql`
      with stored as (
        insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
          submitted_by, modified_at, change_no, media_total, media_count, attachments)
        select ${place.form.id}, nextval('submission_ids'), 'n' || n, '<data/>',
          jsonb_build_object('name', 'Person ' || n, 'age', (n % 100)::text), 'v1', 1, 'data', 'submitted_via_web', now(),
          ${place.ana.id}, now(), nextval('change_numbers'), 0, 0, '[]' from generate_series(1, ${records}::int) n)
      insert into form_counts (form_id, version, slot, submissions) values (${place.form.id}, 'v1', 1, ${records})`)
  })

  const list = async (query: Record<string, string>) => app.as(place.ana)('GET', `/data/${place.form.id}`, { query })
  const namesIn = (answer: { json(): { name: string }[] }) => answer.json().map(({ name }) => name)
  const sevens = { query: '{"age":"7"}' }

  it('a filtered list has the same pages as reading all of it, from both ends, and by another order', async () => {
    const all = namesIn(await list({ ...sevens, page_size: '10000' }))
    expect(all).toHaveLength(records / 100)
    for (const [offset, size] of [
      [0, 10],
      [40, 20],
      [140, 10],
    ] as const) {
      const page = String(offset / size + 1)
      const expected = all.slice(offset, offset + size)
      const paged = await list({ ...sevens, page, page_size: String(size) })
      const ranged = await list({ ...sevens, start: String(offset), limit: String(size) })
      const backwards = await list({ ...sevens, sort: '-_id', page, page_size: String(size) })
      expect([namesIn(paged), namesIn(ranged), namesIn(backwards)]).toEqual([
        expected,
        expected,
        [...all].reverse().slice(offset, offset + size),
      ])
      expect([paged, ranged, backwards].map(totalIn)).toEqual(Array(3).fill(String(all.length)))
    }
    const byName = await list({ ...sevens, sort: 'name', page: '2', page_size: '5' })
    expect(namesIn(byName)).toEqual([...all].sort().slice(5, 10))
    expect((await list({ ...sevens, page: '16', page_size: '10' })).statusCode).toBe(404)
    expect(namesIn(await list({ ...sevens, page: 'last', page_size: '100' }))).toEqual(all.slice(100))
    const whole = await list({ sort: '-name', page: '1', page_size: '2' })
    expect([namesIn(whole), totalIn(whole)]).toEqual([['Person 9999', 'Person 9998'], String(records)])
  })

  it('the number follows every change: received, edited, deleted, brought back', async () => {
    const count = async () => (await list({ ...sevens, count: 'true' })).json()[0].count
    const before = await count()
    const [id = 0] = await put(app, place.form, { answers: { age: '7' } })
    expect(await count()).toBe(before + 1)
    await app.as(place.ana)('PATCH', `/data/${place.form.id}/${id}`, { body: { age: '8' } })
    const { _id: other } = (await list({ ...sevens, limit: '1' })).json()[0]
    await app.as(place.ana)('DELETE', `/data/${place.form.id}`, { body: { instance_ids: [other, id] } })
    expect([await count(), totalIn(await list({ ...sevens, page_size: '1' }))]).toEqual([
      before - 1,
      String(before - 1),
    ])
    await app.as(place.ana)('POST', `/data/${place.form.id}/restore`, { body: { instance_ids: [other] } })
    expect(await count()).toBe(before)
  })

  it('what one caller sees is not what another does', async () => {
    const minor = await app.account()
    await giveRole(app, place.form, minor, 'dataentry-minor')
    expect((await list({ ...sevens, count: 'true' })).json()[0].count).toBeGreaterThan(100)
    const own = await app.as(minor)('GET', `/data/${place.form.id}`, { query: { ...sevens, count: 'true' } })
    expect(own.json()).toEqual([{ count: 0 }])
  })
})
