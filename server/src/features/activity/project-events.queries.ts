import { budgets } from '../../budgets.js'
import { type Db, join, type Sql, scan, sql } from '../../platform/db/index.js'
import { rolesThatMay } from '../permissions/index.js'
import { accountNames } from '../users/index.js'

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

interface Asked {
  readonly projectId: number
  readonly callerId: number
  readonly before: number
  readonly limit: number
}

interface EventsOfForm {
  readonly id: number
  readonly title: string
  /** All of its records, or those that the caller sent. */
  readonly isWhole: boolean
}

const { lookedThrough, lookedThroughInAll } = budgets.events

/** Live forms of the project on which the caller has a role. */
const listFormsWithEvents = (db: Db, { projectId, callerId }: Asked) =>
  db.rows<EventsOfForm>(sql`
    select forms.id, forms.title, bool_or(grants.role = any(${rolesThatMay('view_all')}::text[])) as "isWhole"
    from forms join form_grants grants on grants.form_id = forms.id
    where forms.project_id = ${projectId} and forms.deleted_at is null
      and grants.user_id = ${callerId} and grants.role = any(${rolesThatMay('view')}::text[])
    group by forms.id`)

/** From the end of the form's key. */
const lastOf = (formId: number, after: number, before: number, most: number): Sql => sql`
  select form_id, id, verb, ids, message, user_id, created_at from form_events
  where form_id = ${formId}::int and id > ${after}::bigint and id < ${before}::bigint
  order by id desc limit ${most}::int`

/** Of these, what the caller sees of them: of events of records, their own records. */
const ownOf = (formId: number, callerId: number, events: Sql, limit: number): Sql => sql`
  select recent.form_id, recent.id, recent.verb, shown.ids, recent.message, recent.user_id, recent.created_at
  from (${events}) recent
  cross join lateral (
    select case when not starts_with(recent.verb, 'submission') then recent.ids else array(
      select submissions.id from submissions
      where submissions.form_id = ${formId}::int and submissions.id = any(recent.ids)
        and submissions.submitted_by = ${callerId}) end as ids
  ) shown
  where not starts_with(recent.verb, 'submission') or shown.ids <> '{}'
  order by recent.id desc limit ${limit}::int`

const named = (events: Sql, limit: number): Sql => sql`
  select events.id, events.verb, events.form_id as "formId", null as form, events.ids::float8[] as ids, events.message,
    users.username, events.created_at as "createdAt"
  from (${events}) events left join ${accountNames} users on users.id = events.user_id
  order by events.id desc limit ${limit}::int`

/** A part of the statement for each form: planning a hundred takes some milliseconds. */
const formsAtOnce = 100

const listEventsOfForms = async (db: Db, { callerId, before, limit }: Asked, forms: readonly EventsOfForm[]) => {
  const narrow = forms.filter(({ isWhole }) => !isWhole).length
  const looked = Math.min(lookedThrough, Math.max(1, Math.floor(lookedThroughInAll / Math.max(narrow, 1))))
  const titles = new Map(forms.map(({ id, title }) => [id, title]))
  const found: ProjectEvent[] = []
  for (let at = 0; at < forms.length; at += formsAtOnce) {
    // Once there are enough, only newer ones count.
    const after = found[limit - 1]?.id ?? 0
    const parts = forms.slice(at, at + formsAtOnce).map(({ id, isWhole }) => {
      const last = lastOf(id, after, before, isWhole ? limit : looked)
      return sql`(${isWhole ? last : ownOf(id, callerId, last, limit)})`
    })
    const events = await db.rows<ProjectEvent & { formId: number }>(scan(named(join(parts, ' union all '), limit)))
    found.push(...events.map((event) => ({ ...event, form: titles.get(event.formId) ?? null })))
    found.sort((a, b) => b.id - a.id)
  }
  return found
}

const listOwnEvents = (db: Db, { projectId, before, limit }: Asked) =>
  db.rows<ProjectEvent>(
    named(
      sql`
        select id, verb, null::int as form_id, null::bigint[] as ids, message, user_id, created_at from events
        where target_type = 'project' and target_id = ${projectId} and id < ${before}::bigint
        order by id desc limit ${limit}::int`,
      limit,
    ),
  )

/**
 * Newest first, of the project and of its forms on which the caller has a role. Of each form only as many are read as are asked
 * for, from the end of its key. Whoever sees their own records alone hears of these alone, within a bound.
 */
export const listProjectEvents = async (db: Db, asked: Asked): Promise<ProjectEvent[]> => {
  const [own, forms] = await Promise.all([listOwnEvents(db, asked), listFormsWithEvents(db, asked)])
  const ofForms = await listEventsOfForms(db, asked, forms)
  return [...own, ...ofForms].sort((a, b) => b.id - a.id).slice(0, asked.limit)
}
