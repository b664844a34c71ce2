// Dataviews as the form shows them. The room of dataviews makes and changes them; it stands above, but what a form is
// shown with, and what metadata may link to, is asked here.
import { type Db, type Sql, sql } from '../../../platform/db/index.js'

export interface DataviewItem {
  readonly column: string
  readonly filter: '=' | '>' | '<' | '>=' | '<=' | '<>' | '!='
  readonly value: string | number | boolean
  readonly condition?: 'and' | 'or'
}

/** Some columns of a form's records, of those records that match. */
export interface Dataview {
  readonly id: number
  readonly formId: number
  readonly name: string
  readonly columns: readonly string[]
  readonly query: readonly DataviewItem[]
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** With the project of its form, and the form's newest version. */
export interface DataviewRow extends Dataview {
  readonly projectId: number
  readonly versionNumber: number
}

/** Over `dataviews` joined with `forms`. */
export const dataviewColumns: Sql = sql`
  dataviews.id, dataviews.form_id as "formId", forms.project_id as "projectId",
  forms.version_number as "versionNumber", dataviews.name, dataviews.columns,
  dataviews.query, dataviews.created_at as "createdAt", dataviews.modified_at as "modifiedAt"`

/** Does not look whether its form is hidden: whoever asks also asks for the form. */
export const findDataview = (db: Db, id: number) =>
  db.maybe<DataviewRow>(sql`
    select ${dataviewColumns} from dataviews join forms on forms.id = dataviews.form_id
    where dataviews.id = ${id} and dataviews.deleted_at is null`)

/** By id. */
export const listDataviewsOf = (db: Db, formIds: readonly number[]) =>
  db.rows<DataviewRow>(sql`
    select ${dataviewColumns} from dataviews join forms on forms.id = dataviews.form_id
    where dataviews.form_id = any(${formIds}::int[]) and dataviews.deleted_at is null order by dataviews.id`)

/** With the form. Their names stay: nobody looks for them again. */
export const deleteDataviewsOf = (db: Db, formId: number, now: Date) =>
  db.run(sql`
    update dataviews set deleted_at = ${now}, modified_at = ${now} where form_id = ${formId} and deleted_at is null`)
