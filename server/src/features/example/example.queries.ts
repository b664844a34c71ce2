import { type Db, sql } from '../../platform/db/index.js'

/** The caller's own, by its name; its form by the id that it was published with. */
export const findExample = (db: Db, ownerId: number, names: { project: string; form: string }) =>
  db.maybe<{ projectId: number; formId: number | null }>(sql`
    select projects.id as "projectId", (
      select min(forms.id) from forms
      where forms.project_id = projects.id and forms.deleted_at is null and forms.sms_id_string = ${names.form}) as "formId"
    from projects
    where projects.owner_id = ${ownerId} and projects.name = ${names.project} and projects.deleted_at is null`)

/** Records of these instance ids, deleted ones too. */
export const listReceived = (db: Db, formId: number, uuids: readonly string[]) =>
  db.rows<{ uuid: string; id: number }>(sql`
    select uuid, submission_id as id from instance_ids where form_id = ${formId} and uuid = any(${uuids}::text[])`)

export const hasWidgets = async (db: Db, formId: number): Promise<boolean> =>
  (await db.one<{ has: boolean }>(sql`select exists (select from widgets where form_id = ${formId}) as has`)).has
