import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, put, useForm, useRecords } from '../../../../test/support/data.js'
import { putForm } from '../../../../test/support/records.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
const place = useForm(app)

const ids = useRecords(app, place, () => [
  {
    uuid: 'u1',
    at: '2024-01-01T10:00:00.250Z',
    by: place.ana.id,
    duration: 18,
    tags: ['a', 'b, c'],
    notes: [{ note: 'n1' }, { note: 'n2' }],
    mediaTotal: 2,
    mediaCount: 1,
    attachments: [{ name: 'x.jpg', download_url: '/api/v1/files/5?filename=x.jpg' }],
    answers: {
      name: '=1+1',
      age: '25',
      sex: 'f',
      fruits: 'apple kiwi',
      'visit/gps': '-1.26 36.79 0.0 20.0',
      kids: [
        { 'kids/kname': 'Tom', 'kids/kage': '12', 'kids/toys': [{ 'kids/toys/toy': 'car' }] },
        { 'kids/kname': 'Di,ck', 'kids/toys': [{ 'kids/toys/toy': 'a' }, { 'kids/toys/toy': 'b' }] },
      ],
      photo: 'x.jpg',
      'meta/instanceID': 'uuid:u1',
    },
  },
  {
    uuid: 'u2',
    at: '2024-01-02T10:00:00Z',
    answers: {
      name: 'line "one"\nline two|x',
      'visit/gps': '1 2',
      fruits: 'melon',
      photo: 'later.jpg',
      extra: 'kept',
    },
  },
])

const get = (query: Record<string, string> = {}, pk = place.form.id) =>
  app.as(place.ana)('GET', `/data/${pk}.csv`, { query })

/** Rows as objects; names that stand twice keep both. */
const rowsIn = (body: string): string[][] => parse(body, { relaxColumnCount: true, bom: true }) as string[][]

const header =
  'name,age,sex,fruits/apple,fruits/fig,fruits/kiwi,visit/day,visit/moment,visit/height,visit/gps,visit/_gps_latitude,visit/_gps_longitude,visit/_gps_altitude,visit/_gps_precision,kids[1]/kname,kids[1]/kage,kids[2]/kname,kids[2]/kage,kids[1]/toys[1]/toy,kids[2]/toys[1]/toy,kids[2]/toys[2]/toy,path,field,photo,extra,meta/instanceID'
const builtins =
  '_id,_uuid,_submission_time,_date_modified,_tags,_notes,_version,_duration,_submitted_by,_last_edited_by,_total_media,_media_count,_media_all_received'

describe('GET /data/{pk}.csv', () => {
  it('200 with a header row of column names and a row per submission, in the order of the form', async () => {
    const response = await get()
    expect([response.statusCode, response.headers['content-type'], response.headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="${place.form.idString}.csv"`,
    ])
    const [first, ...rows] = rowsIn(response.body)
    expect(first?.join(',')).toBe(`${header},${builtins}`)
    const of = (row: string[] | undefined) => Object.fromEntries((first ?? []).map((name, at) => [name, row?.[at]]))
    expect(of(rows[0])).toEqual({
      name: "'=1+1",
      age: '25',
      sex: 'f',
      'fruits/apple': 'True',
      'fruits/fig': 'False',
      'fruits/kiwi': 'True',
      'visit/day': 'n/a',
      'visit/moment': 'n/a',
      'visit/height': 'n/a',
      'visit/gps': '-1.26 36.79 0.0 20.0',
      'visit/_gps_latitude': '-1.26',
      'visit/_gps_longitude': '36.79',
      'visit/_gps_altitude': '0.0',
      'visit/_gps_precision': '20.0',
      'kids[1]/kname': 'Tom',
      'kids[1]/kage': '12',
      'kids[2]/kname': 'Di,ck',
      'kids[2]/kage': 'n/a',
      'kids[1]/toys[1]/toy': 'car',
      'kids[2]/toys[1]/toy': 'a',
      'kids[2]/toys[2]/toy': 'b',
      path: 'n/a',
      field: 'n/a',
      photo: 'http://localhost:80/api/v1/files/5?filename=x.jpg',
      extra: 'n/a',
      'meta/instanceID': 'uuid:u1',
      _id: String(ids[0]),
      _uuid: 'u1',
      _submission_time: '2024-01-01T10:00:00',
      _date_modified: '2024-01-01T10:00:00.25+00:00',
      _tags: 'a, "b, c"',
      _notes: 'n1; n2',
      _version: 'v1',
      _duration: '18.0',
      _submitted_by: place.ana.username,
      _last_edited_by: '',
      _total_media: '2',
      _media_count: '1',
      _media_all_received: 'False',
    })
    expect(of(rows[1])).toMatchObject({
      name: 'line "one"\nline two|x',
      'fruits/apple': 'False',
      'visit/gps': '1 2',
      'visit/_gps_latitude': '',
      'kids[1]/kname': 'n/a',
      photo: 'later.jpg',
      extra: 'kept',
      _submitted_by: '',
    })
    expect(response.body.endsWith('\n')).toBe(true)
    expect(response.body).not.toContain('\r')
  })

  it('a form without records has its header alone, without repeats', async () => {
    const { ana: owner, form: fresh } = await newForm(app)
    const response = await app.as(owner)('GET', `/data/${fresh.id}.csv`)
    expect(response.body).toBe(`${header.replace(/kids.*toy,/, '').replace('extra,', '')},${builtins}\n`)
  })

  it.each([
    [{ group_delimiter: '.' }, 'visit._gps_latitude', '-1.26'],
    [{ group_delimiter: 'x' }, 'visit/_gps_latitude', '-1.26'],
    [{ remove_group_name: 'true' }, '_gps_latitude', '-1.26'],
    [{ remove_group_name: 'true' }, 'fruits/apple', 'True'],
    [{ do_not_split_select_multiples: 'true' }, 'fruits', 'apple kiwi'],
    [{ split_select_multiples: 'false' }, 'fruits', 'apple kiwi'],
    [{ binary_select_multiples: 'true' }, 'fruits/fig', '0'],
    [{ value_select_multiples: 'true' }, 'fruits/kiwi', 'kiwi'],
    [{ value_select_multiples: 'true' }, 'fruits/fig', ''],
    [{ include_images: 'false' }, 'photo', 'x.jpg'],
    [{ show_choice_labels: 'true' }, 'sex', 'Female'],
    [{ show_choice_labels: 'true', split_select_multiples: 'false' }, 'fruits', 'Apple, Kiwi'],
    [{ include_labels_only: 'true' }, 'fruits/Apple', 'True'],
    [{ include_labels_only: 'true' }, 'Age of child[1]', '12'],
    [{ include_labels_only: 'true' }, 'Toy[2][1]', 'a'],
    [{ include_labels_only: 'true', repeat_index_tags: '_' }, 'Toy_2__1_', 'a'],
    [{ repeat_index_tags: '_,_' }, 'kids_1_/kname', 'Tom'],
    [{ repeat_index_tags: '.' }, 'kids.1./kname', 'Tom'],
    [{ include_reviews: 'true' }, '_review_status', ''],
  ])('%j: the column %s holds %j', async (query, name, value) => {
    const [first = [], row = []] = rowsIn((await get(query as Record<string, string>)).body)
    expect(row[first.indexOf(name)]).toBe(value)
    expect(first).toContain(name)
  })

  it('include_labels adds a line of labels, win_excel_utf8 one mark at the start, fields choose columns', async () => {
    const [, labels] = rowsIn((await get({ include_labels: 'true' })).body)
    expect(labels?.slice(0, 4)).toEqual(['Name', 'Age', 'Sex', 'fruits/Apple'])
    const marked = (await get({ win_excel_utf8: 'true' })).body
    expect([marked.startsWith('\ufeffname,'), marked.split('\ufeff')]).toMatchObject([true, { length: 2 }])
    expect((await get({ fields: 'nope,=1' })).body).toBe("nope,'=1\nn/a,n/a\nn/a,n/a\n")
    expect((await get({ fields: 'nope,age' })).body).toBe('age,nope\n25,n/a\nn/a,n/a\n')
    expect((await get({ fields: 'age,_id' })).body).toBe(`age,_id\n25,${ids[0]}\nn/a,${ids[1]}\n`)
  })

  it('query, sort, filters, tags, start, limit and pages apply; repeats are those of the rows shown', async () => {
    const namesOf = async (query: Record<string, string>) =>
      rowsIn((await get({ fields: '_uuid', ...query })).body)
        .slice(1)
        .flat()
    expect(await namesOf({ query: '{"age":"25"}' })).toEqual(['u1'])
    expect(await namesOf({ sort: '-_id' })).toEqual(['u2', 'u1'])
    expect(await namesOf({ tags: 'a' })).toEqual(['u1'])
    expect(await namesOf({ start: '1' })).toEqual(['u2'])
    expect(await namesOf({ page: '2', page_size: '1' })).toEqual(['u2'])
    expect(await namesOf({ start: '24_01_02_00_00_00' })).toEqual(['u2'])
    expect(await namesOf({ end: '24_01_01_23_59_59' })).toEqual(['u1'])
    expect((await get({ query: '{"_uuid":"u2"}' })).body).not.toContain('kids')
    for (const query of [
      { query: '{bad' },
      { start: 'yesterday' },
      { end: '24_13_01_00_00_00' },
      { repeat_index_tags: '<' },
    ]) {
      expect((await get(query as Record<string, string>)).statusCode).toBe(400)
    }
    expect((await get({ start: 'yesterday' })).json()).toEqual({
      detail: 'Dates must be in the format YY_MM_DD_hh_mm_ss',
    })
  })

  it('says at its end how many rows it has and their hash', async () => {
    const response = await get()
    expect(response.headers.trailer).toBe('X-Row-Count, X-Content-SHA256')
    expect(response.trailers).toEqual({
      'x-row-count': '2',
      'x-content-sha256': createHash('sha256').update(response.rawPayload).digest('hex'),
    })
  })

  it('403 without the export permission, 404 for those who see nothing; one’s own records for dataentry-minor; public data for all', async () => {
    const [reader, minor, only, stranger] = await Promise.all([1, 2, 3, 4].map(() => app.account()))
    await giveRole(app, place.form, reader as Account, 'readonly-no-download')
    await giveRole(app, place.form, minor as Account, 'dataentry-minor')
    await giveRole(app, place.form, only as Account, 'dataentry-only')
    const as = (account: Account | undefined, pk = place.form.id) =>
      app.as(account as Account)('GET', `/data/${pk}.csv?fields=_uuid`)
    expect([(await as(reader)).statusCode, (await as(reader)).json()]).toEqual([
      403,
      { detail: "You don't have permission" },
    ])
    expect((await as(only)).statusCode).toBe(404)
    expect((await as(stranger)).statusCode).toBe(404)
    expect((await as(minor)).body).toBe('_uuid\n')
    const { form: open } = await newForm(app, { isDataPublic: true })
    expect((await app.call('GET', `/data/${open.id}.csv?fields=_uuid`)).body).toBe('_uuid\n')
    const { form: shown } = await newForm(app, { isPublic: true })
    expect((await as(stranger, shown.id)).statusCode).toBe(403)
  })
})

const first = `
| survey |
|        | type                | name   | label |
|        | text                | a      | A     |
|        | select_multiple abc | picks  | P     |
|        | begin group         | g      | G     |
|        | text                | b      | B     |
|        | end group           |        |       |
|        | text                | old    | Old   |
|        | text                | turned | T     |
| choices |
|        | list_name | name | label |
|        | abc       | x    | X     |
|        | abc       | y    | Y     |
`
const second = `
| survey |
|        | type                | name   | label |
|        | select_multiple abc | picks  | P     |
|        | text                | a      | A     |
|        | begin repeat        | g      | G     |
|        | text                | b      | B     |
|        | begin repeat        | in     | I     |
|        | geopoint            | p      | P     |
|        | end repeat          |        |       |
|        | end repeat          |        |       |
|        | select_multiple abc | turned | T     |
| choices |
|        | list_name | name | label |
|        | abc       | y    | Y     |
|        | abc       | z    | Z     |
`

describe('the columns of a form', () => {
  /** Every text is its own, so that it can be found again. */
  let texts = 0
  const text = fc.constant(0).map(() => `value${++texts}`)
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
  const one = fc.record({
    a: maybe(text),
    old: maybe(text),
    'g/b': maybe(text),
    turned: maybe(text),
    other: maybe(text),
    'g/x': maybe(text),
  })
  const two = fc.record({
    a: maybe(text),
    turned: maybe(text),
    'meta/instanceName': maybe(text),
    g: maybe(
      fc.array(
        fc.record({
          'g/b': maybe(text),
          'g/new': maybe(text),
          'g/in': maybe(
            fc.array(fc.record({ 'g/in/p': maybe(text), 'g/in/q': maybe(text) }), { minLength: 1, maxLength: 3 }),
          ),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    ),
  })

  const leaves = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
  }

  it('are the union of its versions: every stored answer appears in the export exactly once', async () => {
    const { db } = app.deps
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(one, two), { maxLength: 5 }), async (given) => {
        const union = await putForm(db, {
          ownerId: place.ana.id,
          projectId: place.projectId,
          versions: [first, second],
        })
        const answers = given.map((record) => JSON.parse(JSON.stringify(record)) as object)
        await put(app, union, ...answers.map((record) => ({ answers: record })))
        const [head = [], ...rows] = rowsIn((await get({}, union.id)).body)
        expect(rows).toHaveLength(answers.length)
        expect(new Set(head).size).toBe(head.length)
        for (const [at, record] of answers.entries()) {
          const cells = (rows[at] ?? []).filter((cell) => cell.startsWith('value'))
          expect(cells.sort()).toEqual(leaves(record).sort())
        }
      }),
      { numRuns: 25 },
    )
  })

  it('stand in the order of the newest version, then what only former ones had; choices are those of all', async () => {
    const union = await putForm(app.deps.db, {
      ownerId: place.ana.id,
      projectId: place.projectId,
      versions: [first, second],
    })
    await put(app, union, { answers: { g: [{ 'g/b': '1' }], picks: 'x z' } }, { answers: { 'g/b': '2' } })
    const [head] = rowsIn((await get({}, union.id)).body)
    expect(head?.slice(0, 9).join()).toBe('picks/y,picks/z,picks/x,a,g[1]/b,turned,g/b,old,meta/instanceID')
  })

  it('hold a record that came while the columns were being chosen', async () => {
    const { ana: owner, form: busy } = await newForm(app)
    await put(app, busy, { answers: { kids: [{ 'kids/kname': 'one' }] } })
    await app.as(owner)('GET', `/data/${busy.id}.csv`)
    await put(app, busy, { answers: { kids: [{ 'kids/kname': 'two' }, { 'kids/kname': 'three' }], more: 'four' } })
    const { body } = await app.as(owner)('GET', `/data/${busy.id}.csv`)
    expect(rowsIn(body)[0]).toEqual(expect.arrayContaining(['kids[2]/kname', 'more']))
    for (const word of ['one', 'two', 'three', 'four']) expect(body).toContain(word)
  })

  it('may be thousands', async () => {
    const rows = Array.from({ length: 1700 }, (_, index) => `| | text | q${index} | Q${index} |`).join('\n')
    const wide = await putForm(app.deps.db, {
      ownerId: place.ana.id,
      projectId: place.projectId,
      versions: [`| survey |\n| | type | name | label |\n${rows}`],
    })
    await put(app, wide, { answers: { q0: '=x', q1699: 'a,"b"' } }, {})
    const response = await get({}, wide.id)
    const [head = [], row = [], empty = []] = rowsIn(response.body)
    expect([head.length, row[0], row[1], row[1699], empty[0]]).toEqual([1714, "'=x", 'n/a', 'a,"b"', 'n/a'])
    expect(response.trailers['x-row-count']).toBe('2')
  })
})

describe('a table that is read while it grows', () => {
  it('is made again when a record holds more than its columns', async () => {
    const { ana: owner, form: busy } = await newForm(app)
    await put(app, busy, { answers: { name: 'a' } })
    // Writers that never stop: each export is whole as of its own moment.
    let isDone = false
    const writing = (async () => {
      for (let count = 1; !isDone; count++) {
        const kids = Array.from({ length: count % 40 }, (_, index) => ({ 'kids/kname': `k${index}` }))
        await put(app, busy, { answers: { kids } })
      }
    })()
    try {
      for (let round = 0; round < 5; round++) {
        const response = await app.as(owner)('GET', `/data/${busy.id}.csv`)
        if (response.statusCode === 503) continue
        const [head = [], ...rows] = rowsIn(response.body)
        const most = Math.max(0, ...rows.map((row) => row.filter((cell) => /^k\d+$/.test(cell)).length))
        expect(head.filter((name) => name.endsWith(']/kname')).length).toBeGreaterThanOrEqual(most)
        const counts = await app.deps.db.rows<{ id: number; kids: number }>(sql`
          select id, coalesce(jsonb_array_length(answers -> 'kids'), 0) as kids from submissions where form_id = ${busy.id}`)
        for (const row of rows) {
          const id = Number(row[head.indexOf('_id')])
          expect(row.filter((cell) => /^k\d+$/.test(cell))).toHaveLength(
            counts.find((one) => one.id === id)?.kids ?? -1,
          )
        }
      }
    } finally {
      isDone = true
      await writing
    }
  })
})
