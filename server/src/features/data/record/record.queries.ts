import { type Db, type Sql, sql } from '../../../platform/db/index.js'
import { type RecordForm, recordJoins } from '../../submissions/index.js'
import { textOf } from '../reading/index.js'
import { type SeenForm, visible, within } from '../selection/index.js'

export interface FoundRecord {
  readonly id: number
  readonly submittedBy: number | null
}

/** A number is an id; anything else an instance id that the record has or had. */
const named = (formId: number, dataid: string): Sql =>
  /^\d{1,15}$/.test(dataid)
    ? sql`submissions.id = ${Number(dataid)}::bigint`
    : sql`submissions.id = (
        select submission_id from instance_ids
        where form_id = ${formId} and uuid = ${dataid.replace(/^uuid:/, '')}::text)`

/** A live record of those that the caller sees. */
export const findRecord = (db: Db, seen: SeenForm, dataid: string) =>
  db.maybe<FoundRecord>(sql`
    select submissions.id, submissions.submitted_by as "submittedBy" from submissions
    where ${visible(seen)} and ${named(seen.form.id, dataid)}`)

/** A deleted record of those that the caller saw before. */
export const findDeletedRecord = (db: Db, seen: SeenForm, dataid: string) =>
  db.maybe<FoundRecord>(sql`
    select submissions.id, submissions.submitted_by as "submittedBy" from submissions
    where ${within(seen)} and submissions.deleted_at is not null and ${named(seen.form.id, dataid)}`)

const oneText = async (db: Db, form: RecordForm, id: number, text: Sql): Promise<string> =>
  (
    await db.one<{ text: string }>(sql`
      select ${text} as text from submissions ${recordJoins}
      where submissions.form_id = ${form.id} and submissions.id = ${id}`)
  ).text

/** The record as JSON, whole or these fields of it. */
export const getRecordText = (db: Db, form: RecordForm, id: number, fields?: readonly string[]): Promise<string> =>
  oneText(db, form, id, textOf(form, fields))

/** The XML as it was received. */
export const getRecordXml = (db: Db, form: RecordForm, id: number): Promise<string> =>
  oneText(db, form, id, sql`submissions.xml`)
