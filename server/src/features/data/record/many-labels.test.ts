import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, put, useForm } from '../../../../test/support/data.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
const place = useForm(app)

const call = async (method: 'POST' | 'DELETE', body: object, as = place.ana, at = place.form) => {
  const answer = await app.as(as)(method, `/data/${at.id}/labels`, { body })
  return [answer.statusCode, answer.json()]
}
const tagsOf = async (ids: readonly number[]) => {
  const records = (await app.as(place.ana)('GET', `/data/${place.form.id}?limit=5000`)).json<
    { _id: number; _tags: string[] }[]
  >()
  return ids.map((id) => records.find(({ _id }) => _id === id)?._tags)
}
const changesSince = async (token: string) => {
  const answer = await app.as(place.ana)('GET', `/data/${place.form.id}?changed_since=${token}&fields=_id`)
  return {
    ids: answer.json<{ _id: number }[]>().map(({ _id }) => _id),
    next: new URL(/<([^>]+)>/.exec(String(answer.headers.link))?.[1] ?? '').searchParams.get('changed_since') ?? '',
  }
}

describe('/data/{pk}/labels', () => {
  it('POST 200 adds labels to many; DELETE of what changed leaves each record as it was', async () => {
    const ids = await put(app, place.form, { tags: ['a'] }, {}, { tags: ['b', 'z'] }, { tags: ['a', 'b'] })
    const [first, second, third] = ids
    const [status, added] = await call('POST', { instance_ids: ids, tags: 'b, a' })
    expect([status, added]).toEqual([
      200,
      {
        count: 3,
        changed: [
          { instance_ids: [first], tags: ['b'] },
          { instance_ids: [second], tags: ['a', 'b'] },
          { instance_ids: [third], tags: ['a'] },
        ],
      },
    ])
    expect(await tagsOf(ids)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b', 'z'],
      ['a', 'b'],
    ])
    for (const group of (added as { changed: object[] }).changed) expect((await call('DELETE', group))[0]).toBe(200)
    expect(await tagsOf(ids)).toEqual([['a'], [], ['b', 'z'], ['a', 'b']])
    expect(await call('DELETE', { instance_ids: ids.join(','), tags: ['nobody has it'] })).toEqual([
      200,
      { count: 0, changed: [] },
    ])
  })

  it('200: a label is added once, records with the same change stand together, and the feed of changes names those alone', async () => {
    const ids = await put(app, place.form, {}, {}, { tags: ['x'] })
    const before = await changesSince('0')
    const [, answer] = await call('POST', { instance_ids: ids.map(String), tags: ['x', ' x ', 'x'] })
    expect(answer).toEqual({ count: 2, changed: [{ instance_ids: ids.slice(0, 2), tags: ['x'] }] })
    const record = (await app.as(place.ana)('GET', `/data/${place.form.id}/${ids[0]}`)).json<{ _tags: string[] }>()
    expect(record._tags).toEqual(['x'])
    expect((await changesSince(before.next)).ids.sort()).toEqual(ids.slice(0, 2).sort())
  })

  it('200: where nothing is to change, no number of a change is taken', async () => {
    const ids = await put(app, place.form, { tags: ['x'] }, { tags: ['x'] })
    const numbers = () => app.deps.db.one(sql`select last_value as last from change_numbers`)
    const before = await numbers()
    expect(await call('POST', { instance_ids: ids, tags: 'x' })).toEqual([200, { count: 0, changed: [] }])
    expect(await call('DELETE', { instance_ids: ids, tags: 'y' })).toEqual([200, { count: 0, changed: [] }])
    expect(await numbers()).toEqual(before)
  })

  it('200: ids of other forms and of deleted records are passed over, and not touched', async () => {
    const other = await newForm(app)
    const [foreign] = await put(app, other.form, {})
    const [gone, live] = await put(app, place.form, {}, {})
    await app.as(place.ana)('DELETE', `/data/${place.form.id}/${gone}`)
    expect(await call('POST', { instance_ids: [foreign, gone, live, 999_999], tags: 'q' })).toEqual([
      200,
      { count: 1, changed: [{ instance_ids: [live], tags: ['q'] }] },
    ])
    const record = (await app.as(other.ana)('GET', `/data/${other.form.id}/${foreign}`)).json<{ _tags: string[] }>()
    expect(record._tags).toEqual([])
    await app.as(place.ana)('POST', `/data/${place.form.id}/${gone}/restore`)
    expect(await tagsOf([gone as number])).toEqual([[]])
  })

  it('400 without ids, with none that is a number, without labels, with too many of either', async () => {
    const [id] = await put(app, place.form, {})
    for (const method of ['POST', 'DELETE'] as const) {
      for (const none of [{}, { instance_ids: null }, { instance_ids: '' }]) {
        expect(await call(method, { ...none, tags: 'x' })).toEqual([400, { detail: 'Data id(s) not provided.' }])
      }
      expect((await call(method, { instance_ids: 'x', tags: 'x' }))[0]).toBe(400)
      expect(await call(method, { instance_ids: [id] })).toEqual([400, { tags: ['This field is required.'] }])
      expect((await call(method, { instance_ids: [id], tags: 'x'.repeat(101) }))[0]).toBe(400)
      const many = Array.from({ length: 1001 }, (_, at) => at + 1)
      expect(await call(method, { instance_ids: many, tags: 'x' })).toEqual([
        400,
        { instance_ids: ['At most 1000 records can be labelled at once.'] },
      ])
    }
    expect(await tagsOf([id as number])).toEqual([[]])
  })

  it('401 anonymous, 403 for readers, 404 for strangers; editor-minor on their own records only', async () => {
    const [reader, minor, stranger] = [await app.account(), await app.account(), await app.account()]
    await giveRole(app, place.form, reader, 'readonly')
    await giveRole(app, place.form, minor, 'editor-minor')
    const [id, own] = await put(app, place.form, { tags: ['old'] }, { by: minor.id, tags: ['old'] })
    for (const [method, tags] of [
      ['POST', 'x'],
      ['DELETE', 'old'],
    ] as const) {
      const body = { instance_ids: [id, own], tags }
      expect((await app.call(method, `/data/${place.form.id}/labels`, { body })).statusCode).toBe(401)
      expect((await call(method, body, reader))[0]).toBe(403)
      expect((await call(method, {}, reader))[0]).toBe(403)
      expect((await call(method, body, stranger))[0]).toBe(404)
      expect(await call(method, body, minor)).toEqual([
        200,
        { count: 1, changed: [{ instance_ids: [own], tags: [tags] }] },
      ])
    }
    expect(await tagsOf([id as number, own as number])).toEqual([['old'], ['x']])
  })

  it('two who label the same records at once lose nothing, in whatever order they name them', async () => {
    const ids = await put(app, place.form, ...Array.from({ length: 40 }, () => ({})))
    await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        call('POST', { instance_ids: at % 2 === 0 ? ids : [...ids].reverse(), tags: `t${at}` }),
      ),
    )
    const all = ['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7']
    expect(await tagsOf(ids)).toEqual(ids.map(() => all))
  })
})
