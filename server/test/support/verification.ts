// A form that has been through everything, and what is wrong with the tables by then.

import { verify } from '../../src/features/verification/index.js'
import { sql } from '../../src/platform/db/index.js'
import type { Account, TestApp } from './app.js'
import { type PublishedForm, publish } from './forms.js'
import { householdSheet, sendTable } from './imports.js'
import { multipart } from './multipart.js'
import { instance, newId, type SentFile, send } from './submissions.js'

export interface LivedForm {
  readonly form: PublishedForm
  /** An edited record with two files, two notes and two reviews. */
  readonly record: number
  readonly service: number
}

const must = (answer: { statusCode: number; body: string }, status: number): void => {
  if (answer.statusCode !== status) throw new Error(`${answer.statusCode} instead of ${status}: ${answer.body}`)
}

const idOf = async (app: TestApp, form: PublishedForm, uuid: string): Promise<number> =>
  (
    await app.database.db.one<{ id: number }>(sql`
      select submission_id as id from instance_ids where form_id = ${form.formid} and uuid = ${uuid}`)
  ).id

const photos = (name: string): string =>
  `<name>${name}</name><home><gps>1 2 0 0</gps><photo>a.jpg</photo></home><kids><kid>${name}</kid></kids>`

/** Receiving, again, editing, deleting, restoring, removing, importing, replacing, forwarding, judging. */
export const livedForm = async (app: TestApp, ana: Account, picture: Buffer): Promise<LivedForm> => {
  const call = app.as(ana)
  const form = await publish(app, ana, householdSheet({ version: '1' }))
  const pk = form.formid
  const made = await call('POST', '/restservices', {
    body: { xform: pk, name: 'generic_json', service_url: 'http://127.0.0.1:9/nobody' },
  })
  must(made, 201)
  // Long ago: what comes now is certainly its own.
  await app.database.db.run(sql`
    update rest_services set modified_at = modified_at - interval '1 hour' where form_id = ${pk}`)
  const submit = async (xml: string, files: readonly SentFile[] = [], status = 201) =>
    must(await send(app, ana, '', xml, files), status)
  const photo = { name: 'a.jpg', content: picture, type: 'image/jpeg' }
  const [first, second, hidden, gone, back, last] = [newId(), newId(), newId(), newId(), newId(), newId()]
  await submit(instance(form, photos('One'), { id: first }))
  await submit(instance(form, photos('One'), { id: first }), [photo], 202)
  const scrap = { name: 'scrap.txt', content: 'nobody names it', type: 'text/plain' }
  await submit(instance(form, photos('Two'), { id: second, deprecated: first }), [photo, scrap])
  for (const id of [hidden, gone, back, last]) await submit(instance(form, photos('Three'), { id }), [photo])
  const record = await idOf(app, form, second)
  for (const note of ['one', 'two']) must(await call('POST', '/notes', { body: { note, instance: record } }), 201)
  for (const status of ['3', '1']) {
    must(await call('POST', '/submissionreview', { body: { instance: record, status, note: `review ${status}` } }), 201)
  }
  must(await call('DELETE', `/data/${pk}/${await idOf(app, form, hidden)}`), 204)
  const returning = await idOf(app, form, back)
  must(await call('DELETE', `/data/${pk}/${returning}`), 204)
  must(await call('POST', `/data/${pk}/${returning}/restore`), 200)
  const forGood = { body: { permanent_delete: true } }
  must(await call('DELETE', `/data/${pk}/${await idOf(app, form, gone)}`, forGood), 204)
  must(await sendTable(app, ana, pk, `name,_uuid\nNew,\nEdited,${back}\n`), 200)
  const text = householdSheet({ form_id: form.id_string, version: '2' }).replace('integer,age,Age', 'text,age,Age')
  const { body, headers } = multipart([{ name: 'xls_file', filename: 'form.csv', type: 'text/csv', content: text }])
  must(await call('PATCH', `/forms/${pk}`, { body, headers }), 200)
  await submit(instance({ ...form, version: '2' }, photos('Later'), { deprecated: last }))
  return { form, record, service: made.json().id }
}

/** Kinds that differ, with how many of each. */
export const differing = async (app: TestApp, readsFiles = false): Promise<Record<string, number>> => {
  const { differences } = await verify(app.deps, { readsFiles })
  return Object.fromEntries(differences.map(({ kind, count }) => [kind, count]))
}
