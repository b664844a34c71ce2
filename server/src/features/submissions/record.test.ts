import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newProject } from '../../../test/support/projects.js'
import { putForm, putRecords, type TestForm } from '../../../test/support/records.js'
import { type Sql, sql } from '../../platform/db/index.js'
import { accountNames } from '../users/index.js'
import { listRecordTexts, recordFields, recordJoins } from './record.queries.js'

const app = testApp()
let ana: Account
let form: TestForm

const survey = `
| survey |
|        | type    | name | label |
|        | text    | name | Name  |
|        | integer | age  | Age   |
`

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  const projectId = await newProject(app, ana)
  form = await putForm(app.deps.db, { ownerId: ana.id, projectId, versions: [survey], idString: 'my "survey"' })
})

const recordOf = async (id: number) => {
  const [found] = await listRecordTexts(app.deps.db, form, [id])
  return JSON.parse(found?.text ?? 'null')
}

describe('a record', () => {
  it('has the answers and every built-in field of the contract, null where there is nothing', async () => {
    const answers = { name: 'Tom "T" \\ é\n', age: '21', kids: [{ 'kids/name': 'A' }], 'meta/instanceID': 'uuid:u1' }
    const at = '2013-01-03T02:27:19.750Z'
    const [id = 0] = await putRecords(app.deps.db, form.id, [{ answers, uuid: 'u1', at, by: ana.id }])
    expect(await recordOf(id)).toEqual({
      ...answers,
      _id: id,
      _uuid: 'u1',
      _xform_id: form.id,
      _xform_id_string: 'my "survey"',
      _version: 'v1',
      _submission_time: '2013-01-03T02:27:19',
      _date_modified: '2013-01-03T02:27:19.75+00:00',
      _last_edited: null,
      _last_edited_by: null,
      _submitted_by: 'ana',
      _status: 'submitted_via_web',
      _geolocation: [null, null],
      _attachments: [],
      _tags: [],
      _notes: [],
      _edited: false,
      _duration: '',
      _deleted_at: null,
      _ext_dataset_id: '',
      _media_count: 0,
      _total_media: 0,
      _media_all_received: true,
      _review_status: null,
      _review_comment: null,
      _review_date: null,
      'form/uuid': form.uuid,
    })
  })

  it('shows edits, files, notes, tags, review, place and duration', async () => {
    const file = { id: 5, name: 'a.jpg' }
    const note = { id: 1, note: 'n "1"' }
    const [id = 0] = await putRecords(app.deps.db, form.id, [
      {
        answers: { 'form/uuid': 'as sent' },
        editedAt: '2024-05-01T10:00:00.123Z',
        editedBy: ana.id,
        duration: 18,
        place: [-1.25, 36.5],
        mediaTotal: 2,
        mediaCount: 1,
        attachments: [file],
        notes: [note],
        tags: ['a', 'b, "c"'],
        review: { status: '2', comment: 'no', at: '2024-05-02T00:00:00Z' },
      },
    ])
    expect(await recordOf(id)).toMatchObject({
      _submitted_by: null,
      _edited: true,
      _last_edited: '2024-05-01T10:00:00.123+00:00',
      _last_edited_by: 'ana',
      _duration: '18.0',
      _geolocation: [-1.25, 36.5],
      _attachments: [file],
      _media_count: 1,
      _total_media: 2,
      _media_all_received: false,
      _notes: [note],
      _tags: ['a', 'b, "c"'],
      _review_status: '2',
      _review_comment: 'no',
      _review_date: '2024-05-02T00:00:00+00:00',
      'form/uuid': 'as sent',
    })
  })

  it('is JSON whatever the answers hold; a built-in field wins over an answer of its name', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((one) => !one.includes('\0'))
    const key = fc.oneof(text, fc.constantFrom('_id', '_deleted_at', 'form/uuid', '__proto__', '}'))
    const answers = fc.dictionary(
      key,
      fc.oneof(text, fc.array(text), fc.array(fc.dictionary(text, text, { maxKeys: 3 }), { maxLength: 3 })),
    )
    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        const [id = 0] = await putRecords(app.deps.db, form.id, [{ answers: given }])
        const record = await recordOf(id)
        expect(record).toMatchObject({ _id: id, _deleted_at: null, _uuid: expect.any(String) })
        for (const [name, value] of Object.entries(given)) {
          if (name !== '_id' && name !== '_deleted_at') expect(record[name]).toEqual(value)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('with chosen fields has exactly those in their order, null where it has none, however many', async () => {
    const { db } = app.deps
    const [id = 0] = await putRecords(db, form.id, [{ answers: { name: 'Tom', kids: [{ 'kids/name': 'A' }] } }])
    const show = async (names: string[]) =>
      (
        await db.one<{ text: string }>(sql`
          select ${recordFields(form, names)} as text from submissions ${recordJoins}
          where form_id = ${form.id} and submissions.id = ${id}`)
      ).text
    expect(await show(['_id', 'nope', 'name', 'kids', '_last_edited', '"; drop'])).toBe(
      `{"_id":${id},"nope":null,"name":"Tom","kids":[{"kids/name": "A"}],"_last_edited":null,"\\"; drop":null}`,
    )
    const many = Array.from({ length: 1000 }, (_, index) => `q${index}`)
    expect(Object.keys(JSON.parse(await show(many)))).toEqual(many)
  })

  it('is planned as if the names of accounts were joined directly, which Citus refuses', async () => {
    const planOf = async (people: Sql) => {
      const lines = await app.deps.db.rows<{ 'QUERY PLAN': string }>(sql`
        explain (costs off) select submitters.username,
          (select editors.username from ${people} editors where editors.id = submissions.edited_by)
        from submissions left join ${people} submitters on submitters.id = submissions.submitted_by
        where form_id = 1 order by submissions.id limit 100`)
      // What a table is called in between says nothing.
      return lines.map((line) => line['QUERY PLAN'].replace(/ on users \w+$/, ' on users'))
    }
    expect(await planOf(accountNames)).toEqual(await planOf(sql`users`))
  })
})
