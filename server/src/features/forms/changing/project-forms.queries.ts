// What happens to all forms of a project when something happens to the project.
import { type Db, sql } from '../../../platform/db/index.js'
import type { ProjectForms } from '../../projects/index.js'
import { deleteForms, type GoneWithForms } from './deletion.queries.js'

/** What was never published follows when it is. */
const openForms = (tx: Db, projectId: number, isPublic: boolean, now: Date) =>
  tx.run(sql`
    update forms set is_public = ${isPublic}, is_data_public = ${isPublic}, modified_at = ${now}
    where project_id = ${projectId} and deleted_at is null and state <> 'draft'`)

const listTakenIds = async (tx: Db, projectId: number, ownerId: number): Promise<string[]> =>
  (
    await tx.rows<{ idString: string }>(sql`
      select forms.id_string as "idString"
      from forms join forms others on others.owner_id = ${ownerId} and others.id_key = forms.id_key
      where forms.project_id = ${projectId} and others.project_id <> ${projectId}
        and forms.deleted_at is null and others.deleted_at is null
      order by forms.id_string`)
  ).map(({ idString }) => idString)

const giveForms = (tx: Db, projectId: number, ownerId: number, now: Date) =>
  tx.run(sql`
    update forms set owner_id = ${ownerId}, modified_at = ${now} where project_id = ${projectId}`)

export const projectForms = (dataviews: GoneWithForms): ProjectForms => ({
  open: openForms,
  listTakenIds,
  give: giveForms,
  remove: (tx, projectId, deletedBy, now) => deleteForms(tx, { which: { projectId }, deletedBy, now, dataviews }),
})
