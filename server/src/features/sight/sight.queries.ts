// Which forms' records somebody may see, and records by their id alone. Ids are not indexed without their form, so a
// record is looked for among the forms in sight: a probe of the primary key for each of them.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import type { RoleName } from '../permissions/index.js'

export interface LikeForms {
  readonly roles: readonly RoleName[]
  readonly isDataPublic: boolean
  readonly ids: readonly number[]
}

/** Every live form that the caller has a role on, and those whose data are public. Forms that are alike in this come in
 * one row: of 3,000 forms that took 60 ms one by one. */
export const listLikeForms = (db: Db, callerId: number) =>
  db.rows<LikeForms>(sql`
    with mine as materialized (
      select form_id, array_agg(distinct role order by role) as roles from form_grants
      where user_id = ${callerId} group by form_id
    )
    select coalesce(mine.roles, '{}') as roles, forms.is_data_public as "isDataPublic", array_agg(forms.id) as ids
    from forms
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active
    left join mine on mine.form_id = forms.id
    where forms.deleted_at is null and (forms.is_data_public or mine.form_id is not null)
    group by 1, 2`)

export interface Scope {
  readonly callerId: number
  /** Forms of which the caller sees records. */
  readonly formIds: readonly number[]
  /** The forms of which they see all records; of the others they see their own. */
  readonly wholeFormIds: readonly number[]
}

/** A condition on `submissions`: live records that the caller may see. */
export const inSight = ({ callerId, formIds, wholeFormIds }: Scope): Sql => sql`
  submissions.form_id = any(${formIds}::int[]) and submissions.deleted_at is null
  and (submissions.form_id = any(${wholeFormIds}::int[]) or submissions.submitted_by = ${callerId})`

export interface SeenRecord {
  readonly formId: number
  readonly id: number
  /** Null: somebody who did not sign in. */
  readonly submittedBy: number | null
  /** Of form_versions: the definition that it was read by. */
  readonly modelNumber: number
}

export const listSeenRecords = (db: Db, scope: Scope, ids: readonly number[]) =>
  db.rows<SeenRecord>(sql`
    select submissions.form_id as "formId", submissions.id, submissions.submitted_by as "submittedBy",
      submissions.model_number as "modelNumber"
    from submissions
    where ${inSight(scope)} and submissions.id = any(${ids}::bigint[])`)
