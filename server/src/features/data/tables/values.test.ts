// What is stored is what a file holds: CSV as strict readers take it, workbooks with cells of their types.
import { read, utils } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { put, unzipped } from '../../../../test/support/data.js'
import { newProject } from '../../../../test/support/projects.js'
import { putForm, type TestForm } from '../../../../test/support/records.js'

const survey = `
| survey  |
|         | type          | name    | label | bind::type | calculation |
|         | text          | who     | W     |            |             |
|         | integer       | age     | A     |            |             |
|         | decimal       | height  | H     |            |             |
|         | date          | day     | D     |            |             |
|         | time          | hour    | T     |            |             |
|         | dateTime      | moment  | M     |            |             |
|         | calculate     | sum     | S     |            | 1           |
|         | calculate     | total   | S     | int        | 1           |
|         | calculate     | until   | S     | time       | 1           |
|         | barcode       | code    | C     |            |             |
|         | select_one ab | pick    | P     |            |             |
|         | select_multiple ab | picks | P  |            |             |
|         | geopoint      | gps     | G     |            |             |
|         | geotrace      | path    | G     |            |             |
|         | geoshape      | field   | G     |            |             |
| choices |
|         | list_name | name  | label    |
|         | ab        | 1     | One      |
|         | ab        | -b    | - none - |
`

const app = testApp()
let ana: Account
let projectId: number
let form: TestForm

const first = {
  who: '+44 20 7946',
  age: '42',
  height: '-1.75',
  day: '2024-02-29',
  hour: '06:30:00.000+03:00',
  moment: '2024-02-29T06:30:15.250+03:00',
  sum: '12.5',
  total: '7',
  until: '18:00:00.000Z',
  code: '12345',
  pick: '-b',
  picks: '-b 1',
  gps: '-1.5 36.5 0 5',
  path: '-1.5 36.5 0 0;-1.6 36.5 0 0',
  field: '-1.5 36.5 0 0;-1.6 36.5 0 0;-1.5 36.5 0 0;',
}
/** What no spreadsheet keeps as it is written. */
const odd = {
  who: '=1+1',
  age: '12345678901234567',
  height: '0123',
  day: '2024-02-30',
  hour: 'noon',
  moment: '1899-01-01T00:00:00',
  sum: 'A12',
  total: 'seven',
  code: '0012345',
}

beforeAll(async () => {
  ana = await app.account()
  projectId = await newProject(app, ana)
  form = await putForm(app.deps.db, { ownerId: ana.id, projectId, versions: [survey] })
  await put(app, form, { answers: first, at: '2024-03-01T10:00:00Z', duration: 18 }, { answers: odd }, { answers: {} })
})

const get = (suffix: string, query: Record<string, string> = {}) =>
  app.as(ana)('GET', `/data/${form.id}${suffix}`, { query })

const fields = Object.keys(first).join()
type Row = Record<string, unknown>

describe('cells of XLSX', () => {
  it('are numbers, days, times and moments where the question is one, as another program reads them', async () => {
    const { sheets } = await readXlsx((await get('.xlsx')).rawPayload)
    const [head = [], row = []] = sheets[0]?.rows ?? []
    const of = (name: string) => row[head.indexOf(name)]
    expect(['age', 'height', 'sum', 'total', '_duration', '_gps_latitude'].map(of)).toEqual([
      42, -1.75, 12.5, 7, 18, -1.5,
    ])
    expect(['day', 'moment', '_submission_time'].map((name) => (of(name) as Date).toISOString())).toEqual([
      '2024-02-29T00:00:00.000Z',
      '2024-02-29T06:30:15.250Z',
      '2024-03-01T10:00:00.000Z',
    ])
    expect(['who', 'code', 'pick', 'picks', 'gps', 'path', 'field'].map(of)).toEqual(
      ['who', 'code', 'pick', 'picks', 'gps', 'path', 'field'].map((name) => first[name as 'who']),
    )
  })

  it('show days and times as they were written, in the words of a second program', async () => {
    const book = read((await get('.xlsx', { fields })).rawPayload, { cellNF: true })
    const [shown] = utils.sheet_to_json<Row>(book.Sheets.data as never, { raw: false })
    expect(shown).toMatchObject({
      day: '2024-02-29',
      hour: '06:30:00+03:00',
      moment: '2024-02-29 06:30:15+03:00',
      until: '18:00:00Z',
      who: '+44 20 7946',
    })
  })

  it('are texts where a spreadsheet would keep less, and nothing where there is no answer', async () => {
    const book = read((await get('.xlsx', { fields })).rawPayload)
    const rows = utils.sheet_to_json<Row>(book.Sheets.data as never, { header: 'A', blankrows: true })
    expect(Object.values(rows[2] ?? {})).toEqual(Object.values(odd))
    expect(rows[3]).toEqual({})
  })

  it('never have an apostrophe of ours, nor do headings', async () => {
    const other = await putForm(app.deps.db, { ownerId: ana.id, projectId, versions: [survey] })
    await put(app, other, { answers: { '=x': '@y', who: '_x0041_\u0001' } })
    const { sheets } = await readXlsx((await app.as(ana)('GET', `/data/${other.id}.xlsx?fields=who,%3Dx`)).rawPayload)
    expect(sheets[0]?.rows).toEqual([
      ['who', '=x'],
      ['_x0041_\u0001', '@y'],
    ])
  })
})

describe('cells of CSV', () => {
  it.each(['.csv', '.csvzip'])(
    '%s: stand as they are stored, but for what a spreadsheet would execute',
    async (suffix) => {
      const { rawPayload } = await get(suffix, { fields, split_select_multiples: 'false' })
      const bytes = suffix === '.csv' ? rawPayload : ((await unzipped(rawPayload)).get('data.csv') as Buffer)
      const [one, two, none] = parse(bytes, { columns: true }) as Row[]
      expect(one).toMatchObject(first)
      expect(two).toMatchObject({ ...odd, who: "'=1+1" })
      expect(new Set(Object.values(none ?? {}))).toEqual(new Set(['n/a']))
    },
  )

  it('with raw=true and na= every column of numbers or days has nothing else in it', async () => {
    const plain = await putForm(app.deps.db, { ownerId: ana.id, projectId, versions: [survey] })
    await put(app, plain, { answers: first }, { answers: { who: '' } }, {})
    const { body } = await app.as(ana)('GET', `/data/${plain.id}.csv?raw=true&na=&fields=who,age,height,day,total`)
    expect(body).toBe('who,age,height,day,total\n+44 20 7946,42,-1.75,2024-02-29,7\n"",,,,\n,,,,\n')
  })

  it('labels of the form that look like formulas stay as they are, what somebody sent in their place does not', async () => {
    await put(app, form, { answers: { pick: '-c', picks: '-b =x', who: '-b' } })
    const query = { fields: 'who,pick,picks', split_select_multiples: 'false', show_choice_labels: 'true' }
    const rows = parse((await get('.csv', query)).body) as string[][]
    expect([rows[1], rows[4]]).toEqual([
      ['+44 20 7946', '- none -', '- none -, One'],
      ['-b', "'-c", "'- none -, =x"],
    ])
  })

  it('whatever was sent is read back as it was sent with raw=true, and tells what was not answered by its quotes', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({
        unit: fc.constantFrom("'", '=', '+', '-', '"', ',', '\n', '\r', '\t', '|', '\\', 'n/a', '1'),
        maxLength: 8,
      }),
    )
    // PostgreSQL holds no NUL.
    const storable = text.map((one) => one.replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(storable), { minLength: 1, maxLength: 6 }), async (texts) => {
        const own = await putForm(app.deps.db, { ownerId: ana.id, projectId, versions: [survey] })
        await put(app, own, ...texts.map((who) => ({ answers: who === null ? { age: '1' } : { who, age: '1' } })))
        const { body } = await app.as(ana)('GET', `/data/${own.id}.csv?raw=true&fields=who,age`)
        const rows = parse(body, {
          record_delimiter: '\n',
          cast: (value, { quoting }) => (value === 'n/a' && !quoting ? null : value),
        }) as unknown[][]
        expect(rows.slice(1)).toEqual(texts.map((who) => [who, '1']))
      }),
      { numRuns: 25 },
    )
  })
})
