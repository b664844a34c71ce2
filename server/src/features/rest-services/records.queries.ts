import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { isHeld } from '../deliveries/index.js'
import { type RecordForm, recordJoins, recordText } from '../submissions/index.js'
import type { ForwardedRecord } from './kinds.js'

export interface Asked {
  readonly serviceId: number
  readonly formId: number
  readonly submissionId: number
}

export interface Confirmed {
  /** The submission was not deleted. */
  readonly isLive: boolean
  /** The service is there, switched on, and acts for somebody who still manages the form. */
  readonly maySend: boolean
}

const askedRows = (asked: readonly Asked[]): Sql => sql`
  unnest(${asked.map(({ serviceId }) => serviceId)}::int[], ${asked.map(({ formId }) => formId)}::int[],
    ${asked.map(({ submissionId }) => submissionId)}::bigint[])
    with ordinality as asked (service_id, form_id, id, place)`

/** What is true now of calls that are about to be written to their connections, in their order. */
export const confirmCalls = (db: Db, asked: readonly Asked[]) =>
  db.rows<Confirmed>(sql`
    with live as materialized (
      select submissions.form_id, submissions.id
      from (select distinct form_id, id from ${askedRows(asked)}) asked
      join submissions on submissions.form_id = asked.form_id and submissions.id = asked.id
      where submissions.form_id = any(${asked.map(({ formId }) => formId)}::int[]) and submissions.deleted_at is null
    )
    select live.id is not null as "isLive",
      exists (
        select from rest_services services
        join forms on forms.id = services.form_id and forms.deleted_at is null and ${isHeld}
        join projects on projects.id = forms.project_id and projects.deleted_at is null
        join users owners on owners.id = forms.owner_id and owners.is_active
        where services.id = asked.service_id and services.is_active) as "maySend"
    from ${askedRows(asked)} left join live on live.form_id = asked.form_id and live.id = asked.id
    order by asked.place`)

/** Live submissions of one form by id, as they are forwarded; one that was deleted is not among them. */
export const readRecords = async (
  db: Db,
  form: RecordForm,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ForwardedRecord>> => {
  const rows = await db.rows<ForwardedRecord & { id: number }>(sql`
    select submissions.id, submissions.uuid, submissions.xml, ${recordText(form)} as json
    from submissions ${recordJoins}
    where submissions.form_id = ${form.id} and submissions.id = any(${ids}::bigint[]) and submissions.deleted_at is null`)
  return new Map(rows.map(({ id, ...record }) => [id, record]))
}
