import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { read, utils } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, unzipped, useForm, useRecords } from '../../../../test/support/data.js'
import { sql } from '../../../platform/db/index.js'
import { readList, seenForm, wholeSlice } from '../selection/index.js'
import { xlsxOf } from './archives.js'
import { choiceWords } from './choice-words.js'
import { tableOptions } from './options.js'

const app = testApp()
const place = useForm(app)

const ids = useRecords(app, place, () => [
  { answers: { name: 'none', age: '007' }, at: '2024-01-01T00:00:00Z' },
  {
    answers: {
      name: '=cmd|x',
      age: '12',
      fruits: 'fig',
      'visit/gps': '-1.5 36.5 0 5',
      kids: [
        { 'kids/kname': 'A', 'kids/kage': '3' },
        { 'kids/kname': 'B', 'kids/toys': [{ 'kids/toys/toy': 'car' }, { 'kids/toys/toy': 'ball' }] },
      ],
      photo: 'p.jpg',
      other: 'x',
    },
    at: '2024-02-01T00:00:00Z',
    notes: [{ note: 'n1' }, { note: 'n2' }],
    place: [-1.5, 36.5],
  },
  {
    answers: { kids: [{ 'kids/kname': 'C', 'kids/toys': [{ 'kids/toys/toy': 'doll' }], 'kids/more': 'y' }] },
    at: '2024-03-01T00:00:00Z',
  },
])

const get = (suffix: string, query: Record<string, string> = {}) =>
  app.as(place.ana)('GET', `/data/${place.form.id}${suffix}`, { query })

type Row = Record<string, unknown>

const expectTables = (tables: Record<string, Row[]>, name: string) => {
  expect(Object.keys(tables)).toEqual(['data', 'kids', 'kids_toys'])
  expect(tables.data?.map((row) => String(row._index))).toEqual(['1', '2', '3'])
  expect(tables.data?.[1]).toMatchObject({
    name,
    fruits: 'fig',
    'fruits/fig': 'True',
    'fruits/kiwi': 'False',
    'visit/gps': '-1.5 36.5 0 5',
    other: 'x',
    _notes: expect.stringMatching(/^n1\r?\nn2$/),
  })
  expect(
    tables.kids?.map((row) => [
      row['kids/kname'],
      ...[row._index, row._parent_table_name, row._parent_index].map(String),
    ]),
  ).toEqual([
    ['A', '1', 'data', '2'],
    ['B', '2', 'data', '2'],
    ['C', '3', 'data', '3'],
  ])
  expect(tables.kids?.[2]).toMatchObject({ 'kids/more': 'y', _id: expect.anything() })
  expect(
    tables.kids_toys?.map((row) => [
      row['kids/toys/toy'],
      ...[row._index, row._parent_table_name, row._parent_index].map(String),
    ]),
  ).toEqual([
    ['car', '1', 'kids', '2'],
    ['ball', '2', 'kids', '2'],
    ['doll', '3', 'kids', '3'],
  ])
}

describe('GET /data/{pk}.xlsx', () => {
  it('200 with one sheet for the records and one per repeat, linked by numbers; cells are texts, numbers or empty', async () => {
    const response = await get('.xlsx')
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ])
    const book = read(response.rawPayload)
    const tables = Object.fromEntries(
      book.SheetNames.map((name) => [name, utils.sheet_to_json<Row>(book.Sheets[name] as never)]),
    )
    expectTables(tables, '=cmd|x')
    expect(tables.data?.map(({ age }) => age)).toEqual(['007', 12, undefined])
    // A second reader, which is stricter about the parts of the file.
    expect((await readXlsx(response.rawPayload)).sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
      ['data', 4],
      ['kids', 4],
      ['kids_toys', 4],
    ])
    expect(tables.data?.[0]).toMatchObject({ _parent_index: -1, _id: ids[0] })
    expect(response.trailers).toEqual({
      'x-row-count': '3',
      'x-content-sha256': createHash('sha256').update(response.rawPayload).digest('hex'),
    })
  })

  it('200 with header rows alone for a form without records; filters apply', async () => {
    const { ana: owner, form: fresh } = await newForm(app)
    const book = read((await app.as(owner)('GET', `/data/${fresh.id}.xlsx`)).rawPayload)
    expect(book.SheetNames).toEqual(['data', 'kids', 'kids_toys'])
    const some = read((await get('.xlsx', { query: '{"name":"none"}' })).rawPayload)
    expect(utils.sheet_to_json(some.Sheets.data as never)).toHaveLength(1)
  })

  it('what is longer than a sheet goes on in the next, under the same headings', async () => {
    const { db } = app.deps
    const caller = { id: place.ana.id, username: 'ana', isAnonymous: false, credential: { kind: 'none', hash: '' } }
    const list = await readList(db, await seenForm(db, caller, String(place.form.id)), {})
    const options = tableOptions({}, undefined, list.shape)
    const words = await choiceWords(list.shape, options)
    const { bytes, rowCount } = await xlsxOf(
      db,
      { list, slice: wholeSlice(list), options, origin: '', words, now: new Date() },
      3,
    )
    const { sheets } = await readXlsx(Buffer.concat(await Readable.from(bytes).toArray()))
    expect(sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
      ['data', 3],
      ['data2', 2],
      ['kids', 3],
      ['kids2', 2],
      ['kids_toys', 3],
      ['kids_toys2', 2],
    ])
    expect(sheets[1]?.rows[0]).toEqual(sheets[0]?.rows[0])
    expect(rowCount()).toBe(3)
  })
})

describe('GET /data/{pk}.csvzip', () => {
  it('200 with one CSV for the records and one per repeat', async () => {
    const response = await get('.csvzip')
    const files = await unzipped(response.rawPayload)
    const tables = Object.fromEntries(
      [...files].map(([name, bytes]) => [name.replace(/\.csv$/, ''), parse(bytes, { columns: true }) as Row[]]),
    )
    expectTables(tables, "'=cmd|x")
    expect(response.trailers['x-row-count']).toBe('3')
  })
})

describe('GET /data/{pk}.kml', () => {
  it('200 with a placemark per record that has a place', async () => {
    const response = await get('.kml')
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      'application/vnd.google-earth.kml+xml',
    ])
    expect(response.body.match(/<Placemark>/g)).toHaveLength(1)
    expect(response.body).toContain(`<name>${ids[1]}</name>`)
    expect(response.body).toContain('<Point><coordinates>36.5,-1.5,0</coordinates></Point>')
    expect(response.body).toContain('<td>name</td><td>=cmd|x</td>')
  })
})

describe('tables of repeats', () => {
  it('have no column for a name that nothing goes by: it is empty in the first table alone', async () => {
    const response = await get('.csvzip', { fields: 'name,nobody,kids/kname' })
    const files = await unzipped(response.rawPayload)
    const headers = [...files].map(([path, bytes]) => [path, bytes.toString().split('\n', 1)[0]?.includes('nobody')])
    expect(headers).toEqual([
      ['data.csv', true],
      ['kids.csv', false],
    ])
  })
})

describe('GET /data/{pk}.zip', () => {
  const attach = async (submission: number, name: string, question: string, content: Buffer, isLost = false) => {
    const key = `test/${randomBytes(8).toString('hex')}`
    const stored = await app.deps.files.put(key, Readable.from([content]))
    if (isLost) await app.deps.files.delete(key)
    await app.deps.db.run(sql`
      insert into attachments (form_id, id, submission_id, name, stored_name, file_key, mimetype, bytes, sha256, md5,
        question, created_at)
      values (${place.form.id}, nextval('attachment_ids'), ${submission}, ${name}, ${name}, ${key}, 'image/jpeg', ${stored.bytes},
        ${stored.sha256}, ${stored.md5}, ${question}, now())`)
    return stored.sha256
  }

  it('200 with the files of the records and a manifest with their hashes; by question and by date', async () => {
    const picture = randomBytes(100_000)
    const [first = 0, second = 0, third = 0] = ids
    const hash = await attach(second, 'p.jpg', 'photo', picture)
    await attach(third, 'p.jpg', 'photo', Buffer.from('three'))
    await attach(first, '..', 'sound', Buffer.from('s'))
    await attach(first, 'lost.jpg', 'photo', Buffer.from('lost'), true)
    const response = await get('.zip')
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/zip'])
    const files = await unzipped(response.rawPayload)
    expect([...files.keys()]).toEqual([`${first}/_`, `${second}/p.jpg`, `${third}/p.jpg`, 'manifest.json'])
    expect(files.get(`${second}/p.jpg`)?.equals(picture)).toBe(true)
    const manifest = JSON.parse(String(files.get('manifest.json')))
    expect(manifest).toHaveLength(4)
    expect(manifest).toContainEqual({
      path: `${second}/p.jpg`,
      sha256: hash,
      bytes: 100_000,
      mimetype: 'image/jpeg',
      question: 'photo',
      _id: second,
      _uuid: expect.any(String),
    })
    expect(manifest).toContainEqual(expect.objectContaining({ path: `${first}/lost.jpg`, missing: true }))
    expect(response.trailers['x-row-count']).toBe('3')
    const names = async (query: Record<string, string>) => [
      ...(await unzipped((await get('.zip', query)).rawPayload)).keys(),
    ]
    expect(await names({ question: 'sound' })).toEqual([`${first}/_`, 'manifest.json'])
    expect(await names({ start: '24_02_15_00_00_00' })).toEqual([`${third}/p.jpg`, 'manifest.json'])
    expect(await names({ end: '24_02_15_00_00_00', question: 'photo' })).toEqual([`${second}/p.jpg`, 'manifest.json'])
    const of = (path: string) => manifest.find((file: { path: string }) => file.path === path)
    const idsOf = await app.deps.db.rows<{ id: number }>(sql`
      select id from attachments where form_id = ${place.form.id} and sha256 in (${hash}, ${of(`${first}/_`).sha256}) order by id`)
    const chosen = idsOf.map(({ id }) => id).join(',')
    expect(await names({ files: chosen })).toEqual([`${first}/_`, `${second}/p.jpg`, 'manifest.json'])
    const day = new Date().toISOString().slice(0, 10)
    expect(await names({ files: chosen, folders: 'questions' })).toEqual([
      `sound/${day}_${first}__`,
      `photo/${day}_${second}_p.jpg`,
      'manifest.json',
    ])
    const tooMany = Array.from({ length: 1001 }, (_, id) => id).join(',')
    for (const wrong of ['x', '1,', '-1', tooMany]) {
      expect([wrong.slice(0, 5), (await get('.zip', { files: wrong })).statusCode]).toEqual([wrong.slice(0, 5), 400])
    }
  })
})

describe('files', () => {
  it.each(['.xlsx', '.csvzip', '.kml', '.zip'])(
    '%s: 403 without export, 404 for a stranger, own records for dataentry-minor',
    async (suffix) => {
      const [reader, minor, stranger] = [await app.account(), await app.account(), await app.account()]
      await giveRole(app, place.form, reader, 'readonly-no-download')
      await giveRole(app, place.form, minor, 'dataentry-minor')
      const path = `/data/${place.form.id}${suffix}`
      expect((await app.as(reader)('GET', path)).statusCode).toBe(403)
      expect((await app.as(stranger)('GET', path)).statusCode).toBe(404)
      const own = await app.as(minor)('GET', path)
      expect([own.statusCode, own.trailers['x-row-count']]).toEqual([200, '0'])
      expect((await get(suffix, { query: '{bad' })).statusCode).toBe(400)
    },
  )
})
