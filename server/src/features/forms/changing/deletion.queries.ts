// Forms go: one of them, or all of a project. What hangs on them goes in the same statement.
import { budgets } from '../../../budgets.js'
import { type Db, empty, type Sql, sql } from '../../../platform/db/index.js'
import { metadataGone } from '../attached/index.js'

/** What a room above keeps of forms and hides with them, as an update to stand in the WITH of the statement that deletes
 * them. `formIds` is a query of their ids. */
export type GoneWithForms = (formIds: Sql, now: Date) => Sql

export interface FormDeletion {
  readonly which: { readonly formId: number } | { readonly projectId: number }
  readonly deletedBy: number
  readonly now: Date
  readonly dataviews: GoneWithForms
}

/** Hidden, their ids free again. The rows stay, because submissions hang on them. */
export const deleteForms = (db: Db, { which, deletedBy, now, dataviews }: FormDeletion) => {
  const isOfProject = 'projectId' in which
  const suffix = `-deleted-at-${Math.floor(now.getTime() / 1000)}`
  const renamed = (id: Sql): Sql => sql`left(${id}, ${budgets.forms.idCharacters - suffix.length}) || ${suffix}::text`
  const gone = sql`select id from gone`
  return db.run(sql`
    with gone as (
      update forms set deleted_at = ${now}, deleted_by = ${deletedBy}, modified_at = ${now}, state = 'closed', closes_at = null,
        id_string = ${renamed(sql`id_string`)}, sms_id_string = ${renamed(sql`sms_id_string`)},
        id_key = ${renamed(sql`id_key`)}
      where ${isOfProject ? sql`project_id = ${which.projectId}` : sql`id = ${which.formId}`} and deleted_at is null
      returning id),
    dataviews_gone as (${dataviews(gone, now)})
    ${metadataGone(sql`form_id in (${gone}) ${isOfProject ? sql`or project_id = ${which.projectId}` : empty}`, now)}`)
}
