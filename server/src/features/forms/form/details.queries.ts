// What lists of forms show beside the forms: one statement each, for however many.
import { type Db, sql } from '../../../platform/db/index.js'
import type { RoleName } from '../../permissions/index.js'

export interface FormUser {
  readonly formId: number
  readonly userId: number
  readonly username: string
  readonly isOrg: boolean
  readonly firstName: string
  readonly lastName: string
  readonly roles: readonly RoleName[]
}

export const listFormUsers = (db: Db, formIds: readonly number[]) =>
  db.rows<FormUser>(sql`
    select grants.form_id as "formId", users.id as "userId", users.username, users.is_org as "isOrg",
      users.first_name as "firstName", users.last_name as "lastName", array_agg(grants.role) as roles
    from form_grants grants join users on users.id = grants.user_id and users.is_active
    where grants.form_id = any(${formIds}::int[])
    group by grants.form_id, users.id
    order by users.id`)

export const listFormTags = (db: Db, formIds: readonly number[]) =>
  db.rows<{ formId: number; tag: string }>(sql`
    select form_id as "formId", tag from form_tags where form_id = any(${formIds}::int[]) order by tag`)

export interface VersionCount {
  readonly formId: number
  readonly version: string
  readonly submissions: number
  readonly lastSubmittedAt: Date | null
  readonly hasPlaces: boolean
}

export const listVersionCounts = (db: Db, formIds: readonly number[]) =>
  db.rows<VersionCount>(sql`
    select form_id as "formId", version, sum(submissions)::bigint as submissions,
      max(last_submitted_at) as "lastSubmittedAt", bool_or(has_places) as "hasPlaces"
    from form_counts where form_id = any(${formIds}::int[])
    group by form_id, version order by version`)

/** Live submissions of a form in a window of time. */
export const countSubmissionsBetween = async (db: Db, formId: number, from: Date, to: Date): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from submissions
      where form_id = ${formId} and deleted_at is null and submitted_at >= ${from} and submitted_at < ${to}`)
  ).count

/** Whether a version of it is being tried out. */
export const hasDraft = async (db: Db, formId: number): Promise<boolean> =>
  (await db.maybe(sql`select from form_drafts where form_id = ${formId}`)) !== undefined
