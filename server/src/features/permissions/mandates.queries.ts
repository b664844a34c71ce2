// Whether a person still may what something does for them, as conditions: they stand in the statement that uses the thing.
// So nothing depends on every place that takes a right away remembering what acted by it.
import { type Sql, sql } from '../../platform/db/index.js'
import { type FormAction, projectRolesThatMay, rolesThatMay } from './roles.js'

interface OnForm {
  /** Columns of the surrounding statement. */
  readonly formId: Sql
  readonly userId: Sql
}

/** They have a role on the form that allows it, and an account that is not closed. */
export const stillMay = ({ formId, userId }: OnForm, action: FormAction): Sql => sql`
  exists (
    select from form_grants held join users holders on holders.id = held.user_id and holders.is_active
    where held.form_id = ${formId} and held.user_id = ${userId} and held.role = any(${rolesThatMay(action)}::text[]))`

interface OnProject {
  readonly projectId: Sql
  readonly userId: Sql
  readonly role: Sql
}

/** They could give this role on the project today: only owners make owners. */
export const couldStillGive = ({ projectId, userId, role }: OnProject): Sql => sql`
  exists (
    select from project_grants held join users holders on holders.id = held.user_id and holders.is_active
    where held.project_id = ${projectId} and held.user_id = ${userId}
      and held.role = any(case when ${role} = 'owner' then ${projectRolesThatMay('grant_owner')}::text[]
        else ${projectRolesThatMay('manage')}::text[] end))`
