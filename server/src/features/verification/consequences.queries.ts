// What must have been recorded with each submission: its event and its deliveries.
import { type Sql, sql } from '../../platform/db/index.js'

const told = (formId: number, verb: 'submission_created' | 'submission_edited'): Sql => sql`
  select told.id, count(*) as count, min(told.created_at) as at
  from (select unnest(ids) as id, created_at from form_events where form_id = ${formId} and verb = ${verb}) told
  group by told.id`

const isKnown = (formId: number, id: Sql): Sql => sql`(
  exists (select from submissions where submissions.form_id = ${formId} and submissions.id = ${id})
  or exists (select from submission_tombstones gone where gone.form_id = ${formId} and gone.id = ${id}))`

export const differingEvents = (formId: number): Sql => sql`
  with created as materialized (${told(formId, 'submission_created')}),
  edited as materialized (${told(formId, 'submission_edited')})
  select submissions.id, case when created.id is null then 'no event says that it was received'
    else created.count || ' events say that it was received' end as what
  from submissions left join created on created.id = submissions.id
  where submissions.form_id = ${formId} and created.count is distinct from 1
  union all
  select versions.id, versions.count || ' edits, and ' || coalesce(edited.count, 0) || ' events of them'
  from (
    select submission_id as id, count(*) as count from submission_versions
    where form_id = ${formId} group by submission_id
  ) versions left join edited on edited.id = versions.id
  where edited.count is distinct from versions.count
  union all
  select told.id, 'an event tells of a record that never was'
  from (select id from created union select id from edited) told
  where not ${isKnown(formId, sql`told.id`)}`

/** A service that is changed while submissions arrive counts from a little later on. */
const settledSeconds = 5

/** Of services as they are now: what came before they were last changed may have been theirs or not. Deliveries that are
 * through are cleared after a while. */
export const differingDeliveries = (formId: number, keptSince: Date): Sql => sql`
  with received as materialized (${told(formId, 'submission_created')}),
  present as materialized (
    select received.id, received.at from received
    join submissions on submissions.form_id = ${formId} and submissions.id = received.id
    where received.at > ${keptSince}
  ),
  known as materialized (
    select id from submissions where form_id = ${formId}
    union all
    select id from submission_tombstones where form_id = ${formId}
  )
  select present.id, 'no delivery to service ' || services.id as what
  from rest_services services
  join present on present.at > services.modified_at + make_interval(secs => ${settledSeconds})
  where services.form_id = ${formId} and services.service_url <> '' and not exists (
    select from deliveries
    where deliveries.service_id = services.id and deliveries.submission_id = present.id and deliveries.revision = 0)
  union all
  select deliveries.submission_id, 'a delivery to service ' || services.id || ' of a record that never was'
  from rest_services services join deliveries on deliveries.service_id = services.id
  where services.form_id = ${formId} and deliveries.form_id = ${formId}
    and not exists (select from known where known.id = deliveries.submission_id)`
