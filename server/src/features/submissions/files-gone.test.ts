// Files that are removed between their arrival and the transaction that takes them: a purge at a bad moment, or a node whose clock
// is days off. What was acknowledged has its files; everything else is sent again.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { addToDraft, newDraft } from '../../../test/support/drafts.js'
import { type PublishedForm, publish, sheet, upload } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { removeNext } from '../../../test/support/uploads.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let form: PublishedForm
const definition = sheet('type,name,label\ntext,name,Name\nimage,one,One\nimage,two,Two', {
  settings: { form_id: 'files', version: '1' },
})
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana, definition)
})

const files = ['one.png', 'two.png'].map((name) => ({ name, content: `bytes of ${name}`, type: 'image/png' }))
const answers = '<name>Ana</name><one>one.png</one><two>two.png</two>'
const goneNext = (folder = 'attachments') => removeNext(app.database.db, `${folder}/%`)

const all = () =>
  app.database.db.one(sql`
    select (select count(*) from submissions) as records, (select count(*) from instance_ids) as ids,
      (select count(*) from attachments) as files, (select count(*) from form_events) as events,
      (select coalesce(sum(submissions), 0) from form_counts) as counted, (select count(*) from metadata) as entries,
      (select count(*) from forms) as forms, (select count(*) from draft_records) as tried,
      (select count(*) from draft_media) as media, (select count(*) from imports) as imports`)

const missing = async () => {
  const rows = await app.database.db.rows<{ key: string }>(sql`select file_key as key from attachments`)
  const there = await Promise.all(rows.map(({ key }) => app.deps.files.exists(key)))
  return there.filter((isThere) => !isThere).length
}

/** Refused without a trace; the same once more is taken. */
const refusedOnce = async (folder: string, post: () => Promise<{ statusCode: number; headers: object }>) => {
  const before = await all()
  await goneNext(folder)
  const refused = await post()
  expect([refused.statusCode, refused.headers]).toEqual([503, expect.objectContaining({ 'retry-after': '5' })])
  expect(await all()).toEqual(before)
  const taken = await post()
  expect([200, 201, 202]).toContain(taken.statusCode)
  expect(await all()).not.toEqual(before)
  expect(await missing()).toBe(0)
}

describe('503 without a trace, and taken when it is sent again, where a file is gone', () => {
  it('of a submission', async () => {
    const xml = instance(form, answers)
    await refusedOnce('attachments', () => send(app, ana, '', xml, files))
  })

  it('of one among others that arrive at once, which are taken', async () => {
    const before = (await all()) as { records: number }
    const posts = Array.from({ length: 8 }, () => instance(form, answers))
    await goneNext()
    const answered = await Promise.all(posts.map((xml) => send(app, ana, '', xml, files)))
    expect(answered.map(({ statusCode }) => statusCode).sort()).toEqual([...Array(7).fill(201), 503])
    expect(((await all()) as { records: number }).records).toBe(before.records + 7)
    expect(await missing()).toBe(0)
  })

  it('that completes a record', async () => {
    const xml = instance(form, answers)
    expect((await send(app, ana, '', xml, files.slice(0, 1))).statusCode).toBe(201)
    await refusedOnce('attachments', () => send(app, ana, '', xml, files.slice(1)))
  })

  it('of an edit', async () => {
    const id = newId()
    expect((await send(app, ana, '', instance(form, answers, { id }), files)).statusCode).toBe(201)
    const edit = instance(form, answers.replace('one.png', 'new.png'), { deprecated: id })
    const added = [{ name: 'new.png', content: 'new', type: 'image/png' }]
    await refusedOnce('attachments', () => send(app, ana, '', edit, added))
  })

  it('that goes with a form, with a draft, or with what is sent to one', async () => {
    const { body, headers } = multipart([
      { name: 'xform', content: String(form.formid) },
      { name: 'data_type', content: 'media' },
      { name: 'data_value', content: 'a.csv' },
      { name: 'data_file', filename: 'a.csv', type: 'text/csv', content: 'name\nA\n' },
    ])
    await refusedOnce('media', () => app.as(ana)('POST', '/metadata', { body, headers }))
    const draft = await newDraft(app, ana, form.formid, definition.replace(',1', ',2'))
    await refusedOnce('media', () => addToDraft(app, ana, form.formid, 'b.csv', 'name\nB\n'))
    const xml = instance({ id_string: 'files', version: '2' }, answers)
    await refusedOnce('attachments', () => send(app, null, `/key/${draft.token}`, xml, files))
  })

  it('of a form itself', async () => {
    await refusedOnce('forms', () => upload(app, ana, definition.replace('files,1', 'others,1')))
  })

  it('of an import', async () => {
    const content = `name\n${'A row of a large file\n'.repeat(10_000)}`
    const { body, headers } = multipart([{ name: 'csv_file', filename: 'a.csv', type: 'text/csv', content }])
    await refusedOnce('imports', () => app.as(ana)('POST', `/forms/${form.formid}/import`, { body, headers }))
  })
})
