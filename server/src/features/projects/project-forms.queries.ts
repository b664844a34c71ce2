// What happens to the forms of a project when something happens to the project. Forms belong to a room above, but each
// of these is one fact with the change of the project, in its transaction.
import { budgets } from '../../budgets.js'
import { type Db, sql } from '../../platform/db/index.js'

/** Definitions and data, both ways. */
export const openForms = (db: Db, projectId: number, isPublic: boolean, now: Date) =>
  db.run(sql`
    update forms set is_public = ${isPublic}, is_data_public = ${isPublic}, modified_at = ${now}
    where project_id = ${projectId} and deleted_at is null`)

/** Ids of the project's forms that the account has already. */
export const listTakenFormIds = async (db: Db, projectId: number, ownerId: number): Promise<string[]> =>
  (
    await db.rows<{ idString: string }>(sql`
      select forms.id_string as "idString"
      from forms join forms others on others.owner_id = ${ownerId} and others.id_key = forms.id_key
      where forms.project_id = ${projectId} and others.project_id <> ${projectId}
        and forms.deleted_at is null and others.deleted_at is null
      order by forms.id_string`)
  ).map(({ idString }) => idString)

/** Constraint: forms__owner_id_id_key. */
export const giveForms = (db: Db, projectId: number, ownerId: number, now: Date) =>
  db.run(sql`
    update forms set owner_id = ${ownerId}, modified_at = ${now} where project_id = ${projectId}`)

/** As a form that is deleted by itself: hidden, its id free, the row kept because submissions hang on it. */
export const deleteForms = (db: Db, projectId: number, deletedBy: number, now: Date) => {
  const suffix = `-deleted-at-${Math.floor(now.getTime() / 1000)}`
  return db.run(sql`
    with gone as (
      update forms set deleted_at = ${now}, deleted_by = ${deletedBy}, modified_at = ${now}, is_downloadable = false,
        id_string = left(id_string, ${budgets.forms.idCharacters - suffix.length}) || ${suffix}::text,
        sms_id_string = left(sms_id_string, ${budgets.forms.idCharacters - suffix.length}) || ${suffix}::text,
        id_key = left(id_key, ${budgets.forms.idCharacters - suffix.length}) || ${suffix}::text
      where project_id = ${projectId} and deleted_at is null
      returning id),
    dataviews_gone as (
      update dataviews set deleted_at = ${now}, modified_at = ${now}
      where form_id in (select id from gone) and deleted_at is null)
    update metadata set deleted_at = ${now}, modified_at = ${now}
    where (form_id in (select id from gone) or project_id = ${projectId}) and deleted_at is null`)
}
