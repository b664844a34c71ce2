// Whether a person still may what something does for them, as conditions: they stand in the statement that uses the thing.
// So nothing depends on every place that takes a right away remembering what acted by it.
import { type Sql, sql } from '../../platform/db/index.js'
import { type FormAction, projectRolesThatMay, rolesThatMay } from './roles.js'

interface OnForm {
  /** Columns of the surrounding statement. */
  readonly formId: Sql
  readonly userId: Sql
}

/** They have a role on the form that allows it, and an account that is not closed. Not "exists": that is planned by reading
 * every grant that there is, whatever the few are that are asked for. */
export const stillMay = ({ formId, userId }: OnForm, action: FormAction): Sql => sql`
  coalesce((
    select true from form_grants held join users holders on holders.id = held.user_id and holders.is_active
    where held.form_id = ${formId} and held.user_id = ${userId} and held.role = any(${rolesThatMay(action)}::text[])
    limit 1), false)`

interface OnManagedForm extends OnForm {
  readonly projectId: Sql
}

/** The same for managing it, where many are asked for and often: with project and person given, each reason for a role is one
 * probe of a key. Through form_grants all projects of the person are read for each form (0.4 ms with 1,000 of them, against
 * 0.02). What a form makes of lower roles does not matter here; a test compares both. */
export const stillManages = ({ formId, projectId, userId }: OnManagedForm): Sql => {
  const roles = sql`${rolesThatMay('manage')}::text[]`
  return sql`
    coalesce((
      select holders.is_active and (
        coalesce(own.role = any(${roles}), false)
        or coalesce((
          select true from project_grants held
          where held.project_id = ${projectId} and held.user_id = holders.id and held.role = any(${roles})
            and (held.source <> 'direct' or own.role is null)
          limit 1), false))
      from users holders left join form_roles own on own.form_id = ${formId} and own.user_id = holders.id
      where holders.id = ${userId}), false)`
}

/** They still manage the project, and the form within it: both at once, for a statement that asks for nothing else. A role of
 * their own on the form counts in place of a share of the project, not of what an organization or a team gives. */
export const stillManagesWithin = ({ formId, projectId, userId }: OnManagedForm): Sql => {
  const roles = sql`${rolesThatMay('manage')}::text[]`
  return sql`
    coalesce((
      select true from project_grants held join users holders on holders.id = held.user_id and holders.is_active
      where held.project_id = ${projectId} and held.user_id = ${userId} and held.role = any(${roles})
        and (held.source <> 'direct' or coalesce((
          select own.role = any(${roles}) from form_roles own
          where own.form_id = ${formId} and own.user_id = ${userId}), true))
      limit 1), false)`
}

interface OnProject {
  readonly projectId: Sql
  readonly userId: Sql
  readonly role: Sql
}

/** They could give this role on the project today: only owners make owners. */
export const couldStillGive = ({ projectId, userId, role }: OnProject): Sql => sql`
  coalesce((
    select true from project_grants held join users holders on holders.id = held.user_id and holders.is_active
    where held.project_id = ${projectId} and held.user_id = ${userId}
      and held.role = any(case when ${role} = 'owner' then ${projectRolesThatMay('grant_owner')}::text[]
        else ${projectRolesThatMay('manage')}::text[] end)
    limit 1), false)`
