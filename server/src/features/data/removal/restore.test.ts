import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, put, useForm } from '../../../../test/support/data.js'
import type { TestForm } from '../../../../test/support/records.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
const place = useForm(app)
let stranger: Account

beforeAll(async () => {
  stranger = await app.account()
})

const person = async (role: string, at = place.form) => {
  const account = await app.account()
  await giveRole(app, at, account, role)
  return account
}

const gone = async (at: TestForm, ...ids: number[]) => {
  for (const id of ids) await app.as(place.ana)('DELETE', `/data/${at.id}/${id}`)
}

const agedBy = (days: number, id: number) =>
  app.deps.db.run(sql`
    update submissions set deleted_at = deleted_at - make_interval(days => ${days}) where id = ${id}`)

const restore = (as: Account, id: number | string | undefined, at = place.form) =>
  app.as(as)('POST', `/data/${at.id}/${id}/restore`)

describe('POST /data/{pk}/{dataid}/restore', () => {
  it('200 for whoever may delete: owner, manager and editor; by id and by instance id', async () => {
    const [a = 0, b = 0, c = 0] = await put(app, place.form, {}, {}, { uuid: 'to-restore' })
    await gone(place.form, a, b, c)
    expect((await restore(place.ana, a)).json()).toMatchObject({ _id: a, _deleted_at: null })
    expect((await restore(await person('manager'), b)).statusCode).toBe(200)
    expect((await restore(await person('editor'), 'to-restore')).json()).toMatchObject({ _id: c })
    for (const id of [a, b, c])
      expect((await app.as(place.ana)('GET', `/data/${place.form.id}/${id}`)).statusCode).toBe(200)
  })

  it('editor-minor brings back their own; others’ are 404, and 403 where all data are public', async () => {
    const minor = await person('editor-minor')
    const [own = 0, other = 0] = await put(app, place.form, { by: minor.id }, { by: place.ana.id })
    await gone(place.form, own, other)
    expect((await restore(minor, other)).statusCode).toBe(404)
    await app.deps.db.run(sql`update forms set is_data_public = true where id = ${place.form.id}`)
    expect((await restore(minor, other)).statusCode).toBe(403)
    await app.deps.db.run(sql`update forms set is_data_public = false where id = ${place.form.id}`)
    expect((await restore(minor, own)).statusCode).toBe(200)
  })

  it('401 anonymous, 403 for readers and data entry, 404 for strangers as for a record that was never there', async () => {
    const [id = 0] = await put(app, place.form, {})
    await gone(place.form, id)
    expect((await app.call('POST', `/data/${place.form.id}/${id}/restore`)).statusCode).toBe(401)
    for (const role of ['readonly', 'dataentry']) expect((await restore(await person(role), id)).statusCode).toBe(403)
    const hidden = await restore(stranger, id)
    expect([hidden.statusCode, hidden.body]).toEqual([404, (await restore(place.ana, 999_999_999)).body])
  })

  it('404 for a record that is not deleted, and 30 days after it was', async () => {
    const [live, old = 0, last = 0] = await put(app, place.form, {}, {}, {})
    await gone(place.form, old, last)
    await agedBy(30, old)
    await agedBy(29, last)
    expect((await restore(place.ana, live)).statusCode).toBe(404)
    expect((await restore(place.ana, old)).statusCode).toBe(404)
    expect((await restore(place.ana, last)).statusCode).toBe(200)
  })
})

describe('GET /data/{pk}?deleted=true', () => {
  const list = (as: Account, more = '', at = place.form) => app.as(as)('GET', `/data/${at.id}?deleted=true${more}`)

  it('200 with id, uuid and time of what can be brought back and nothing else, the newest deletion first', async () => {
    const { ana: owner, form: fresh } = await newForm(app)
    const [a = 0, b = 0, old = 0] = await put(
      app,
      fresh,
      { uuid: 'u-a', answers: { name: 'zebra' }, tags: ['zebra'] },
      { uuid: 'u-b' },
      {},
      {},
    )
    expect((await list(owner, '', fresh)).body).toBe('[]')
    for (const id of [a, b, old]) await app.as(owner)('DELETE', `/data/${fresh.id}/${id}`)
    await agedBy(30, old)
    await agedBy(1, a)
    const answer = await list(owner, '', fresh)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      [
        { _id: b, _uuid: 'u-b', _deleted_at: time },
        { _id: a, _uuid: 'u-a', _deleted_at: time },
      ],
    ])
    await restore(owner, a, fresh)
    expect((await list(owner, '', fresh)).json()).toMatchObject([{ _id: b }])
    expect((await app.as(owner)('GET', `/data/${fresh.id}?deleted=false`)).json()).toHaveLength(2)
  })

  it('is over 30 days after the deletion, to the millisecond: for the list, its count, and for bringing it back', async () => {
    const { ana: owner, form: fresh } = await newForm(app)
    const [before = 0, at = 0, after = 0] = await put(app, fresh, {}, {}, {})
    for (const id of [before, at, after]) await app.as(owner)('DELETE', `/data/${fresh.id}/${id}`)
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const limit = Date.now() - 30 * 24 * 60 * 60 * 1000
      for (const [id, more] of [
        [before, -1],
        [at, 0],
        [after, 1],
      ] as const) {
        await app.deps.db.run(sql`update submissions set deleted_at = ${new Date(limit + more)} where id = ${id}`)
      }
      expect((await list(owner, '', fresh)).json()).toMatchObject([{ _id: after }])
      expect((await list(owner, '&page_size=1&page=2', fresh)).statusCode).toBe(404)
      const statuses = [before, at, after].map(async (id) => (await restore(owner, id, fresh)).statusCode)
      expect(await Promise.all(statuses)).toEqual([404, 404, 200])
    } finally {
      vi.useRealTimers()
    }
  })

  it('pages, with the others linked; a page past the end is 404', async () => {
    const { ana: owner, form: fresh } = await newForm(app)
    const ids = await put(app, fresh, {}, {}, {}, {}, {})
    await app.as(owner)('DELETE', `/data/${fresh.id}`, { body: { delete_all: true } })
    const page = (number: number) => list(owner, `&page_size=2&page=${number}`, fresh)
    const [one, two, three] = [await page(1), await page(2), await page(3)]
    const seen = [one, two, three].flatMap((answer) => answer.json().map(({ _id }: { _id: number }) => _id))
    expect(seen).toEqual([...ids].reverse())
    expect(one.headers.link).toMatch(/deleted=true&page=2&page_size=2>; rel="next"/)
    expect((await page(4)).json()).toEqual({ detail: 'Invalid page.' })
  })

  it('shows own-only roles their own, and strangers what the list shows them: 404', async () => {
    const minor = await person('editor-minor')
    const [own = 0, other = 0] = await put(app, place.form, { by: minor.id }, { by: place.ana.id })
    await gone(place.form, own, other)
    expect((await list(minor)).json()).toMatchObject([{ _id: own }])
    const hidden = await list(stranger)
    expect([hidden.statusCode, hidden.body]).toEqual([
      404,
      (await app.as(stranger)('GET', `/data/${place.form.id}`)).body,
    ])
    expect((await list(await person('dataentry-only'))).statusCode).toBe(404)
  })

  it('400 for what it cannot be combined with, for other formats, and for deleted that is neither true nor false', async () => {
    for (const more of [
      '&query={"name":"a"}',
      '&sort=_id',
      '&fields=name',
      '&tags=a',
      '&changed_since=0',
      '&start=1',
    ]) {
      const answer = await list(place.ana, more)
      expect([more, answer.statusCode]).toEqual([more, 400])
      expect(answer.json().detail).toContain(more.slice(1, more.indexOf('=')))
    }
    expect((await app.as(place.ana)('GET', `/data/${place.form.id}.csv?deleted=true`)).json().detail).toContain('csv')
    const word = await app.as(place.ana)('GET', `/data/${place.form.id}?deleted=maybe`)
    expect([word.statusCode, word.json()]).toEqual([400, { deleted: ['Must be a valid boolean.'] }])
  })
})
