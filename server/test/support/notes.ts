// Records to write on, and what they say then.

import { recordJoins, recordText } from '../../src/features/submissions/index.js'
import { sql } from '../../src/platform/db/index.js'
import type { Account, TestApp } from './app.js'
import { type PublishedForm, publish, visitSheet } from './forms.js'
import { instance, newId, send } from './submissions.js'

export const visitForm = (app: TestApp, owner: Account): Promise<PublishedForm> => publish(app, owner, visitSheet())

export const shareForm = async (app: TestApp, owner: Account, form: PublishedForm, to: Account, role: string) => {
  const answer = await app.as(owner)('POST', `/forms/${form.formid}/share`, { body: { username: to.username, role } })
  if (answer.statusCode !== 204) throw new Error(`The form was not shared: ${answer.body}`)
}

/** Its id. */
export const newRecord = async (app: TestApp, account: Account, form: PublishedForm): Promise<number> => {
  const id = newId()
  const answer = await send(app, account, `/${form.owner}`, instance(form, '<name>Ana</name><age>30</age>', { id }))
  if (answer.statusCode !== 201) throw new Error(`The record was not received: ${answer.body}`)
  const row = await app.database.db.one<{ id: number }>(sql`
    select id from submissions where form_id = ${form.formid} and uuid = ${id}`)
  return row.id
}

export interface Record {
  _notes: object[]
  _date_modified: string
  _review_status: string | null
  _review_comment: string | null
  _review_date: string | null
}

export interface Row {
  record: Record
  changeNo: number
}

/** As it is on the wire, and the number of its last change. */
export const readRecord = async (app: TestApp, form: PublishedForm, id: number): Promise<Row> => {
  const { formid, uuid, id_string: idString } = form
  const { text, changeNo } = await app.database.db.one<{ text: string; changeNo: number }>(sql`
    select ${recordText({ id: formid, uuid, idString })} as text, submissions.change_no as "changeNo"
    from submissions ${recordJoins} where submissions.form_id = ${formid} and submissions.id = ${id}`)
  return { record: JSON.parse(text), changeNo }
}

export const deleteRecord = (app: TestApp, form: PublishedForm, id: number) =>
  app.database.db.run(sql`
    update submissions set deleted_at = now() where form_id = ${form.formid} and id = ${id}`)
