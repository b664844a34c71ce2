// What happened lately, over many forms in one statement each. The counts walk the index of times: 30 days of a form that has
// gathered a million records for years cost what came in these 30 days.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { rolesThatMay } from '../permissions/index.js'

export interface SeenForm {
  readonly id: number
  readonly projectId: number
  /** All records, or those that the caller sent. */
  readonly isWhole: boolean
  /** Those who manage a form are told of its reviews and its deliveries. */
  readonly isManaged: boolean
}

/** Live forms on which the caller has a role that sees records; public ones of others are not their business. */
export const listSeenForms = (db: Db, callerId: number, projectId?: number) =>
  db.rows<SeenForm>(sql`
    select forms.id, forms.project_id as "projectId",
      bool_or(grants.role = any(${rolesThatMay('view_all')}::text[])) as "isWhole",
      bool_or(grants.role = any(${rolesThatMay('manage')}::text[])) as "isManaged"
    from form_grants grants
    join forms on forms.id = grants.form_id and forms.deleted_at is null
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active
    where grants.user_id = ${callerId} and grants.role = any(${rolesThatMay('view_data')}::text[])
      ${projectId === undefined ? sql`` : sql`and forms.project_id = ${projectId}`}
    group by forms.id
    order by forms.id`)

export interface Window {
  /** The first moment that counts. */
  readonly from: Date
  /** Minutes east of UTC: a day is the day where the caller is. */
  readonly offset: number
}

export interface DayCount {
  readonly formId: number
  /** From 0. */
  readonly day: number
  readonly count: number
}

const dayOf = ({ from, offset }: Window): Sql => sql`
  (submitted_at at time zone 'UTC' + make_interval(mins => ${offset}))::date
    - (${from}::timestamptz at time zone 'UTC' + make_interval(mins => ${offset}))::date`

/** Apart from each other: whether a record is one's own is in the record, all records are counted in the index alone. */
export const countByDay = (
  db: Db,
  { callerId, wholeIds, ownIds }: { callerId: number; wholeIds: readonly number[]; ownIds: readonly number[] },
  window: Window,
) =>
  db.rows<DayCount>(sql`
    select form_id as "formId", ${dayOf(window)} as day, count(*) as count
    from submissions
    where form_id = any(${wholeIds}::int[]) and deleted_at is null and submitted_at >= ${window.from}
    group by 1, 2
    union all
    select form_id, ${dayOf(window)}, count(*)
    from submissions
    where form_id = any(${ownIds}::int[]) and deleted_at is null and submitted_at >= ${window.from}
      and submitted_by = ${callerId}
    group by 1, 2`)

export interface Attention {
  readonly formId: number
  readonly waiting: number
  readonly paused: number
}

/** Records that wait for a decision, and services that were stopped. */
export const countAttention = (db: Db, formIds: readonly number[]) =>
  db.rows<Attention>(sql`
    with waiting as (
      select form_id, count(*) as count from submissions
      where form_id = any(${formIds}::int[]) and deleted_at is null and review_status = '3'
      group by form_id
    ), paused as (
      select form_id, count(*) as count from rest_services
      where form_id = any(${formIds}::int[]) and not is_active
      group by form_id
    )
    select form_id as "formId", coalesce(waiting.count, 0) as waiting, coalesce(paused.count, 0) as paused
    from waiting full join paused using (form_id)`)

export interface RecentForm {
  readonly id: number
  readonly title: string
  readonly projectId: number
  readonly project: string
  readonly at: Date
}

/** Those of these in which something happened last: a record came in, or the form was published. */
export const listRecentForms = (db: Db, formIds: readonly number[], limit: number) =>
  db.rows<RecentForm>(sql`
    with last as (
      select form_id, max(last_submitted_at) as at from form_counts
      where form_id = any(${formIds}::int[]) group by form_id
    )
    select forms.id, forms.title, forms.project_id as "projectId", projects.name as project,
      greatest(forms.published_at, last.at) as at
    from forms
    join projects on projects.id = forms.project_id
    left join last on last.form_id = forms.id
    where forms.id = any(${formIds}::int[])
    order by at desc, forms.id desc limit ${limit}`)

/** Of the live forms of an account, by month in UTC. */
export const countByMonth = (db: Db, ownerId: number, from: Date) =>
  db.rows<{ month: string; count: number }>(sql`
    select to_char(submitted_at at time zone 'UTC', 'YYYY-MM') as month, count(*) as count
    from submissions
    where form_id = any(array(select id from forms where owner_id = ${ownerId} and deleted_at is null))
      and deleted_at is null and submitted_at >= ${from}
    group by 1`)
