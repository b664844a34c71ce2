import { budgets } from '../../budgets.js'
import { type Db, sql } from '../../platform/db/index.js'
import { rolesThatMay } from '../permissions/index.js'

export interface ProjectEvent {
  readonly id: number
  readonly verb: string
  readonly formId: number | null
  readonly form: string | null
  readonly ids: readonly number[] | null
  readonly message: string | null
  readonly username: string | null
  readonly createdAt: Date
}

const { lookedThrough, lookedThroughInAll } = budgets.events

/**
 * Newest first, of the project and of its forms on which the caller has a role. Of each form only as many are read as are asked
 * for, from the end of its key. Whoever sees their own records alone hears of these alone, within a bound.
 */
export const listProjectEvents = (
  db: Db,
  { projectId, callerId, before, limit }: { projectId: number; callerId: number; before: number; limit: number },
) =>
  db.rows<ProjectEvent>(sql`
    with seen as materialized (
      select forms.id, forms.title, bool_or(grants.role = any(${rolesThatMay('view_all')}::text[])) as is_whole
      from forms join form_grants grants on grants.form_id = forms.id
      where forms.project_id = ${projectId} and forms.deleted_at is null
        and grants.user_id = ${callerId} and grants.role = any(${rolesThatMay('view')}::text[])
      group by forms.id
    ), found as (
      select last.id, last.verb, seen.id as form_id, seen.title, last.ids, last.message, last.user_id, last.created_at
      from seen cross join lateral (
        select recent.id, verb, shown.ids, message, user_id, created_at
        from (
          select id, verb, ids, message, user_id, created_at from form_events
          where form_id = seen.id and id < ${before}::bigint
          order by id desc limit case when seen.is_whole then ${limit}::int else least(${lookedThrough}::int, greatest(1,
            ${lookedThroughInAll}::int / (select count(*) from seen narrow where not narrow.is_whole))) end
        ) recent
        cross join lateral (
          select case when seen.is_whole or not starts_with(recent.verb, 'submission') then recent.ids else array(
            select submissions.id from submissions
            where submissions.form_id = seen.id and submissions.id = any(recent.ids)
              and submissions.submitted_by = ${callerId}) end as ids
        ) shown
        where seen.is_whole or not starts_with(recent.verb, 'submission') or shown.ids <> '{}'
        order by recent.id desc limit ${limit}::int
      ) last
      union all
      (select id, verb, null, null, null, message, user_id, created_at from events
        where target_type = 'project' and target_id = ${projectId} and id < ${before}::bigint
        order by id desc limit ${limit}::int)
    )
    select found.id, found.verb, found.form_id as "formId", found.title as form, found.ids::float8[] as ids,
      found.message, users.username, found.created_at as "createdAt"
    from found left join users on users.id = found.user_id
    order by found.id desc limit ${limit}::int`)
