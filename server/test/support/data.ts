// What the tests of this room share: one form with every kind of question, its people, and records.
import { beforeAll } from 'vitest'
import yauzl from 'yauzl'
import { sql } from '../../src/platform/db/index.js'
import type { Account, TestApp } from './app.js'
import { newProject } from './projects.js'
import { type FormFields, putForm, putRecords, type RecordFields, type TestForm } from './records.js'

export const survey = `
| survey  |
|         | type                   | name   | label          |
|         | text                   | name   | Name           |
|         | integer                | age    | Age            |
|         | select_one sex         | sex    | Sex            |
|         | select_multiple fruits | fruits | Fruits         |
|         | begin group            | visit  | Visit          |
|         | date                   | day    | Day            |
|         | dateTime               | moment | Moment         |
|         | decimal                | height | Height         |
|         | geopoint               | gps    | Place          |
|         | end group              |        |                |
|         | begin repeat           | kids   | Children       |
|         | text                   | kname  | Child          |
|         | integer                | kage   | Age of child   |
|         | begin repeat           | toys   | Toys           |
|         | text                   | toy    | Toy            |
|         | end repeat             |        |                |
|         | end repeat             |        |                |
|         | geotrace               | path   | Way            |
|         | geoshape               | field  | Field          |
|         | image                  | photo  | Picture        |
|         | note                   | thanks | Thank you      |
| choices |
|         | list_name | name  | label  |
|         | sex       | f     | Female |
|         | sex       | m     | Male   |
|         | fruits    | apple | Apple  |
|         | fruits    | fig   | Fig    |
|         | fruits    | kiwi  | Kiwi   |
`

/** Two points, one within a repeat, and a way: `_geolocation` is that of `home`. */
export const placesSurvey = `
| survey |
|        | type         | name  | label |
|        | geopoint     | home  | Home  |
|        | geopoint     | work  | Work  |
|        | begin repeat | stops | Stops |
|        | geopoint     | stop  | Stop  |
|        | end repeat   |       |       |
|        | geotrace     | way   | Way   |
|        | text         | name  | Name  |
`

export interface Place {
  readonly ana: Account
  readonly projectId: number
  readonly form: TestForm
}

/** A form of a new account in a project of its own. */
export const newForm = async (app: TestApp, fields: Partial<FormFields> = {}): Promise<Place> => {
  const ana = await app.account()
  const projectId = await newProject(app, ana)
  const form = await putForm(app.deps.db, { ownerId: ana.id, projectId, versions: [survey], ...fields })
  return { ana, projectId, form }
}

/** One for all tests of a file, or of a `describe`: there when the first of them begins. */
export const useForm = (app: TestApp, fields: Partial<FormFields> = {}): Place => {
  const place = {} as Place
  beforeAll(async () => {
    Object.assign(place, await newForm(app, fields))
  })
  return place
}

export const put = (app: TestApp, form: TestForm, ...records: RecordFields[]): Promise<number[]> =>
  putRecords(app.deps.db, form.id, records)

/** Stored before the first test begins; answers their ids, which are known then. */
export const useRecords = (app: TestApp, place: Place, records: () => readonly RecordFields[]): readonly number[] => {
  const ids: number[] = []
  beforeAll(async () => {
    ids.push(...(await put(app, place.form, ...records())))
  })
  return ids
}

/** A role on the form alone. */
export const giveRole = (app: TestApp, form: TestForm, account: Account, role: string) =>
  app.deps.db.run(sql`
    insert into form_roles (form_id, user_id, role, created_at) values (${form.id}, ${account.id}, ${role}, now())
    on conflict (form_id, user_id) do update set role = excluded.role`)

/** Path → bytes. */
export const unzipped = (bytes: Buffer): Promise<Map<string, Buffer>> =>
  new Promise((resolve, reject) => {
    const found = new Map<string, Buffer>()
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error !== null) return reject(error)
      zip.on('entry', (entry: yauzl.Entry) => {
        zip.openReadStream(entry, async (failure, stream) => {
          if (failure !== null) return reject(failure)
          found.set(entry.fileName, Buffer.concat(await stream.toArray()))
          zip.readEntry()
        })
      })
      zip.on('end', () => resolve(found)).on('error', reject)
      zip.readEntry()
    })
  })

/** At ten in the morning, with a fraction of a second. */
export const day = (number: number) => `2024-01-0${number}T10:00:00.500Z`

/** A form with four records of four days, which differ in whatever a list can be asked for. */
export const newList = async (app: TestApp) => {
  const place = await newForm(app)
  const { ana, form } = place
  const ids = await put(
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
      answers: { name: 'abc', former: 'x' },
      at: day(4),
      mediaTotal: 1,
      rootName: 'other',
      review: { status: '1', comment: '', at: day(4) },
    },
  )
  const list = (query: Record<string, string> = {}, suffix = '') =>
    app.as(ana)('GET', `/data/${form.id}${suffix}`, { query })
  /** Which of the four a list holds, from 1. */
  const placesOf = async (query: Record<string, string>): Promise<number[]> => {
    const response = await list(query)
    if (response.statusCode !== 200) throw new Error(response.body)
    return response.json().map(({ _id }: { _id: number }) => ids.indexOf(_id) + 1)
  }
  return { ...place, ids, list, placesOf }
}
