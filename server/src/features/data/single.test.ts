import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import type { TestForm } from '../../../test/support/records.js'
import { sql } from '../../platform/db/index.js'
import { giveRole, newForm, put } from './testing.js'

const app = testApp()
let ana: Account
let ben: Account
let form: TestForm

beforeAll(async () => {
  const place = await newForm(app)
  ana = place.ana
  form = place.form
  ben = await app.account()
})

const countOf = async () =>
  (
    await app.deps.db.one<{ count: number }>(sql`
      select sum(submissions) as count from form_counts where form_id = ${form.id}`)
  ).count

describe('GET /data/{pk}/{dataid}', () => {
  it('200 with one submission by _id, by _uuid and by uuid: with it', async () => {
    const [id] = await put(app, form, { answers: { name: 'Tom' }, uuid: 'aaaa-1' })
    for (const dataid of [id, 'aaaa-1', 'uuid:aaaa-1']) {
      const response = await app.as(ana)('GET', `/data/${form.id}/${dataid}`)
      expect([response.statusCode, response.json()]).toMatchObject([200, { _id: id, _uuid: 'aaaa-1', name: 'Tom' }])
    }
    const inList = (await app.as(ana)('GET', `/data/${form.id}?query={"_id":${id}}`)).json()
    expect([(await app.as(ana)('GET', `/data/${form.id}/${id}.json`)).json()]).toEqual(inList)
  })

  it('404 for an unknown one, one of another form, a deleted one and a hidden one, all alike', async () => {
    const { form: other } = await newForm(app)
    const [foreign] = await put(app, other, {})
    const [own, gone] = await put(app, form, {}, {})
    await app.as(ana)('DELETE', `/data/${form.id}/${gone}`)
    const missing = await app.as(ana)('GET', `/data/${form.id}/999999999`)
    expect([missing.statusCode, missing.json()]).toEqual([404, { detail: 'Not found.' }])
    for (const response of [
      await app.as(ana)('GET', `/data/${form.id}/${foreign}`),
      await app.as(ana)('GET', `/data/${form.id}/${gone}`),
      await app.as(ana)('GET', `/data/${form.id}/no-such-uuid`),
      await app.as(ana)('GET', `/data/${form.id}/99999999999999999999`),
      await app.as(ben)('GET', `/data/${form.id}/${own}`),
    ]) {
      expect([response.statusCode, response.body]).toEqual([404, missing.body])
    }
    expect((await app.call('GET', `/data/${form.id}/${own}`)).statusCode).toBe(401)
  })

  it('404 for a record of somebody else where one sees one’s own, in every representation and its history', async () => {
    const minor = await app.account()
    await giveRole(app, form, minor, 'dataentry-minor')
    const [own, others] = await put(app, form, { by: minor.id }, { by: ana.id })
    for (const suffix of ['', '.xml', '.geojson', '/history', '/labels']) {
      expect((await app.as(minor)('GET', `/data/${form.id}/${own}${suffix}`)).statusCode).toBe(200)
      expect((await app.as(minor)('GET', `/data/${form.id}/${others}${suffix}`)).statusCode).toBe(404)
    }
  })

  it('.xml is the submission as received, without the batch; other suffixes are 400', async () => {
    const xml = '<?xml version="1.0" ?>\n<!-- x --><data id="a" version="1"><q>a &amp; b</q></data>\n'
    const [id] = await put(app, form, { xml })
    const response = await app.as(ana)('GET', `/data/${form.id}/${id}.xml`)
    expect([response.headers['content-type'], response.body]).toEqual([
      'application/xml; charset=utf-8',
      '<?xml version="1.0" encoding="utf-8"?>\n<data id="a" version="1"><q>a &amp; b</q></data>',
    ])
    const refused = await app.as(ana)('GET', `/data/${form.id}/${id}.csv`)
    expect([refused.statusCode, refused.json()]).toEqual([400, { detail: "'csv' format unknown or not implemented!" }])
  })
})

describe('GET /data/{pk}/{dataid}/history', () => {
  it('200 with earlier versions, oldest first, with the record’s own _id; [] when it was never edited', async () => {
    const [id = 0] = await put(app, form, {
      answers: { name: 'now' },
      uuid: 'h3',
      by: ben.id,
      at: '2024-01-01T00:00:00Z',
      editedAt: '2024-01-03T00:00:00Z',
      editedBy: ana.id,
      tags: ['t'],
      place: [1, 2],
    })
    expect((await app.as(ana)('GET', `/data/${form.id}/${id}/history`)).body).toBe('[]')
    for (const [number, answers] of [{ name: 'first', 'visit/gps': '5 6 0 0' }, { name: 'second' }].entries()) {
      await app.deps.db.run(sql`
        insert into submission_versions (form_id, submission_id, number, uuid, xml, answers, version, model_number,
          made_at, made_by, archived_at)
        values (${form.id}, ${id}, ${number + 1}, ${`h${number + 1}`}, '<data/>', ${JSON.stringify(answers)}::jsonb,
          ${`old${number}`}, 1, '2024-01-01T00:00:00Z', ${number === 0 ? ben.id : ana.id}, now())`)
    }
    const history = (await app.as(ana)('GET', `/data/${form.id}/${id}/history`)).json()
    expect(history).toMatchObject([
      {
        name: 'first',
        _id: id,
        _uuid: 'h1',
        _version: 'old0',
        _submitted_by: ben.username,
        _edited: false,
        _tags: ['t'],
        _submission_time: '2024-01-01T00:00:00',
        _geolocation: [5, 6],
      },
      { name: 'second', _id: id, _uuid: 'h2', _submitted_by: ana.username, _geolocation: [null, null] },
    ])
    expect((await app.as(ana)('GET', `/data/${form.id}/${id}/history.csv`)).statusCode).toBe(400)
  })
})

describe('/data/{pk}/{dataid}/labels', () => {
  it('POST 201 with all tags, sorted, by comma, blank or array; DELETE 200 with what is left, 404 with it when absent', async () => {
    const [id] = await put(app, form, { at: '2024-01-01T00:00:00Z' })
    const post = (tags: unknown) => app.as(ana)('POST', `/data/${form.id}/${id}/labels`, { body: { tags } })
    expect((await post('wash, child health')).json()).toEqual(['child health', 'wash'])
    const second = await post('Z a/b')
    expect([second.statusCode, second.json()]).toEqual([201, ['Z', 'a/b', 'child health', 'wash']])
    expect((await post(['wash'])).json()).toHaveLength(4)
    const record = (await app.as(ana)('GET', `/data/${form.id}/${id}`)).json()
    expect(record._tags).toEqual(['Z', 'a/b', 'child health', 'wash'])
    expect(record._date_modified > '2024-01-02').toBe(true)
    expect((await app.as(ana)('GET', `/data/${form.id}/${id}/labels`)).json()).toHaveLength(4)
    expect((await app.as(ana)('GET', `/data/${form.id}/${id}/labels/child%20health`)).json()).toEqual(['child health'])
    expect((await app.as(ana)('GET', `/data/${form.id}/${id}/labels/nope`)).json()).toEqual([])
    const remove = async (tag: string) => {
      const response = await app.as(ana)('DELETE', `/data/${form.id}/${id}/labels/${encodeURIComponent(tag)}`)
      return [response.statusCode, response.json()]
    }
    expect(await remove('a/b')).toEqual([200, ['Z', 'child health', 'wash']])
    expect(await remove('a/b')).toEqual([404, ['Z', 'child health', 'wash']])
    expect(await remove('z')).toEqual([404, ['Z', 'child health', 'wash']])
  })

  it('400 without tags; 401 anonymous, 403 for readers, 404 for strangers; editor-minor on his own records only', async () => {
    const [reader, minor] = [await app.account(), await app.account()]
    await giveRole(app, form, reader, 'readonly')
    await giveRole(app, form, minor, 'editor-minor')
    const [id, own] = await put(app, form, {}, { by: minor.id })
    const path = `/data/${form.id}/${id}/labels`
    const body = { tags: 'x' }
    expect((await app.as(ana)('POST', path, { body: {} })).json()).toEqual({ tags: ['This field is required.'] })
    expect((await app.call('POST', path, { body })).statusCode).toBe(401)
    expect((await app.as(reader)('POST', path, { body })).statusCode).toBe(403)
    expect((await app.as(ben)('POST', path, { body })).statusCode).toBe(404)
    expect((await app.as(minor)('POST', path, { body })).statusCode).toBe(404)
    expect((await app.as(minor)('POST', `/data/${form.id}/${own}/labels`, { body })).statusCode).toBe(201)
    expect((await app.as(reader)('DELETE', `${path}/x`)).statusCode).toBe(403)
    expect((await app.as(reader)('GET', path)).json()).toEqual([])
  })

  it('twenty labels at once are all kept', async () => {
    const [id] = await put(app, form, {})
    const tags = Array.from({ length: 20 }, (_, index) => `t${index}`)
    await Promise.all(tags.map((tag) => app.as(ana)('POST', `/data/${form.id}/${id}/labels`, { body: { tags: tag } })))
    expect((await app.as(ana)('GET', `/data/${form.id}/${id}/labels`)).json()).toEqual([...tags].sort())
  })
})

describe('DELETE /data/{pk}/{dataid}', () => {
  it('204, then 404: hidden everywhere, counted down, its files hidden, an event told', async () => {
    const [id = 0] = await put(app, form, { answers: { name: 'gone' } })
    await app.deps.db.run(sql`
      insert into attachments (form_id, id, submission_id, name, stored_name, file_key, mimetype, bytes, sha256, md5,
        question, created_at)
      values (${form.id}, nextval('attachment_ids'), ${id}, 'a.jpg', 'a.jpg', 'k', 'image/jpeg', 1, '', '', 'photo', now())`)
    const before = await countOf()
    const path = `/data/${form.id}/${id}`
    const first = await app.as(ana)('DELETE', path)
    expect([first.statusCode, first.body]).toEqual([204, ''])
    for (const again of ['DELETE', 'GET'] as const) expect((await app.as(ana)(again, path)).statusCode).toBe(404)
    expect((await app.as(ana)('GET', `${path}/history`)).statusCode).toBe(404)
    expect((await app.as(ana)('GET', `/data/${form.id}?query={"name":"gone"}`)).body).toBe('[]')
    expect(await countOf()).toBe(before - 1)
    const files = () =>
      app.deps.db.rows(sql`
      select from attachments where form_id = ${form.id} and submission_id = ${id} and deleted_at is null`)
    expect(await files()).toHaveLength(0)
    const events = await app.deps.db.rows(sql`
      select verb, ids, user_id from form_events where form_id = ${form.id} and ids @> array[${id}]::bigint[]`)
    expect(events).toMatchObject([{ verb: 'submission_deleted', user_id: ana.id }])
    const restored = await app.as(ana)('POST', `${path}/restore`)
    expect([restored.statusCode, restored.json()]).toMatchObject([200, { _id: id, _deleted_at: null }])
    expect([await countOf(), (await files()).length]).toEqual([before, 1])
  })

  it('401 anonymous, 403 without the permission, 404 for strangers; editor-minor deletes only his own', async () => {
    const [reader, minor] = [await app.account(), await app.account()]
    await giveRole(app, form, reader, 'dataentry')
    await giveRole(app, form, minor, 'editor-minor')
    const [id, own] = await put(app, form, {}, { by: minor.id })
    const remove = async (as: Account | null, which: number | undefined) =>
      (as === null
        ? await app.call('DELETE', `/data/${form.id}/${which}`)
        : await app.as(as)('DELETE', `/data/${form.id}/${which}`)
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
    expect(many.json()).toEqual({ status_code: 200, message: '1 records were deleted' })
  })

  it('400 for an inactive form, and for permanent deletion where the setting is off', async () => {
    const { ana: owner, form: closed } = await newForm(app)
    const [id] = await put(app, closed, {})
    await app.deps.db.run(sql`update forms set is_downloadable = false where id = ${closed.id}`)
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
  it('200 with the number really deleted: ids of other forms and deleted ones do not count', async () => {
    const { form: other } = await newForm(app)
    const [foreign] = await put(app, other, {})
    const [a, b, c] = await put(app, form, {}, {}, {})
    const remove = (body: object) => app.as(ana)('DELETE', `/data/${form.id}`, { body })
    const first = await remove({ instance_ids: `${a}, ${foreign},x,999999999` })
    expect([first.statusCode, first.json()]).toEqual([200, { status_code: 200, message: '1 records were deleted' }])
    expect((await remove({ instance_ids: [a, b, c] })).json().message).toBe('2 records were deleted')
    expect(
      (await app.as(ana)('DELETE', `/data/${form.id}`, { form: { instance_ids: String(a) } })).json().message,
    ).toBe('0 records were deleted')
  })

  it('delete_all deletes all and tells the ids, at most a hundred to an event', async () => {
    const { ana: owner, form: full } = await newForm(app)
    const ids = await put(app, full, ...Array.from({ length: 120 }, () => ({})))
    expect((await app.as(owner)('DELETE', `/data/${full.id}`, { body: { delete_all: 'True' } })).json().message).toBe(
      '120 records were deleted',
    )
    expect((await app.as(owner)('GET', `/data/${full.id}`)).body).toBe('[]')
    const events = await app.deps.db.rows<{ ids: string[] }>(sql`
      select ids from form_events where form_id = ${full.id} and verb = 'submission_deleted' order by id`)
    expect(events.map((event) => event.ids.length)).toEqual([100, 20])
    expect(events.flatMap((event) => event.ids.map(Number))).toEqual(ids)
  })

  it('400 without ids, for ids that are none and for delete_all False; 403, 404 and 401 as for one', async () => {
    const reader = await app.account()
    await giveRole(app, form, reader, 'readonly')
    const remove = async (as: Account, body: object) => {
      const response = await app.as(as)('DELETE', `/data/${form.id}`, { body })
      return [response.statusCode, response.json()]
    }
    expect(await remove(ana, {})).toEqual([400, { detail: 'Data id(s) not provided.' }])
    expect(await remove(ana, { delete_all: false })).toEqual([400, { detail: 'Data id(s) not provided.' }])
    expect(await remove(ana, { instance_ids: 'a,b' })).toEqual([400, { detail: 'Invalid data ids were provided.' }])
    expect((await remove(ana, { delete_all: true, permanent_delete: true }))[0]).toBe(400)
    expect((await remove(reader, { delete_all: true }))[0]).toBe(403)
    expect((await remove(ben, { delete_all: true }))[0]).toBe(404)
    expect((await app.call('DELETE', `/data/${form.id}`, { body: { delete_all: true } })).statusCode).toBe(401)
  })
})
