// Every option of tables in every place that gives tables: at once and kept, of a form and of a dataview.
import { read, utils } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { put, unzipped } from '../../../../test/support/data.js'
import { newProject } from '../../../../test/support/projects.js'
import { putForm, type TestForm } from '../../../../test/support/records.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'
import { runPendingJobs } from '../../../platform/jobs/index.js'

const survey = `
| survey  |
|         | type                   | name   | label::English | label::French | hxl       |
|         | text                   | name   | Name           | Nom           | #person   |
|         | select_multiple fruits | fruits | Fruits         | Fruits !      | #food     |
|         | begin group            | visit  | Visit          | Visite        |           |
|         | select_one sex         | sex    | Sex            | Sexe          |           |
|         | geopoint               | gps    | Place          | Lieu          | #geo      |
|         | image                  | photo  | Picture        | Image         |           |
|         | end group              |        |                |               |           |
|         | begin repeat           | kids   | Children       | Enfants       |           |
|         | integer                | kage   | Age of child   | Âge           | #kid+age  |
|         | select_multiple fruits | likes  | Likes          | Aime          |           |
|         | end repeat             |        |                |               |           |
| choices |
|         | list_name | name  | label::English | label::French |
|         | sex       | f     | Female         | Femme         |
|         | sex       | m     | Male           | Homme         |
|         | fruits    | apple | Apple          | Pomme         |
|         | fruits    | fig   | Fig            | Figue         |
`

const app = testApp()
let ana: Account
let form: TestForm
let dataview: number

beforeAll(async () => {
  ana = await app.account()
  const projectId = await newProject(app, ana)
  form = await putForm(app.deps.db, { ownerId: ana.id, projectId, versions: [survey] })
  await put(
    app,
    form,
    {
      attachments: [{ name: 'x.jpg', download_url: '/api/v1/files/5?filename=x.jpg' }],
      review: { status: '2', comment: '=no', at: '2024-03-01T10:00:00Z' },
      answers: {
        name: '=1+1',
        fruits: 'fig',
        'visit/sex': 'f',
        'visit/gps': '-1.5 36.5 0 5',
        'visit/photo': 'x.jpg',
        kids: [{ 'kids/kage': '3', 'kids/likes': 'apple' }, { 'kids/kage': '5' }],
      },
    },
    { answers: { extra: 'kept' } },
  )
  const body = {
    name: 'All',
    xform: `http://localhost/api/v1/forms/${form.id}`,
    project: `http://localhost/api/v1/projects/${projectId}`,
    columns: ['name', 'fruits', 'visit/sex', 'visit/gps', 'visit/photo', 'kids', '_id'],
  }
  dataview = (await app.as(ana)('POST', '/dataviews', { body })).json().dataviewid
})

type Query = Record<string, string>
/** Rows of each table, its header first. */
type Tables = Record<string, string[][]>

const kept = async (path: string, format: string, query: Query): Promise<Buffer> => {
  const asked = await app.as(ana)('GET', path, { query: { ...query, format } })
  if (asked.statusCode !== 202) throw new Error(asked.body)
  await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
  const { export_url: url } = (await app.as(ana)('GET', path, { query: { ...query, format } })).json()
  return (await app.as(ana)('GET', `/export/${String(url).split('/').at(-1)}`)).rawPayload
}

const atOnce = async (path: string, format: string, query: Query): Promise<Buffer> => {
  const response = await app.as(ana)('GET', `${path}.${format}`, { query })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.rawPayload
}

/** Strict: every row is as long as the first. */
const csvRows = (bytes: Buffer): string[][] => parse(bytes, { bom: true }) as string[][]

const readers: Record<string, (bytes: Buffer) => Tables | Promise<Tables>> = {
  csv: (bytes) => ({ data: csvRows(bytes) }),
  csvzip: async (bytes) =>
    Object.fromEntries([...(await unzipped(bytes))].map(([name, file]) => [name.replace('.csv', ''), csvRows(file)])),
  xlsx: (bytes) => {
    const book = read(bytes)
    const rowsOf = (name: string) =>
      utils
        .sheet_to_json<unknown[]>(book.Sheets[name] as never, { header: 1, defval: '', raw: true })
        .map((row) => row.map(String))
    return Object.fromEntries(book.SheetNames.map((name) => [name, rowsOf(name)]))
  },
}

const places = ['form', 'kept form', 'dataview', 'kept dataview'] as const
type Place = (typeof places)[number]

const tablesIn = async (place: Place, format: string, query: Query): Promise<Tables> => {
  const isForm = place.endsWith('form')
  const bytes = place.startsWith('kept')
    ? await kept(isForm ? `/forms/${form.id}/export_async` : `/dataviews/${dataview}/export_async`, format, query)
    : await atOnce(isForm ? `/data/${form.id}` : `/dataviews/${dataview}/data`, format, query)
  return (readers[format] as (bytes: Buffer) => Promise<Tables>)(bytes)
}

const formats = ['csv', 'csvzip', 'xlsx']
const everywhere = places.flatMap((place) => formats.map((format) => ({ place, format })))

/** The cells of the first record under a heading, in the table of the records. */
const cellsUnder = ({ data = [] }: Tables, heading: string, headers = 1): (string | undefined)[] => {
  const at = data[0]?.indexOf(heading) ?? -1
  return at === -1 ? [] : [data[headers]?.[at]]
}

describe.each(everywhere)('$format of a $place', ({ place, format }) => {
  const tables = (query: Query) => tablesIn(place, format, { include_hxl: 'false', ...query })

  it.each<[Query, string, string]>([
    [{ group_delimiter: '.' }, 'visit.sex', 'f'],
    [{ remove_group_name: 'true' }, 'sex', 'f'],
    [{ remove_group_name: 'true' }, 'fruits/fig', 'True'],
    [{ split_select_multiples: 'false' }, 'fruits', 'fig'],
    [{ do_not_split_select_multiples: 'true' }, 'fruits', 'fig'],
    [{ binary_select_multiples: 'true' }, 'fruits/fig', '1'],
    [{ value_select_multiples: 'true' }, 'fruits/fig', 'fig'],
    [{ include_images: 'false' }, 'visit/photo', 'x.jpg'],
    [{}, 'visit/photo', 'http://localhost:80/api/v1/files/5?filename=x.jpg'],
    [{ show_choice_labels: 'true' }, 'visit/sex', 'Female'],
    [{ show_choice_labels: 'true', language: 'French' }, 'visit/sex', 'Femme'],
    [{ include_labels_only: 'true' }, 'Sex', 'f'],
    [{ include_labels_only: 'true', language: 'french' }, 'Sexe', 'f'],
    [{ include_labels_only: 'true', language: 'French' }, 'fruits/Figue', 'True'],
    [{ include_labels_only: 'true' }, 'visit/_gps_latitude', '-1.5'],
    [{ include_reviews: 'true' }, '_review_status', '2'],
  ])('%j: the column %s holds %j', async (query, heading, value) => {
    expect(cellsUnder(await tables(query), heading)).toEqual([value])
  })

  it('without splitting there is no column of a choice; labels are a second line; tags the next', async () => {
    const whole = await tables({ split_select_multiples: 'false' })
    expect(whole.data?.[0]).not.toContain('fruits/fig')
    const labelled = await tables({ include_labels: 'true', include_hxl: 'true' })
    const [names = [], labels = [], tags = []] = labelled.data ?? []
    const of = (name: string) => [labels[names.indexOf(name)], tags[names.indexOf(name)]]
    expect(['name', 'fruits/fig', 'visit/sex', 'visit/_gps_latitude'].map(of)).toEqual([
      ['Name', '#person'],
      ['fruits/Fig', '#food+fig'],
      ['Sex', ''],
      ['visit/_gps_latitude', '#geo+lat'],
    ])
    expect(cellsUnder(labelled, 'visit/sex', 3)).toEqual(['f'])
  })

  it('fields choose the columns, of several tables those that have any of them; what is unknown is empty', async () => {
    const { data, ...repeats } = await tables({ fields: 'visit/sex,nope,_id', na: 'NA' })
    expect([data?.[0], repeats]).toEqual([['visit/sex', '_id', 'nope'], {}])
    expect(data?.[1]).toEqual(['f', expect.stringMatching(/^\d+$/), 'NA'])
    const of = await tables({ fields: '["name","kids/kage"]' })
    const links = ['_index', '_parent_table_name', '_parent_index']
    expect(Object.fromEntries(Object.entries(of).map(([name, rows]) => [name, rows[0]]))).toEqual(
      format === 'csv'
        ? { data: ['name', 'kids[1]/kage', 'kids[2]/kage'] }
        : { data: ['name', ...links], kids: ['kids/kage', ...links] },
    )
  })

  it('raw=true leaves out the guard, na says what stands for no answer', async () => {
    const usual = await tables({})
    expect(cellsUnder(usual, 'name')).toEqual([format === 'xlsx' ? '=1+1' : "'=1+1"])
    expect(usual.data?.[2]?.[0]).toBe(format === 'xlsx' ? '' : 'n/a')
    const raw = await tables({ raw: 'true', na: '' })
    expect([cellsUnder(raw, 'name'), raw.data?.[2]?.[0]]).toEqual([['=1+1'], ''])
    expect((await tables({ na: '-99' })).data?.[2]?.[0]).toBe('-99')
  })

  it.each<[Query, string]>([
    [{ language: 'Latin' }, "language: the form has none that is called 'Latin'. It has English, French."],
    [{ include_labels: 'maybe' }, "include_labels must be true or false, not 'maybe'."],
    [{ repeat_index_tags: '<' }, 'The tag < is not supported, supported tags are ([, ], {, }, (, ), ., _)'],
    [{ na: 'a,b' }, expect.stringContaining("'a,b'")],
    [{ na: '=1' }, expect.stringContaining("'=1'")],
    [{ fields: '[' }, expect.any(String)],
    [{ fields: '{"a":1}'.replace('{', '[{').replace('}', '}]') }, 'The fields must be a JSON list of names.'],
  ])('400 for %j, by name', async (query, detail) => {
    await expect(tables(query)).rejects.toThrow(/./)
    const error = await tables(query).catch(({ message }: Error) => JSON.parse(message))
    expect(error).toEqual({ detail })
  })
})

describe('options that only some tables have a use for', () => {
  it('labels of repeats carry their index, where entries stand side by side', async () => {
    const { data } = await tablesIn('form', 'csv', { include_labels_only: 'true', include_hxl: 'false' })
    expect(data?.[0]).toEqual(
      expect.arrayContaining(['Age of child[1]', 'Age of child[2]', 'kids[1]/likes/Apple', 'kids[2]/likes/Fig']),
    )
    expect(new Set(data?.[0]).size).toBe(data?.[0]?.length)
    const { kids } = await tablesIn('form', 'xlsx', { include_labels_only: 'true', include_hxl: 'false' })
    expect(kids?.[0]?.slice(0, 4)).toEqual(['Age of child', 'Likes', 'kids/likes/Apple', 'kids/likes/Fig'])
  })

  it('win_excel_utf8 marks every CSV once, at its start', async () => {
    const marked = (await atOnce(`/data/${form.id}`, 'csv', { win_excel_utf8: 'true' })).toString()
    expect([marked.startsWith('\ufeffname,'), marked.split('\ufeff')]).toMatchObject([true, { length: 2 }])
    const files = await unzipped(await atOnce(`/data/${form.id}`, 'csvzip', { win_excel_utf8: 'true' }))
    for (const bytes of files.values()) expect(bytes.toString().split('\ufeff')).toMatchObject(['', expect.any(String)])
  })

  it('tags are there by themselves where the form has them, in every table that has any', async () => {
    const csv = await tablesIn('form', 'csv', { fields: 'name,kids' })
    expect(csv.data?.slice(0, 2)).toEqual([
      ['name', ...[1, 2].flatMap((kid) => [`kids[${kid}]/kage`, `kids[${kid}]/likes/apple`, `kids[${kid}]/likes/fig`])],
      ['#person', '#kid+age', '', '', '#kid+age', '', ''],
    ])
    const xlsx = await tablesIn('form', 'xlsx', { fields: 'name,kids/kage' })
    expect([xlsx.data?.[1], xlsx.kids?.[1]]).toEqual([
      ['#person', '', '', ''],
      ['#kid+age', '', '', ''],
    ])
    const none = await tablesIn('form', 'csv', { fields: 'visit/sex' })
    expect(none.data?.[1]).toEqual(['f'])
  })

  it('columns of the review are there by themselves once a record was reviewed', async () => {
    await app.deps.db.run(sql`
      insert into submission_reviews (form_id, id, submission_id, status, created_by, created_at, modified_at)
      select form_id, nextval('review_ids'), id, '2', ${ana.id}, now(), now() from submissions where form_id = ${form.id} limit 1`)
    for (const format of formats) {
      const { data } = await tablesIn('form', format, {})
      expect(data?.[0]?.slice(-3)).toEqual(['_review_status', '_review_comment', '_review_date'])
    }
  })

  it('built-in fields that no table has by itself are there when they are asked for', async () => {
    for (const format of formats) {
      const { data: [head = [], row = []] = [] } = await tablesIn('form', format, {
        fields: '_status,_xform_id_string',
      })
      expect([...head].sort()).toEqual(['_status', '_xform_id_string'])
      expect(row).toEqual(head.map((name) => (name === '_status' ? 'submitted_via_web' : form.idString)))
    }
  })

  it('na has at most budgets.tables.unansweredCharacters characters; 400 for one more', async () => {
    const longest = 'x'.repeat(budgets.tables.unansweredCharacters)
    const { data } = await tablesIn('form', 'csv', { na: longest, fields: 'name', include_hxl: 'false' })
    expect(data).toEqual([['name'], ["'=1+1"], [longest]])
    const over = await app.as(ana)('GET', `/data/${form.id}.csv`, { query: { na: `${longest}x` } })
    expect([over.statusCode, over.json()]).toEqual([400, { detail: 'na has at most 20 characters.' }])
  })
})
