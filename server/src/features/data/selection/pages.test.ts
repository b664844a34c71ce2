import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { day, newForm, newList, put } from '../../../../test/support/data.js'
import type { TestForm } from '../../../../test/support/records.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
let form: TestForm
let list: Awaited<ReturnType<typeof newList>>['list']
let idsOf: Awaited<ReturnType<typeof newList>>['placesOf']

beforeAll(async () => {
  ;({ form, list, placesOf: idsOf } = await newList(app))
})

describe('pages', () => {
  const base = () => `http://localhost/api/v1/data/${form.id}`

  it('Link has prev, next, last and first, keeps the other parameters and counts what matches', async () => {
    const linkOf = async (query: Record<string, string>) => {
      const { link } = (await list(query)).headers
      return String(link).replaceAll(base(), '')
    }
    expect(await linkOf({ page: '2', page_size: '1' })).toBe(
      '<?page=1&page_size=1>; rel="prev", <?page=3&page_size=1>; rel="next", <?page=4&page_size=1>; rel="last", <?page=1&page_size=1>; rel="first"',
    )
    expect(await linkOf({ page_size: '3' })).toBe(
      '<?page=2&page_size=3>; rel="next", <?page=2&page_size=3>; rel="last"',
    )
    expect(await linkOf({ page: '4', page_size: '1' })).toBe(
      '<?page=3&page_size=1>; rel="prev", <?page=1&page_size=1>; rel="first"',
    )
    expect(await linkOf({ page_size: '1', query: '{"age":{"$gt":"9"}}', sort: 'name' })).toBe(
      '<?page=2&page_size=1&query=%7B%22age%22%3A%7B%22%24gt%22%3A%229%22%7D%7D&sort=name>; rel="next", <?page=2&page_size=1&query=%7B%22age%22%3A%7B%22%24gt%22%3A%229%22%7D%7D&sort=name>; rel="last"',
    )
  })

  it('404 for a page past the end, below 1 or no number, also with sort and fields; page 1 of nothing is 200', async () => {
    for (const page of ['99', '0', '-1', 'abc']) {
      for (const more of [{}, { sort: 'name' }, { query: '{"name":"tom"}' }] as Record<string, string>[]) {
        const response = await list({ page, page_size: '2', ...more })
        expect([response.statusCode, response.json()]).toEqual([404, { detail: 'Invalid page.' }])
      }
    }
    expect((await list({ page: '1', query: '{"name":"nobody"}' })).body).toBe('[]')
    expect(await idsOf({ page: 'last', page_size: '3' })).toEqual([4])
    expect(await idsOf({ page: 'last', page_size: '3', sort: 'name' })).toEqual([1])
  })

  it('page_size above 10,000 is cut, zero and text are ignored; page wins over start and limit', async () => {
    for (const page_size of ['20000', '0', '-5', 'x']) expect(await idsOf({ page_size })).toEqual([1, 2, 3, 4])
    expect(await idsOf({ page: '2', page_size: '1', start: '3', limit: '1' })).toEqual([2])
  })

  it('start and limit; text is ignored, 0 is no limit, past the end is [], negative is 400', async () => {
    expect(await idsOf({ start: '1', limit: '2' })).toEqual([2, 3])
    expect(await idsOf({ start: '3' })).toEqual([4])
    expect(await idsOf({ limit: '1' })).toEqual([1])
    expect(await idsOf({ limit: '0' })).toEqual([1, 2, 3, 4])
    expect(await idsOf({ start: 'x', limit: 'y' })).toEqual([1, 2, 3, 4])
    expect(await idsOf({ start: '99' })).toEqual([])
    for (const query of [{ limit: '-1' }, { start: '-1' }] as Record<string, string>[]) {
      const response = await list(query)
      expect([response.statusCode, response.json()]).toEqual([400, { detail: 'Invalid start/limit params' }])
    }
  })

  it('more than 10,000 records without a page are the first 10,000 and a Link header', async () => {
    const { ana: owner, form: large } = await newForm(app)
    const [first = 0] = await put(app, large, { answers: { name: 'first' }, at: day(1) })
    await app.deps.db.run(sql`
      insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
        modified_at, change_no, media_total, media_count, attachments)
      select form_id, nextval('submission_ids'), uuid || n, xml, jsonb_build_object('n', n::text), version, 1, root_name,
        status, submitted_at + n * interval '1 minute', modified_at, next_change(), 0, 0, '[]'
      from submissions, generate_series(1, 12000) n where form_id = ${large.id} and id = ${first}`)
    await app.deps.db.run(sql`update form_counts set submissions = 12001 where form_id = ${large.id}`)
    const get = (query: Record<string, string>) => app.as(owner)('GET', `/data/${large.id}`, { query })
    const whole = await get({})
    expect(whole.json()).toHaveLength(10_000)
    expect(whole.headers.link).toMatch(/page=2>; rel="next", .*page=2>; rel="last"$/)
    const second = await get({ page: '2' })
    expect(second.json()).toHaveLength(2001)
    expect(second.json()[0]).toMatchObject({ n: '10000' })
    const deep = async (query: Record<string, string>) =>
      (await get({ fields: '["n"]', ...query })).json().map(({ n }: { n: string }) => Number(n))
    expect(await deep({ page: '2401', page_size: '5' })).toEqual([12000])
    expect(await deep({ page: '2001', page_size: '5' })).toEqual([10000, 10001, 10002, 10003, 10004])
    expect(await deep({ start: '11000', limit: '2' })).toEqual([11000, 11001])
    expect(await deep({ start: '11000', limit: '2', sort: '-_id' })).toEqual([1000, 999])
    expect(await deep({ page: '2', page_size: '6000', sort: '{"_id":-1}', limit: '1' })).toHaveLength(6000)
    const window = { query: '{"_submission_time":{"$gte":"2024-01-03","$lt":"2024-01-05"}}', page_size: '7' }
    // 38 hours after the first record: minute 2,280 to 5,160.
    expect(await deep({ ...window, page: '1' })).toEqual([2280, 2281, 2282, 2283, 2284, 2285, 2286])
    expect((await get({ ...window, page: '1' })).headers.link).toMatch(/page=412&page_size=7[^>]*>; rel="last"/)
    expect(await deep({ ...window, page: 'last' })).toEqual([5157, 5158, 5159])
    // What has changed since the positions were written down counts at once.
    await app.deps.db.run(sql`
      update submissions set deleted_at = now(), change_no = next_change()
      where form_id = ${large.id} and answers ->> 'n' in ('5', '4000')`)
    expect(await deep({ start: '10998', limit: '2' })).toEqual([11000, 11001])
    expect(await deep({ ...window, page: 'last' })).toEqual([5158, 5159])
  })

  it('pages of a large form in any order are cut from the same list, from whichever end they are read', async () => {
    const { ana: owner, form: large } = await newForm(app)
    const names = Array.from({ length: 23 }, (_, number) => ({
      answers: { name: ['b', 'a', 'c'][number % 3], age: '1' },
    }))
    await put(app, large, ...names, { answers: { age: '1' } })
    // Large by its counter, which is what decides.
    await app.deps.db.run(sql`
      insert into form_counts (form_id, version, slot, submissions) values (${large.id}, 'large', 1, 1000000)`)
    const get = async (query: Record<string, string>): Promise<number[]> =>
      (await app.as(owner)('GET', `/data/${large.id}`, { query: { query: '{"age":1}', fields: '["_id"]', ...query } }))
        .json()
        .map(({ _id }: { _id: number }) => _id)
    for (const sort of ['name', '-name', '{"name":-1,"_id":-1}', '{"age":1,"name":1}']) {
      const whole = await get({ sort })
      const pages: number[] = []
      for (let page = 1; page <= 5; page++) pages.push(...(await get({ sort, page: String(page), page_size: '5' })))
      expect([sort, pages]).toEqual([sort, whole])
      expect(await get({ sort, start: '17', limit: '100' })).toEqual(whole.slice(17))
    }
  })
})
