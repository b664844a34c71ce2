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

describe('GET /data/{pk}/{dataid}', () => {
  it('200 with one submission by _id, by _uuid and by uuid: with it', async () => {
    const [id] = await put(app, place.form, { answers: { name: 'Tom' }, uuid: 'aaaa-1' })
    for (const dataid of [id, 'aaaa-1', 'uuid:aaaa-1']) {
      const response = await app.as(place.ana)('GET', `/data/${place.form.id}/${dataid}`)
      expect([response.statusCode, response.json()]).toMatchObject([200, { _id: id, _uuid: 'aaaa-1', name: 'Tom' }])
    }
    const inList = (await app.as(place.ana)('GET', `/data/${place.form.id}?query={"_id":${id}}`)).json()
    expect([(await app.as(place.ana)('GET', `/data/${place.form.id}/${id}.json`)).json()]).toEqual(inList)
  })

  it('404 for an unknown one, one of another form, a deleted one and a hidden one, all alike', async () => {
    const { form: other } = await newForm(app)
    const [foreign] = await put(app, other, {})
    const [own, gone] = await put(app, place.form, {}, {})
    await app.as(place.ana)('DELETE', `/data/${place.form.id}/${gone}`)
    const missing = await app.as(place.ana)('GET', `/data/${place.form.id}/999999999`)
    expect([missing.statusCode, missing.json()]).toEqual([404, { detail: 'Not found.' }])
    for (const response of [
      await app.as(place.ana)('GET', `/data/${place.form.id}/${foreign}`),
      await app.as(place.ana)('GET', `/data/${place.form.id}/${gone}`),
      await app.as(place.ana)('GET', `/data/${place.form.id}/no-such-uuid`),
      await app.as(place.ana)('GET', `/data/${place.form.id}/99999999999999999999`),
      await app.as(ben)('GET', `/data/${place.form.id}/${own}`),
    ]) {
      expect([response.statusCode, response.body]).toEqual([404, missing.body])
    }
    expect((await app.call('GET', `/data/${place.form.id}/${own}`)).statusCode).toBe(401)
  })

  it('404 for a record of somebody else where one sees one’s own, in every representation and its history', async () => {
    const minor = await app.account()
    await giveRole(app, place.form, minor, 'dataentry-minor')
    const [own, others] = await put(app, place.form, { by: minor.id }, { by: place.ana.id })
    for (const suffix of ['', '.xml', '.geojson', '/history', '/labels']) {
      expect((await app.as(minor)('GET', `/data/${place.form.id}/${own}${suffix}`)).statusCode).toBe(200)
      expect((await app.as(minor)('GET', `/data/${place.form.id}/${others}${suffix}`)).statusCode).toBe(404)
    }
  })

  it('.xml is the submission as received, without the batch; other suffixes are 400', async () => {
    const xml = '<?xml version="1.0" ?>\n<!-- x --><data id="a" version="1"><q>a &amp; b</q></data>\n'
    const [id] = await put(app, place.form, { xml })
    const response = await app.as(place.ana)('GET', `/data/${place.form.id}/${id}.xml`)
    expect([response.headers['content-type'], response.body]).toEqual([
      'application/xml; charset=utf-8',
      '<?xml version="1.0" encoding="utf-8"?>\n<data id="a" version="1"><q>a &amp; b</q></data>',
    ])
    const refused = await app.as(place.ana)('GET', `/data/${place.form.id}/${id}.csv`)
    expect([refused.statusCode, refused.json()]).toEqual([400, { detail: "'csv' format unknown or not implemented!" }])
  })
})

describe('GET /data/{pk}/{dataid}/history', () => {
  it('200 with earlier versions, oldest first, with the record’s own _id; [] when it was never edited', async () => {
    const [id = 0] = await put(app, place.form, {
      answers: { name: 'now' },
      uuid: 'h3',
      by: ben.id,
      at: '2024-01-01T00:00:00Z',
      editedAt: '2024-01-03T00:00:00Z',
      editedBy: place.ana.id,
      tags: ['t'],
      place: [1, 2],
    })
    expect((await app.as(place.ana)('GET', `/data/${place.form.id}/${id}/history`)).body).toBe('[]')
    for (const [number, answers] of [{ name: 'first', 'visit/gps': '5 6 0 0' }, { name: 'second' }].entries()) {
      await app.deps.db.run(sql`
        insert into submission_versions (form_id, submission_id, number, uuid, xml, answers, version, model_number,
          made_at, made_by, archived_at)
        values (${place.form.id}, ${id}, ${number + 1}, ${`h${number + 1}`}, '<data/>', ${JSON.stringify(answers)}::jsonb,
          ${`old${number}`}, 1, '2024-01-01T00:00:00Z', ${number === 0 ? ben.id : place.ana.id}, now())`)
    }
    const history = (await app.as(place.ana)('GET', `/data/${place.form.id}/${id}/history`)).json()
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
      { name: 'second', _id: id, _uuid: 'h2', _submitted_by: place.ana.username, _geolocation: [null, null] },
    ])
    expect((await app.as(place.ana)('GET', `/data/${place.form.id}/${id}/history.csv`)).statusCode).toBe(400)
  })
})

describe('/data/{pk}/{dataid}/labels', () => {
  it('POST 201 with all tags, sorted, by comma, blank or array; DELETE 200 with what is left, 404 with it when absent', async () => {
    const [id] = await put(app, place.form, { at: '2024-01-01T00:00:00Z' })
    const post = (tags: unknown) => app.as(place.ana)('POST', `/data/${place.form.id}/${id}/labels`, { body: { tags } })
    expect((await post('wash, child health')).json()).toEqual(['child health', 'wash'])
    const second = await post('Z a/b')
    expect([second.statusCode, second.json()]).toEqual([201, ['Z', 'a/b', 'child health', 'wash']])
    const changed = async () =>
      await app.deps.db.one(sql`
      select modified_at as at, change_no as no from submissions where form_id = ${place.form.id} and id = ${id}`)
    const before = await changed()
    expect((await post(['wash'])).json()).toHaveLength(4)
    // It was there: nothing has changed.
    expect(await changed()).toEqual(before)
    const record = (await app.as(place.ana)('GET', `/data/${place.form.id}/${id}`)).json()
    expect(record._tags).toEqual(['Z', 'a/b', 'child health', 'wash'])
    expect(record._date_modified > '2024-01-02').toBe(true)
    expect((await app.as(place.ana)('GET', `/data/${place.form.id}/${id}/labels`)).json()).toHaveLength(4)
    expect((await app.as(place.ana)('GET', `/data/${place.form.id}/${id}/labels/child%20health`)).json()).toEqual([
      'child health',
    ])
    expect((await app.as(place.ana)('GET', `/data/${place.form.id}/${id}/labels/nope`)).json()).toEqual([])
    const remove = async (tag: string) => {
      const response = await app.as(place.ana)(
        'DELETE',
        `/data/${place.form.id}/${id}/labels/${encodeURIComponent(tag)}`,
      )
      return [response.statusCode, response.json()]
    }
    expect(await remove('a/b')).toEqual([200, ['Z', 'child health', 'wash']])
    expect(await remove('a/b')).toEqual([404, ['Z', 'child health', 'wash']])
    expect(await remove('z')).toEqual([404, ['Z', 'child health', 'wash']])
  })

  it('400 without tags; 401 anonymous, 403 for readers, 404 for strangers; editor-minor on their own records only', async () => {
    const [reader, minor] = [await app.account(), await app.account()]
    await giveRole(app, place.form, reader, 'readonly')
    await giveRole(app, place.form, minor, 'editor-minor')
    const [id, own] = await put(app, place.form, {}, { by: minor.id })
    const path = `/data/${place.form.id}/${id}/labels`
    const body = { tags: 'x' }
    expect((await app.as(place.ana)('POST', path, { body: {} })).json()).toEqual({ tags: ['This field is required.'] })
    expect((await app.call('POST', path, { body })).statusCode).toBe(401)
    expect((await app.as(reader)('POST', path, { body })).statusCode).toBe(403)
    expect((await app.as(ben)('POST', path, { body })).statusCode).toBe(404)
    expect((await app.as(minor)('POST', path, { body })).statusCode).toBe(404)
    expect((await app.as(minor)('POST', `/data/${place.form.id}/${own}/labels`, { body })).statusCode).toBe(201)
    expect((await app.as(reader)('DELETE', `${path}/x`)).statusCode).toBe(403)
    expect((await app.as(reader)('GET', path)).json()).toEqual([])
  })

  it('twenty labels at once are all kept', async () => {
    const [id] = await put(app, place.form, {})
    const tags = Array.from({ length: 20 }, (_, index) => `t${index}`)
    await Promise.all(
      tags.map((tag) => app.as(place.ana)('POST', `/data/${place.form.id}/${id}/labels`, { body: { tags: tag } })),
    )
    expect((await app.as(place.ana)('GET', `/data/${place.form.id}/${id}/labels`)).json()).toEqual([...tags].sort())
  })
})
