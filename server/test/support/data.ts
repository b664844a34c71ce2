// What the tests of this room share: one form with every kind of question, its people, and records.
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

export const put = (app: TestApp, form: TestForm, ...records: RecordFields[]): Promise<number[]> =>
  putRecords(app.deps.db, form.id, records)

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
