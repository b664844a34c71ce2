// What is to be forwarded, recorded in the transaction of the submission: nothing is sent before its commit, and nothing
// committed is forgotten. A low room: whoever stores submissions records them here.
import { type Db, type Sql, sql } from '../../platform/db/index.js'

/** What happened to a submission; edits go to services that ask for them. */
export type SubmissionChange = 'created' | 'edited'

interface DeliveryRows {
  /** A relation with the columns form_id and submission_id: the name of a CTE of the surrounding statement. */
  from: Sql
  change: SubmissionChange
  now: Date
}

/** A delivery for each of these submissions and each service of its form, as an insert to stand in the WITH of the
 * statement that stores them. Services that are paused get theirs too: they catch up when they are resumed. */
export const deliveryRows = ({ from, change, now }: DeliveryRows): Sql => sql`
  insert into deliveries (service_id, form_id, submission_id, revision, cause, due_at, created_at)
  select services.id, stored.form_id, stored.submission_id,
    ${change === 'edited' ? sql`nextval('delivery_ids')` : sql`0`}, ${change}::text, ${now}::timestamptz,
    ${now}::timestamptz
  from ${from} stored join rest_services services on services.form_id = stored.form_id
  where services.service_url <> '' ${change === 'edited' ? sql`and services.forwards_edits` : sql``}
  order by stored.submission_id, services.id`

interface Change {
  formId: number
  submissionIds: readonly number[]
  change: SubmissionChange
  now: Date
}

/** The same as a statement of its own, for the transaction that stores or edits them. */
export const recordDeliveries = (db: Db, { formId, submissionIds, change, now }: Change) =>
  db.run(sql`
    with changed as (
      select ${formId}::int as form_id, id as submission_id from unnest(${submissionIds}::bigint[]) as given (id)
    )
    ${deliveryRows({ from: sql`changed`, change, now })}`)
