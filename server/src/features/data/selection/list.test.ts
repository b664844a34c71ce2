import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { day, giveRole, newForm, newList, put } from '../../../../test/support/data.js'
import type { TestForm } from '../../../../test/support/records.js'

const app = testApp()
let ana: Account
let form: TestForm
let ids: number[]
let list: Awaited<ReturnType<typeof newList>>['list']
let idsOf: Awaited<ReturnType<typeof newList>>['placesOf']

beforeAll(async () => {
  ;({ ana, form, ids, list, placesOf: idsOf } = await newList(app))
})

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
    [{ former: 'x' }, [4]],
    [{ former: null }, [1, 2, 3]],
    [{ kids: null }, [1, 3, 4]],
    [{ 'meta/instanceName': null }, [1, 2, 3, 4]],
    [{ date_created: { $lt: '2024-01-02' } }, [1]],
    [{ last_edited: { $gt: '2024-01-01' } }, [3]],
    [{ name: {} }, [1, 2, 3, 4]],
    [{ name: { $ne: 'tom' } }, [2, 3, 4]],
    [{ name: { $in: ['tom', 'abc'] } }, [1, 4]],
    [{ age: { $nin: ['21', '9'] } }, [3, 4]],
    [{ age: { $exists: true } }, [1, 2, 3]],
    // Whole words, any of them; null is no answer.
    [{ name: { $has: ['tom', 'ab'] } }, [1]],
    [{ name: { $has: 'a' } }, []],
    [{ age: { $has: ['9', null] } }, [2, 4]],
    [{ age: { $has: null } }, [4]],
    [{ 'kids/kname': { $has: ['Cy'] } }, [2]],
    [{ _tags: { $has: ['b'] } }, [1, 2]],
    [{ name: { $has: [] } }, []],
    [{ $and: [{ age: { $gt: 9 } }, { name: 'tom' }] }, [1]],
    [{ _review_status: '1' }, [4]],
    [{ _review_status: 1 }, [4]],
    [{ _review_status: null }, [1, 2, 3]],
    [{ $or: [{ _review_status: '3' }, { _review_status: null }] }, [1, 2, 3]],
    [{ _submission_time: { $gte: '2024-01-02', $lt: '2024-01-03T10:00:00' } }, [2]],
    [{ _submission_time: '2024-01-02T10:00:00' }, [2]],
    [{ _submission_time: { $lte: '2024-01-02' } }, [1]],
    // What is shown is 10:00:00, which is before the half of that second, and not after it.
    [{ _submission_time: { $lt: '2024-01-02T10:00:00.5Z' } }, [1, 2]],
    [{ _submission_time: { $lte: '2024-01-02T10:00:00.5Z' } }, [1, 2]],
    [{ _submission_time: { $gt: '2024-01-02T10:00:00.5Z' } }, [3, 4]],
    [{ _submission_time: { $gte: '2024-01-02T10:00:00.5Z' } }, [3, 4]],
    [{ _submission_time: '2024-01-02T10:00:00.5Z' }, []],
    [{ _submission_time: { $lte: '9999-12-31T23:59:59' } }, [1, 2, 3, 4]],
    [{ _submission_time: { $lt: '9999-12-31T23:59:59.5Z' } }, [1, 2, 3, 4]],
    [{ _submission_time: { $gt: '9999-12-31T23:59:59Z' } }, []],
    [{ _submission_time: '9999-12-31T23:59:59' }, []],
    [{ _submission_time: { $gte: '0001-01-01', $lte: '9999-12-31T23:59:59' }, name: 'tom' }, [1]],
    [{ _last_edited: { $gt: '2024-01-01' } }, [3]],
    [{ _edited: true }, [3]],
    [{ _media_all_received: false }, [4]],
    [{ _version: 'v2' }, [3]],
    [{ _tags: 'b' }, [1, 2]],
    ['tom', [1]],
    ['cY', [2]],
  ])('%j finds %j', async (query, found) => expect(await asked(query)).toEqual(found))

  it('a question that was moved into a repeat by a version is found where it was, and where it is', async () => {
    const versionOf = (kind: string) => `
| survey |
|        | type          | name  | label    |
|        | begin ${kind} | kids  | Children |
|        | text          | kname | Child    |
|        | end ${kind}   |       |          |`
    const moved = await newForm(app, { versions: [versionOf('group'), versionOf('repeat')] })
    const stored = await put(
      app,
      moved.form,
      { answers: { 'kids/kname': 'Bo' } },
      { answers: { kids: [{ 'kids/kname': 'Cy' }, { 'kids/kname': 'Bo' }] } },
      { answers: { kids: [{ 'kids/kname': 'Cy' }] } },
    )
    const found = await app.as(moved.ana)('GET', `/data/${moved.form.id}`, { query: { query: '{"kids/kname":"Bo"}' } })
    expect(found.json().map(({ _id }: { _id: number }) => _id)).toEqual(stored.slice(0, 2))
  })

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
      expect((await list({ query: JSON.stringify({ [text]: text }) })).statusCode).toBe(400)
      expect(await asked({ name: { $i: text } })).toEqual([])
      expect(await asked({ 'kids/kname': text })).toEqual([])
      expect((await list({ sort: JSON.stringify({ [text]: -1 }) })).statusCode).toBe(400)
      expect((await list({ fields: JSON.stringify([text]) })).json()[0]).toEqual({ [text]: null })
    }
    expect(await asked({})).toHaveLength(4)
  })
})

describe('a field that is not there', () => {
  it.each([
    ['query', '{"nme":"tom"}', " Did you mean 'name'?"],
    ['query', '{"$or":[{"name":"tom"},{"height":{"$gt":1}}]}', " Did you mean 'visit/height'?"],
    ['query', '{"$and":[{"name":"tom"},{"Kname":{"$ne":"x"}}]}', " Did you mean 'kids/kname'?"],
    ['query', '{"date_create":{"$gt":"2024-01-01"}}', " Did you mean 'date_created'?"],
    ['query', '{"zzzzzzz":null}', ''],
    ['query', '{"zzzzzzz":{"$exists":false}}', ''],
    ['query', '{"_geolocation":null}', ''],
    ['sort', '{"nme":1}', " Did you mean 'name'?"],
    ['sort', '-_submision_time', " Did you mean '_submission_time'?"],
    ['sort', '{"name":1,"last_editd":-1}', " Did you mean 'last_edited'?"],
    ['sort', 'zzzzzzz', ''],
  ])('400 for a %s of %s, with what may have been meant', async (parameter, text, hint) => {
    const response = await list({ [parameter]: text })
    expect(response.statusCode).toBe(400)
    expect(response.json().detail).toMatch(
      new RegExp(`^The ${parameter} names ".+", which is no question and no field`),
    )
    expect(response.json().detail.endsWith(`of a record.${hint}`)).toBe(true)
  })

  it('400 in every representation, and with data in place of query', async () => {
    for (const suffix of ['.xml', '.csv', '.geojson', '.xlsx', '.csvzip', '.kml']) {
      expect([suffix, (await list({ query: '{"nme":1}' }, suffix)).statusCode]).toEqual([suffix, 400])
    }
    expect((await list({ data: '{"nme":1}' })).statusCode).toBe(400)
  })

  it('a name that no version knows is there for those who see a record that has it, and not for others', async () => {
    const minor = await app.account()
    await giveRole(app, form, minor, 'dataentry-minor')
    const ask = async (account: Account, query: string) =>
      (await app.as(account)('GET', `/data/${form.id}`, { query: { query } })).statusCode
    expect(await ask(ana, '{"former":"x"}')).toBe(200)
    expect(await ask(minor, '{"former":"x"}')).toBe(400)
    expect(await ask(minor, '{"name":"x"}')).toBe(200)
  })

  it('words of an answer choose the rows of a file as those of a list', async () => {
    const response = await list({ query: JSON.stringify({ name: { $has: ['tom', '"\\,'] } }) }, '.csv')
    expect([response.statusCode, response.body.trim().split('\n').length]).toEqual([200, 2])
  })

  it('400 for an order by what a record has several of', async () => {
    for (const sort of ['kids/kname', '{"kids/kage":-1}', '_tags', '-_notes', '_attachments']) {
      const response = await list({ sort })
      expect([sort, response.statusCode]).toEqual([sort, 400])
      expect(response.json().detail).toMatch(/^A record may have several of .+: it gives no order\.$/)
    }
  })

  it('a question that is called as a time of the record is meant first', async () => {
    const versions = ['| survey |\n| | type | name | label |\n| | text | date_created | When |\n']
    const { ana: owner, form: named } = await newForm(app, { versions })
    const [late, early] = await put(
      app,
      named,
      { answers: { date_created: 'b' }, at: day(1) },
      { answers: { date_created: 'a' }, at: day(2) },
    )
    const records = (await app.as(owner)('GET', `/data/${named.id}?sort=date_created`)).json()
    expect(records.map(({ _id }: { _id: number }) => _id)).toEqual([early, late])
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
    ['{"former":1}', [4, 1, 2, 3]],
    ['{"_submission_time":-1}', [4, 3, 2, 1]],
    ['{"date_created":-1}', [4, 3, 2, 1]],
    ['-date_created', [4, 3, 2, 1]],
    ['date_created', [1, 2, 3, 4]],
    ['-date_modified', [4, 3, 2, 1]],
    ['last_edited', [3, 1, 2, 4]],
    ['{"last_edited":-1,"date_created":-1}', [4, 2, 1, 3]],
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
