import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newProject } from '../../../test/support/projects.js'
import { putForm, type TestForm } from '../../../test/support/records.js'
import { sql } from '../../platform/db/index.js'
import { giveRole, newForm, put, survey } from './testing.js'

const app = testApp()
let ana: Account
let form: TestForm
let ids: number[]

const day = (number: number) => `2024-01-0${number}T10:00:00.500Z`

beforeAll(async () => {
  const place = await newForm(app)
  ana = place.ana
  form = place.form
  ids = await put(
    app,
    form,
    { answers: { name: 'tom', age: '21', 'visit/day': '2020-05-01' }, at: day(1), by: ana.id, tags: ['a', 'b'] },
    {
      answers: { name: 'Amy', age: '9', kids: [{ 'kids/kname': 'Bo' }, { 'kids/kname': 'Cy' }] },
      at: day(2),
      tags: ['b'],
    },
    { answers: { name: 'a.c', age: '10', 'visit/height': '1.5' }, at: day(3), editedAt: day(4), version: 'v2' },
    {
      answers: { name: 'abc' },
      at: day(4),
      mediaTotal: 1,
      rootName: 'other',
      review: { status: '1', comment: '', at: day(4) },
    },
  )
})

const list = (query: Record<string, string> = {}, suffix = '') =>
  app.as(ana)('GET', `/data/${form.id}${suffix}`, { query })

const idsOf = async (query: Record<string, string>): Promise<number[]> => {
  const response = await list(query)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().map(({ _id }: { _id: number }) => ids.indexOf(_id) + 1)
}

const asked = (query: unknown) => idsOf({ query: typeof query === 'string' ? query : JSON.stringify(query) })

describe('GET /data/{pk}', () => {
  it('200 with an array of submissions by _id, without a Link header', async () => {
    const response = await list()
    expect([response.statusCode, response.headers.link, response.headers['content-type']]).toEqual([
      200,
      undefined,
      'application/json; charset=utf-8',
    ])
    expect(response.json()).toHaveLength(4)
    expect(response.json()[0]).toMatchObject({
      name: 'tom',
      age: '21',
      _id: ids[0],
      _tags: ['a', 'b'],
      _submitted_by: ana.username,
    })
    expect(response.headers.etag).toBeDefined()
  })

  it('200 with [] and no Link header for a form without submissions', async () => {
    const { ana: owner, form: fresh } = await newForm(app)
    const response = await app.as(owner)('GET', `/data/${fresh.id}`)
    expect([response.statusCode, response.body, response.headers.link]).toEqual([200, '[]', undefined])
  })

  it('the same with .json and a trailing slash; HEAD as GET', async () => {
    const plain = await list()
    expect((await list({}, '.json')).body).toBe(plain.body)
    expect((await list({}, '/')).body).toBe(plain.body)
    expect((await app.as(ana)('HEAD', `/data/${form.id}`)).statusCode).toBe(200)
  })

  it('400 for an id that is none, 404 for an unknown suffix, 400 for a format that is not offered', async () => {
    const get = async (path: string) => {
      const response = await app.as(ana)('GET', path)
      return [response.statusCode, response.json()]
    }
    expect(await get('/data/abc')).toEqual([400, { detail: 'Invalid pk abc' }])
    expect(await get(`/data/${form.id}.foo`)).toEqual([404, { detail: 'Not found.' }])
    const notKnown = (format: string) => [400, { detail: `'${format}' format not known or not implemented!` }]
    expect(await get(`/data/${form.id}.xls`)).toEqual(notKnown('xls'))
    expect(await get(`/data/${form.id}?format=savzip`)).toEqual(notKnown('savzip'))
    expect((await app.as(ana)('POST', `/data/${form.id}`)).statusCode).toBe(405)
  })
})

describe('query', () => {
  it.each([
    [{ name: 'tom' }, [1]],
    [{ age: 21 }, [1]],
    [{ age: '21.0' }, [1]],
    [{ age: { $gt: '9' } }, [1, 3]],
    [{ age: { $gte: 9, $lt: '21' } }, [2, 3]],
    [{ age: { $lte: '9' } }, [2]],
    [{ age: null }, [4]],
    [{ name: { $i: 'TOM' } }, [1]],
    [{ name: { $i: 'a.c' } }, [3]],
    [{ name: { $i: '%' } }, []],
    [{ $or: [{ age: '21', name: 'Amy' }] }, [1, 2]],
    [{ $or: [{ age: '21' }, { age: null }] }, [1, 4]],
    [{ $or: [{ name: 'tom' }, { name: 'Amy' }], age: '9' }, [2]],
    [{ 'kids/kname': 'Cy' }, [2]],
    [{ 'kids/kname': null }, [1, 3, 4]],
    [{ 'visit/day': { $gte: '2020-01-01', $lt: '2020-06-01' } }, [1]],
    [{ nope: 'x' }, []],
    [{ nope: null }, [1, 2, 3, 4]],
    [{ name: {} }, [1, 2, 3, 4]],
    [{ name: { $ne: 'tom' } }, [2, 3, 4]],
    [{ name: { $in: ['tom', 'abc'] } }, [1, 4]],
    [{ age: { $nin: ['21', '9'] } }, [3, 4]],
    [{ age: { $exists: true } }, [1, 2, 3]],
    [{ $and: [{ age: { $gt: 9 } }, { name: 'tom' }] }, [1]],
    [{ _review_status: '1' }, [4]],
    [{ _review_status: 1 }, [4]],
    [{ _review_status: null }, [1, 2, 3]],
    [{ $or: [{ _review_status: '3' }, { _review_status: null }] }, [1, 2, 3]],
    [{ _submission_time: { $gte: '2024-01-02', $lt: '2024-01-03T10:00:00' } }, [2]],
    [{ _submission_time: '2024-01-02T10:00:00' }, [2]],
    [{ _submission_time: { $lte: '2024-01-02' } }, [1]],
    [{ _last_edited: { $gt: '2024-01-01' } }, [3]],
    [{ _edited: true }, [3]],
    [{ _media_all_received: false }, [4]],
    [{ _version: 'v2' }, [3]],
    [{ _tags: 'b' }, [1, 2]],
    ['tom', [1]],
    ['cY', [2]],
  ])('%j finds %j', async (query, found) => expect(await asked(query)).toEqual(found))

  it('`data` is the same as `query`, which wins', async () => {
    expect(await idsOf({ data: '{"name":"tom"}' })).toEqual([1])
    expect(await idsOf({ data: '{"name":"tom"}', query: '{"name":"Amy"}' })).toEqual([2])
  })

  it('_submitted_by is the username; _id is a number', async () => {
    expect(await asked({ _submitted_by: ana.username })).toEqual([1])
    expect(await asked({ _submitted_by: null })).toEqual([2, 3, 4])
    expect(await asked({ _id: { $gt: ids[1] } })).toEqual([3, 4])
  })

  it('a plus in a date must be encoded: %2b is a zone, a plain plus a space, which is 400', async () => {
    const get = (plus: string) =>
      app.as(ana)('GET', `/data/${form.id}?query={"_submission_time":{"$gte":"2024-01-02T00:00:00${plus}00:00"}}`)
    expect((await get('%2b')).json()).toHaveLength(3)
    expect((await get('+')).json()).toEqual({
      detail: 'Invalid date value "2024-01-02T00:00:00 00:00" for the field _submission_time.',
    })
  })

  it.each([
    ['{bad', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
    ['{"x":{"$foo":1}}', 'Unsupported operator $foo'],
    ['{"_submission_time":{"$gt":"watermelon"}}', 'Invalid date value "watermelon" for the field _submission_time.'],
    ['{"age":"x"}', 'Invalid value "x" for the field age.'],
    ['{"_id":"abc"}', 'Invalid value "abc" for the field _id.'],
    ['{"name":["tom"]}', 'A list is no value for name: use $in.'],
  ])('400 for %s', async (query, detail) => {
    const response = await list({ query })
    expect([response.statusCode, response.json()]).toEqual([400, { detail }])
  })

  it('400 in bounded time for 10,000 nested $or; hostile keys and values are only text', async () => {
    const nested = `${'{"$or":['.repeat(1000)}${']}'.repeat(1000)}`
    expect((await list({ query: nested })).statusCode).toBe(400)
    const hostile = ["'; drop table submissions; --", '\\', '"', '__proto__', '{}', 'a/../b', '%', '\ud83d\ude00']
    for (const text of hostile) {
      expect(await asked({ [text]: text })).toEqual([])
      expect(await asked({ name: { $i: text } })).toEqual([])
      expect(await asked({ 'kids/kname': text })).toEqual([])
      expect(await idsOf({ sort: JSON.stringify({ [text]: -1 }) })).toEqual([1, 2, 3, 4])
      expect((await list({ fields: JSON.stringify([text]) })).json()[0]).toEqual({ [text]: null })
    }
    expect(await asked({})).toHaveLength(4)
  })
})

describe('sort and fields', () => {
  it.each([
    ['{"age":-1}', [4, 1, 3, 2]],
    ['{"age":1}', [2, 3, 1, 4]],
    ['{"age":"1"}', [2, 3, 1, 4]],
    ['-_id', [4, 3, 2, 1]],
    ['name', [2, 3, 4, 1]],
    ['{"_last_edited":1,"_id":-1}', [3, 4, 2, 1]],
    ['{"nope":1}', [1, 2, 3, 4]],
    ['{"_submission_time":-1}', [4, 3, 2, 1]],
  ])('sort=%s gives %j', async (sort, found) => expect(await idsOf({ sort })).toEqual(found))

  it('400 for a malformed sort and for a direction that is none', async () => {
    for (const sort of ['{:}', '{"age":2}']) expect((await list({ sort })).statusCode).toBe(400)
  })

  it('fields: exactly those in their order, null where absent; a repeat as its array; with query, sort and page', async () => {
    expect((await list({ fields: '["_id","nope","kids"]', query: '{"name":"Amy"}' })).body).toBe(
      `[{"_id":${ids[1]},"nope":null,"kids":[{"kids/kname": "Bo"}, {"kids/kname": "Cy"}]}]`,
    )
    expect((await list({ fields: 'name,age', sort: '-age', page: '2', page_size: '1', tags: 'b' })).json()).toEqual([
      { name: 'Amy', age: '9' },
    ])
    expect((await list({ fields: '["a"' })).statusCode).toBe(400)
    expect((await list({ fields: '[]' })).json()[0]).toHaveProperty('_uuid')
  })
})

describe('filters', () => {
  it.each([
    [{ version: 'v2' }, [3]],
    [{ version__gt: 'v1' }, [3]],
    [{ version__lte: 'v1' }, [1, 2, 4]],
    [{ status: 'submitted_via_web' }, [1, 2, 3, 4]],
    [{ status: 'imported_via_csv' }, []],
    [{ submitted_by__username: 'nobody' }, []],
    [{ user__id: '999999' }, []],
    [{ survey_type__slug: 'other' }, [4]],
    [{ media_all_received: 'false' }, [4]],
    [{ media_all_received: 'True' }, [1, 2, 3]],
    [{ date_created__year: '2024' }, [1, 2, 3, 4]],
    [{ date_created__year__lt: '2024' }, []],
    [{ date_created__day__gte: '3' }, [3, 4]],
    [{ date_created__day__gt: '1', date_created__day__lte: '3' }, [2, 3]],
    [{ date_created__month: '1', date_created__day: '2' }, [2]],
    [{ date_modified__day__lt: '3' }, [1, 2]],
    [{ last_edited__month: '1' }, [3]],
    [{ last_edited__year__lte: '2030' }, [3]],
    [{ date_created__gte: '2024-01-03T00:00:00Z' }, [3, 4]],
    [{ tags: 'a,b' }, [1, 2]],
    [{ tags: 'a' }, [1]],
    [{ not_tagged: 'a' }, [2, 3, 4]],
    [{ tags: 'b', not_tagged: 'a' }, [2]],
    [{ tags: '"}', not_tagged: '\\' }, []],
    [{ version: '' }, [1, 2, 3, 4]],
    [{ unknown: 'x' }, [1, 2, 3, 4]],
  ])('%j finds %j', async (query, found) => expect(await idsOf(query as Record<string, string>)).toEqual(found))

  it('user__id, user__username, submitted_by__id and submitted_by__username are the submitter', async () => {
    for (const name of ['user__id', 'submitted_by__id']) expect(await idsOf({ [name]: String(ana.id) })).toEqual([1])
    for (const name of ['user__username', 'submitted_by__username']) {
      expect(await idsOf({ [name]: ana.username.toUpperCase() })).toEqual([1])
    }
    const { _uuid } = (await list({ query: '{"name":"abc"}' })).json()[0]
    expect(await idsOf({ uuid: _uuid })).toEqual([4])
  })

  it('400 with all faults at once for what is no number, boolean or date', async () => {
    const response = await list({
      date_created__year: 'x',
      submitted_by__id: 'y',
      media_all_received: 'z',
      last_edited: 'w',
    })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      {
        submitted_by__id: ['Enter a number.'],
        media_all_received: ['Must be a valid boolean.'],
        date_created__year: ['Enter a number.'],
        last_edited: ['Enter a valid date/time.'],
      },
    ])
  })

  it('apply together with sort, fields, start and limit', async () => {
    expect(await idsOf({ tags: 'b', sort: '-_id', start: '1' })).toEqual([1])
    expect((await list({ tags: 'b', fields: '["name"]' })).json()).toEqual([{ name: 'tom' }, { name: 'Amy' }])
  })
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
})

describe('who sees what', () => {
  const people = ['readonly-no-download', 'readonly', 'dataentry', 'editor', 'manager', 'owner']

  it.each(people)('200 with all records for %s', async (role) => {
    const person = await app.account()
    await giveRole(app, form, person, role)
    expect((await app.as(person)('GET', `/data/${form.id}`)).json()).toHaveLength(4)
  })

  it.each(['dataentry-minor', 'editor-minor'])('200 with one’s own records for %s', async (role) => {
    const person = await app.account()
    await giveRole(app, form, person, role)
    const [own] = await put(app, form, { by: person.id, answers: { name: 'own' } })
    const response = await app.as(person)('GET', `/data/${form.id}`)
    expect(response.json().map(({ _id }: { _id: number }) => _id)).toEqual([own])
    await app.deps.db.run(sql`delete from submissions where form_id = ${form.id} and id = ${own}`)
    await app.deps.db.run(
      sql`update form_counts set submissions = submissions - 1 where form_id = ${form.id} and version = 'v1'`,
    )
  })

  it('404 for dataentry-only, for a stranger and for an anonymous caller, as for a missing form', async () => {
    const [only, stranger] = [await app.account(), await app.account()]
    await giveRole(app, form, only, 'dataentry-only')
    const missing = await app.as(ana)('GET', '/data/2147483647')
    for (const response of [
      await app.as(only)('GET', `/data/${form.id}`),
      await app.as(stranger)('GET', `/data/${form.id}`),
      await app.call('GET', `/data/${form.id}`),
    ]) {
      expect([response.statusCode, response.body]).toEqual([404, missing.body])
    }
  })

  it('a public form with private data: a stranger gets [], an anonymous caller 404; public data are for all', async () => {
    const { form: open } = await newForm(app, { isPublic: true })
    const { form: bare } = await newForm(app, { isDataPublic: true })
    for (const one of [open, bare]) await put(app, one, {})
    const stranger = await app.account()
    expect((await app.as(stranger)('GET', `/data/${open.id}`)).body).toBe('[]')
    expect((await app.call('GET', `/data/${open.id}`)).statusCode).toBe(404)
    expect((await app.call('GET', `/data/${bare.id}`)).json()).toHaveLength(1)
    expect((await app.as(stranger)('GET', `/data/${bare.id}`)).json()).toHaveLength(1)
  })

  it('404 for a deleted form', async () => {
    const { ana: owner, form: gone } = await newForm(app)
    await app.deps.db.run(sql`update forms set deleted_at = now() where id = ${gone.id}`)
    expect((await app.as(owner)('GET', `/data/${gone.id}`)).statusCode).toBe(404)
  })
})

describe('GET /data, /data/public and /data.csv', () => {
  it('200 with the forms whose data the caller may see; anonymous callers see public ones', async () => {
    const owner = await app.account()
    const projectId = await newProject(app, owner)
    const fields = { ownerId: owner.id, projectId, versions: [survey] }
    const closed = await putForm(app.deps.db, { ...fields, title: 'Closed, "one"' })
    const open = await putForm(app.deps.db, { ...fields, isDataPublic: true })
    const shown = await putForm(app.deps.db, { ...fields, isPublic: true })
    await app.deps.db.run(sql`
      insert into form_tags (form_id, tag, created_at) values (${closed.id}, 'a', now()), (${closed.id}, 'b', now())`)
    const idsAs = async (account: Account | null, path: string) => {
      const response = account === null ? await app.call('GET', path) : await app.as(account)('GET', path)
      return response.json().map(({ id }: { id: number }) => id)
    }
    expect(await idsAs(owner, '/data')).toEqual([closed.id, open.id, shown.id])
    expect((await app.as(owner)('GET', '/data')).json()[0]).toEqual({
      id: closed.id,
      id_string: closed.idString,
      title: 'Closed, "one"',
      description: '',
      url: `http://localhost:80/api/v1/data/${closed.id}`,
    })
    expect(await idsAs(owner, '/data?tags=a,b')).toEqual([closed.id])
    expect(await idsAs(owner, '/data?not_tagged=a')).toEqual([open.id, shown.id])
    expect(await idsAs(null, '/data')).toContain(open.id)
    expect(await idsAs(null, '/data')).not.toContain(shown.id)
    const stranger = await app.account()
    expect(await idsAs(stranger, '/data')).toEqual([])
    expect(await idsAs(stranger, `/data?owner=${owner.username.toUpperCase()}`)).toEqual([open.id])
    expect(await idsAs(stranger, '/data?owner=nobody')).toEqual([])
    const everybodys = await idsAs(null, '/data/public')
    expect(everybodys).toEqual(expect.arrayContaining([open.id, shown.id]))
    expect(everybodys).not.toContain(closed.id)
    const person = await app.account()
    await giveRole(app, closed, person, 'dataentry-only')
    await giveRole(app, shown, person, 'dataentry-minor')
    expect(await idsAs(person, '/data')).toEqual([shown.id])
    const csv = await app.as(owner)('GET', '/data.csv')
    expect([csv.headers['content-type'], csv.body.split('\n').slice(0, 2)]).toEqual([
      'text/csv; charset=utf-8',
      [
        'description,id,id_string,title,url',
        `,${closed.id},${closed.idString},"Closed, ""one""",http://localhost:80/api/v1/data/${closed.id}.csv`,
      ],
    ])
    expect((await app.as(owner)('POST', '/data')).statusCode).toBe(405)
    expect((await app.as(owner)('GET', '/data.xml')).statusCode).toBe(400)
  })
})
