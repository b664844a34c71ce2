// A form as it was a moment ago, as parts of the statement that stores records for it: whether it is still that, and takes them
// from whoever sends.
import { type Sql, sql } from '../../../platform/db/index.js'
import { stillMay } from '../../permissions/index.js'

/** Joined to `asked` by `isUnchanged`. */
export const presentForm: Sql = sql`
  forms
  join projects on projects.id = forms.project_id and projects.deleted_at is null
  join users owners on owners.id = forms.owner_id and owners.is_active`

/** Of `asked`, with the columns uuid, id_string, form_owner, version_number and public_key: whatever a submission is read by is
 * what it was. A version never changes what it says. */
export const isUnchanged = (formId: number): Sql => sql`
  forms.id = ${formId} and forms.deleted_at is null and forms.uuid = asked.uuid and forms.id_string = asked.id_string
  and owners.username = asked.form_owner and forms.version_number = asked.version_number
  and forms.public_key = asked.public_key`

/** Of `asked`, with the columns user_id, scope_owner, scope_project and is_callers: the address that it was sent to leads to the
 * form, and its sender may submit there. */
export const isStillTarget: Sql = sql`
  (asked.scope_owner is null or owners.username = asked.scope_owner)
  and (asked.scope_project is null or forms.project_id = asked.scope_project)
  and (
    (not asked.is_callers or forms.owner_id = asked.user_id) and not forms.requires_auth
    and not coalesce((select require_auth from profiles where profiles.user_id = forms.owner_id), false)
    or ${stillMay({ formId: sql`forms.id`, userId: sql`asked.user_id` }, 'submit')})`
