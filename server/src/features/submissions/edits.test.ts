// An edit does the same however it comes: from a device, as a change of some answers, as a row of a file.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { meanwhile } from '../../../test/support/meanwhile.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const questions = 'type,name,label\ntext,name,Name\ngeopoint,place,Place\nimage,photo,Photo'

interface Sent {
  readonly form: PublishedForm
  readonly id: number
  readonly uuid: string
}

const photographed = async (): Promise<Sent> => {
  const form = await publish(app, ana, sheet(questions, { settings: { version: '1' } }))
  const uuid = newId()
  const xml = instance(form, '<name>before</name><photo>a.jpg</photo>', { id: uuid })
  await send(app, ana, '/ana', xml, [{ name: 'a.jpg', content: 'a picture', type: 'image/jpeg' }])
  const { _id: id } = (await app.as(ana)('GET', `/data/${form.formid}/${uuid}`)).json()
  return { form, id, uuid }
}

/** Another name, a place, and no picture. */
const ways: readonly { way: string; edit: (sent: Sent) => Promise<{ statusCode: number }>; status: string }[] = [
  {
    way: 'a device',
    edit: ({ form, uuid }) =>
      send(app, ana, '/ana', instance(form, '<name>after</name><place>1 2 0 0</place>', { deprecated: uuid })),
    status: 'submitted_via_web',
  },
  {
    way: 'a change of some answers',
    edit: ({ form, id }) =>
      app.as(ana)('PATCH', `/data/${form.formid}/${id}`, { body: { name: 'after', place: '1 2 0 0', photo: null } }),
    status: 'submitted_via_web',
  },
  {
    way: 'a row of a file',
    edit: ({ form, uuid }) => {
      const content = `name,place,photo,_uuid\nafter,1 2 0 0,,${uuid}\n`
      const { body, headers } = multipart([{ name: 'csv_file', filename: 'a.csv', type: 'text/csv', content }])
      return app.as(ana)('POST', `/forms/${form.formid}/csv_import`, { body, headers })
    },
    status: 'imported_via_csv',
  },
]

const record = async ({ form, id }: Sent) => (await app.as(ana)('GET', `/data/${form.formid}/${id}`)).json()
const shownForm = async ({ form }: Sent) => (await app.as(ana)('GET', `/forms/${form.formid}`)).json()

describe.each(ways)('$way', ({ edit, status }) => {
  it('changes the record, its history, its files and the counts of its form', async () => {
    const sent = await photographed()
    const { formid } = sent.form
    const before = await record(sent)
    expect(before).toMatchObject({ _media_count: 1, _total_media: 1, _edited: false, _status: 'submitted_via_web' })
    expect(await shownForm(sent)).toMatchObject({ num_of_submissions: 1, instances_with_geopoints: false })
    expect([200, 201]).toContain((await edit(sent)).statusCode)
    const after = await record(sent)
    expect(after).toMatchObject({
      ...{ name: 'after', place: '1 2 0 0', _geolocation: [1, 2], _status: status, _edited: true, _version: '1' },
      ...{ _attachments: [], _media_count: 0, _total_media: 0, _submitted_by: 'ana', _last_edited_by: 'ana' },
      _submission_time: before._submission_time,
    })
    expect([after.photo, after._uuid === before._uuid]).toEqual([undefined, false])
    const history = (await app.as(ana)('GET', `/data/${formid}/${sent.id}/history`)).json()
    expect(history).toMatchObject([{ name: 'before', photo: 'a.jpg', _uuid: sent.uuid }])
    expect(await shownForm(sent)).toMatchObject({ num_of_submissions: 1, instances_with_geopoints: true })
    // The picture stays, and is shown nowhere.
    expect((await app.as(ana)('GET', `/media?xform=${formid}`)).json()).toEqual([])
    const files = await app.database.db.rows(sql`
      select name, deleted_at is not null as "isHidden" from attachments where form_id = ${formid}`)
    expect(files).toEqual([{ name: 'a.jpg', isHidden: true }])
  })

  it('changes nothing of a record that was deleted', async () => {
    const sent = await photographed()
    await app.as(ana)('DELETE', `/data/${sent.form.formid}/${sent.id}`)
    await edit(sent)
    const [row] = await app.database.db.rows(sql`
      select uuid, deleted_at is not null as "isDeleted", edited_at as edited,
        (select count(*) from submission_versions where form_id = submissions.form_id) as versions,
        (select sum(submissions)::int from form_counts where form_id = submissions.form_id) as counted
      from submissions where form_id = ${sent.form.formid}`)
    expect(row).toEqual({ uuid: sent.uuid, isDeleted: true, edited: null, versions: 0, counted: 0 })
  })
})

it('405 for an edit by a device whose form was closed while it waited for the record; nothing is changed', async () => {
  const { form, id, uuid } = await photographed()
  const edited = instance(form, '<name>after</name>', { id: newId(), deprecated: uuid })
  const answer = await meanwhile(
    app,
    sql`select from submissions where form_id = ${form.formid} and id = ${id} for update`,
    () => send(app, ana, '/ana', edited),
    (tx) => tx.run(sql`update forms set state = 'closed' where id = ${form.formid}`),
  )
  expect(answer.statusCode).toBe(405)
  expect((await app.as(ana)('GET', `/data/${form.formid}/${id}`)).json()).toMatchObject({ name: 'before', _uuid: uuid })
})
