// A form as it was a moment ago, as parts of the statement that stores records for it: whether it is still that, and takes them
// from whoever sends.
import { type Sql, sql } from '../../../platform/db/index.js'
import { stillMay } from '../../permissions/index.js'

/** Looked up by its key before anything else: while the database has not counted its forms, it reads all of them by another index. */
export const presentForm = (formId: Sql): Sql => sql`
  (select * from forms where id = ${formId} offset 0) forms
  join projects on projects.id = forms.project_id and projects.deleted_at is null
  join users owners on owners.id = forms.owner_id and owners.is_active`

/** Of `asked`, with the columns uuid, id_string, form_owner, version_number and public_key: whatever a submission is read by is
 * what it was. A version never changes what it says. */
export const isUnchanged: Sql = sql`
  forms.deleted_at is null and forms.uuid = asked.uuid and forms.id_string = asked.id_string
  and owners.username = asked.form_owner and forms.version_number = asked.version_number
  and forms.public_key = asked.public_key`

/** By what somebody may submit: everybody may, or they have the right to. */
export type SubmittingBy = 'anybody' | 'right'

const isOpenToAll = sql`
  not forms.requires_auth
  and not coalesce((select require_auth from profiles where profiles.user_id = forms.owner_id), false)`

const maySubmit = stillMay({ formId: sql`forms.id`, userId: sql`asked.user_id` }, 'submit')

const submitting = (by: readonly SubmittingBy[]): Sql => {
  if (!by.includes('right')) return isOpenToAll
  return by.includes('anybody')
    ? sql`case asked.may_by when 'anybody' then ${isOpenToAll} else ${maySubmit} end`
    : maySubmit
}

/** Of `asked`, with the columns user_id, scope_owner, scope_project and may_by: the address that it was sent to leads to the form,
 * and its sender may submit there by the same reason. Only the reasons that there are: a part of a statement is begun and ended
 * whether it is needed or not, and rights have many. */
export const isStillTarget = (by: readonly SubmittingBy[]): Sql => sql`
  (asked.scope_owner is null or owners.username = asked.scope_owner)
  and (asked.scope_project is null or forms.project_id = asked.scope_project) and ${submitting(by)}`
