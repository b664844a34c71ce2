import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, put, useForm } from '../../../../test/support/data.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
const place = useForm(app)
let ben: Account

beforeAll(async () => {
  ben = await app.account()
})

const countOf = async () =>
  (
    await app.deps.db.one<{ count: number }>(sql`
      select sum(submissions) as count from form_counts where form_id = ${place.form.id}`)
  ).count

describe('DELETE /data/{pk}/{dataid}', () => {
  it('204, then 404: hidden everywhere, counted down, its files hidden, an event told', async () => {
    const [id = 0] = await put(app, place.form, { answers: { name: 'gone' } })
    await app.deps.db.run(sql`
      insert into attachments (form_id, id, submission_id, name, stored_name, file_key, mimetype, bytes, sha256, md5,
        question, created_at)
      values (${place.form.id}, nextval('attachment_ids'), ${id}, 'a.jpg', 'a.jpg', 'k', 'image/jpeg', 1, '', '', 'photo', now())`)
    const before = await countOf()
    const path = `/data/${place.form.id}/${id}`
    const first = await app.as(place.ana)('DELETE', path)
    expect([first.statusCode, first.body]).toEqual([204, ''])
    for (const again of ['DELETE', 'GET'] as const) expect((await app.as(place.ana)(again, path)).statusCode).toBe(404)
    expect((await app.as(place.ana)('GET', `${path}/history`)).statusCode).toBe(404)
    expect((await app.as(place.ana)('GET', `/data/${place.form.id}?query={"name":"gone"}`)).body).toBe('[]')
    expect(await countOf()).toBe(before - 1)
    const files = () =>
      app.deps.db.rows(sql`
      select from attachments where form_id = ${place.form.id} and submission_id = ${id} and deleted_at is null`)
    expect(await files()).toHaveLength(0)
    const events = await app.deps.db.rows(sql`
      select verb, ids, user_id from form_events where form_id = ${place.form.id} and ids @> array[${id}]::bigint[]`)
    expect(events).toMatchObject([{ verb: 'submission_deleted', user_id: place.ana.id }])
    const restored = await app.as(place.ana)('POST', `${path}/restore`)
    expect([restored.statusCode, restored.json()]).toMatchObject([200, { _id: id, _deleted_at: null }])
    expect([await countOf(), (await files()).length]).toEqual([before, 1])
  })

  it('401 anonymous, 403 without the permission, 404 for strangers; editor-minor deletes only their own', async () => {
    const [reader, minor] = [await app.account(), await app.account()]
    await giveRole(app, place.form, reader, 'dataentry')
    await giveRole(app, place.form, minor, 'editor-minor')
    const [id, own] = await put(app, place.form, {}, { by: minor.id })
    const remove = async (as: Account | null, which: number | undefined) =>
      (as === null
        ? await app.call('DELETE', `/data/${place.form.id}/${which}`)
        : await app.as(as)('DELETE', `/data/${place.form.id}/${which}`)
      ).statusCode
    expect(await remove(null, id)).toBe(401)
    expect(await remove(reader, id)).toBe(403)
    expect(await remove(ben, id)).toBe(404)
    expect(await remove(minor, id)).toBe(404)
    expect(await remove(minor, own)).toBe(204)
  })

  it('editor-minor does not delete others’ records where all data are public', async () => {
    const { form: open } = await newForm(app, { isDataPublic: true })
    const minor = await app.account()
    await giveRole(app, open, minor, 'editor-minor')
    const [id, own] = await put(app, open, {}, { by: minor.id })
    expect((await app.as(minor)('DELETE', `/data/${open.id}/${id}`)).statusCode).toBe(403)
    const many = await app.as(minor)('DELETE', `/data/${open.id}`, { body: { instance_ids: `${id},${own}` } })
    expect(many.json()).toEqual({ status_code: 200, message: '1 records were deleted', instance_ids: [own] })
  })

  it('400 for an inactive form, and for permanent deletion where the setting is off', async () => {
    const { ana: owner, form: closed } = await newForm(app)
    const [id] = await put(app, closed, {})
    await app.deps.db.run(sql`update forms set state = 'closed' where id = ${closed.id}`)
    const path = `/data/${closed.id}/${id}`
    expect((await app.as(owner)('DELETE', path)).json()).toEqual({ detail: 'Form is inactive' })
    for (const options of [{ body: { permanent_delete: true } }, { query: { permanent_delete: 'True' } }]) {
      const response = await app.as(owner)('DELETE', path, options)
      expect([response.statusCode, response.json()]).toEqual([
        400,
        { error: 'Permanent submission deletion is not enabled for this server.' },
      ])
    }
  })
})

describe('DELETE /data/{pk}', () => {
  it('200 with those really deleted: ids of other forms and deleted ones do not count', async () => {
    const { form: other } = await newForm(app)
    const [foreign] = await put(app, other, {})
    const [a, b, c] = await put(app, place.form, {}, {}, {})
    const remove = (body: object) => app.as(place.ana)('DELETE', `/data/${place.form.id}`, { body })
    const first = await remove({ instance_ids: `${a}, ${foreign},x,999999999` })
    expect([first.statusCode, first.json()]).toEqual([
      200,
      { status_code: 200, message: '1 records were deleted', instance_ids: [a] },
    ])
    const second = (await remove({ instance_ids: [a, b, c] })).json()
    expect(second).toMatchObject({ message: '2 records were deleted' })
    expect(new Set(second.instance_ids)).toEqual(new Set([b, c]))
    expect(
      (await app.as(place.ana)('DELETE', `/data/${place.form.id}`, { form: { instance_ids: String(a) } })).json()
        .message,
    ).toBe('0 records were deleted')
  })

  it('delete_all deletes all and tells the ids, at most a hundred to an event', async () => {
    const { ana: owner, form: full } = await newForm(app)
    const ids = await put(app, full, ...Array.from({ length: 120 }, () => ({})))
    const all = await app.as(owner)('DELETE', `/data/${full.id}`, { body: { delete_all: 'True' } })
    expect(all.json()).toEqual({ status_code: 200, message: '120 records were deleted' })
    expect((await app.as(owner)('GET', `/data/${full.id}`)).body).toBe('[]')
    const events = await app.deps.db.rows<{ ids: string[] }>(sql`
      select ids from form_events where form_id = ${full.id} and verb = 'submission_deleted' order by id`)
    expect(events.map((event) => event.ids.length)).toEqual([100, 20])
    expect(events.flatMap((event) => event.ids.map(Number))).toEqual(ids)
  })

  it('400 without ids, for ids that are none and for delete_all False; 403, 404 and 401 as for one', async () => {
    const reader = await app.account()
    await giveRole(app, place.form, reader, 'readonly')
    const remove = async (as: Account, body: object) => {
      const response = await app.as(as)('DELETE', `/data/${place.form.id}`, { body })
      return [response.statusCode, response.json()]
    }
    expect(await remove(place.ana, {})).toEqual([400, { detail: 'Data id(s) not provided.' }])
    expect(await remove(place.ana, { delete_all: false })).toEqual([400, { detail: 'Data id(s) not provided.' }])
    expect(await remove(place.ana, { instance_ids: 'a,b' })).toEqual([
      400,
      { detail: 'Invalid data ids were provided.' },
    ])
    expect((await remove(place.ana, { delete_all: true, permanent_delete: true }))[0]).toBe(400)
    expect((await remove(reader, { delete_all: true }))[0]).toBe(403)
    expect((await remove(ben, { delete_all: true }))[0]).toBe(404)
    expect((await app.call('DELETE', `/data/${place.form.id}`, { body: { delete_all: true } })).statusCode).toBe(401)
  })
})
