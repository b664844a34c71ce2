// Taking what is due and writing down what became of it. Several processes take from the same table: rows that another
// holds are passed over, and a claim ends by itself, so that nothing waits for a process that was killed. Claims are timed by the
// database: a node whose clock is ahead would take over what others have in hand, and everything would be sent twice.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { stillManages } from '../permissions/index.js'

export interface Claim {
  readonly id: number
  readonly serviceId: number
  readonly form: { readonly id: number; readonly uuid: string; readonly idString: string }
  readonly submissionId: number
  readonly revision: number
  /** This one included. */
  readonly tries: number
  readonly claimNo: number
  readonly firstTryAt: Date
}

/** What was recorded for another form is not a service's own. */
export interface OfService {
  readonly id: number
  readonly formId: number
}

/** How many more a service may have in hand. */
export interface Slots {
  readonly serviceId: number
  readonly free: number
}

/** Of a service and its form, as they stand in a statement: whoever it acts for still manages the form. For the account that
 * owns the form that needs no look. */
export const isHeld: Sql = sql`(services.acts_for is not distinct from forms.owner_id
  or ${stillManages({ formId: sql`forms.id`, projectId: sql`forms.project_id`, userId: sql`services.acts_for` })})`

/** Nobody has it in hand. */
export const isUnclaimed: Sql = sql`(claimed_until is null or claimed_until <= now())`

interface Picked {
  readonly id: number
  readonly serviceId: number
  readonly form: Claim['form']
}

/** Oldest first within a service; of one submission, never two at once and never a later one before an earlier. What is
 * earlier is asked by `finished_at`: by `state` the planner takes the index of what is due, and every claim reads all
 * that waits (70 ms with 10,000 of them, against 1). What can never be taken is not picked: it would hold the slots. */
const lockDue = (tx: Db, slots: readonly Slots[], now: Date) =>
  tx.rows<Picked>(sql`
    select picked.id, services.id as "serviceId",
      json_build_object('id', forms.id, 'uuid', forms.uuid, 'idString', forms.id_string) as form
    from unnest(${slots.map(({ serviceId }) => serviceId)}::int[], ${slots.map(({ free }) => free)}::int[])
      as slots (service_id, free)
    join rest_services services on services.id = slots.service_id and services.is_active
    join forms on forms.id = services.form_id and forms.deleted_at is null and ${isHeld}
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active
    cross join lateral (
      select candidates.id from deliveries candidates
      where candidates.service_id = slots.service_id and candidates.form_id = services.form_id
        and candidates.state = 'pending' and candidates.due_at <= ${now} and ${isUnclaimed}
        and (candidates.revision = 0 or not exists (
          select from deliveries earlier
          where earlier.service_id = candidates.service_id and earlier.submission_id = candidates.submission_id
            and earlier.revision < candidates.revision and earlier.finished_at is null))
      order by candidates.due_at, candidates.id
      limit slots.free
      for update skip locked
    ) picked`)

/** Picked and taken by two statements: in one, the planner does not know how few are picked, and with statistics it reads
 * the whole table for them (380 ms with 200,000 rows, against 1). */
export const claimDeliveries = (db: Db, slots: readonly Slots[], { now, seconds }: { now: Date; seconds: number }) =>
  db.transaction(async (tx): Promise<Claim[]> => {
    const picked = await lockDue(tx, slots, now)
    if (picked.length === 0) return []
    const forms = new Map(picked.map(({ id, form }) => [id, form]))
    const taken = await tx.rows<Omit<Claim, 'form'>>(sql`
      update deliveries set tries = tries + 1, claim_no = claim_no + 1, due_at = claims.until,
        claimed_until = claims.until, last_try_at = ${now}, first_try_at = coalesce(first_try_at, ${now})
      from unnest(${picked.map(({ serviceId }) => serviceId)}::int[], ${picked.map(({ id }) => id)}::bigint[])
        as picked (service_id, id)
        cross join (select now() + ${seconds} * interval '1 second' as until) claims
      where deliveries.service_id = picked.service_id and deliveries.id = picked.id
      returning deliveries.id, deliveries.service_id as "serviceId", deliveries.submission_id as "submissionId",
        deliveries.revision, deliveries.tries, deliveries.claim_no as "claimNo",
        deliveries.first_try_at as "firstTryAt"`)
    return taken.map((claim) => ({ ...claim, form: forms.get(claim.id) as Claim['form'] }))
  })

export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'skipped'

export interface Outcome {
  readonly serviceId: number
  readonly id: number
  /** When somebody else has claimed it since, this outcome is void. */
  readonly claimNo: number
  readonly state: DeliveryState
  /** Of a pending one: when it is tried again. */
  readonly dueAt: Date
  readonly status: number | null
  readonly error: string | null
  readonly response: string | null
  /** It was cut off by ourselves: that was no try. */
  readonly isInterrupted: boolean
}

const column = <K extends keyof Outcome>(outcomes: readonly Outcome[], key: K): Outcome[K][] =>
  outcomes.map((outcome) => outcome[key])

export const writeOutcomes = (db: Db, outcomes: readonly Outcome[], now: Date) =>
  db.run(sql`
    update deliveries set state = outcomes.state, due_at = outcomes.due_at, claimed_until = null,
      tries = deliveries.tries - outcomes.is_interrupted::int, last_status = outcomes.status,
      last_error = outcomes.error, last_response = outcomes.response,
      finished_at = case when outcomes.state <> 'pending' then ${now}::timestamptz end
    from unnest(${column(outcomes, 'serviceId')}::int[], ${column(outcomes, 'id')}::bigint[],
        ${column(outcomes, 'claimNo')}::int[], ${column(outcomes, 'state')}::text[],
        ${column(outcomes, 'dueAt')}::timestamptz[], ${column(outcomes, 'status')}::int[],
        ${column(outcomes, 'error')}::text[], ${column(outcomes, 'response')}::text[],
        ${column(outcomes, 'isInterrupted')}::boolean[])
      as outcomes (service_id, id, claim_no, state, due_at, status, error, response, is_interrupted)
    where deliveries.service_id = outcomes.service_id and deliveries.id = outcomes.id
      and deliveries.claim_no = outcomes.claim_no and deliveries.claimed_until is not null`)

/** What waits is due now: the receiver is back. What is in hand stays with whoever has it. */
export const hastenDeliveries = (db: Db, serviceId: number, now: Date) =>
  db.run(sql`
    update deliveries set due_at = ${now}
    where service_id = ${serviceId} and state = 'pending' and due_at > ${now}
      and ${isUnclaimed}`)

/** What failed since a moment is to be sent again. */
export const reviveDeliveries = (db: Db, { id, formId }: OfService, since: Date, now: Date) =>
  db.run(sql`
    update deliveries set state = 'pending', tries = 0, due_at = ${now}, first_try_at = null, finished_at = null
    where service_id = ${id} and form_id = ${formId} and state = 'failed' and finished_at >= ${since}`)

/** What is old, also what has waited all that time for a service that nobody resumed; and what is left of services that
 * are gone. At most `limit` of each at a time; answers whether that was all. */
export const clearDeliveries = async (db: Db, before: Date, limit: number): Promise<boolean> => {
  const remove = (which: Sql) =>
    db.run(sql`
      delete from deliveries where (service_id, id) in (
        select service_id, id from deliveries where ${which} limit ${limit})`)
  const counts = [
    await remove(sql`state <> 'pending' and finished_at < ${before}`),
    await remove(sql`state = 'pending' and due_at < ${before}`),
    await remove(sql`not exists (select from rest_services services where services.id = deliveries.service_id)`),
  ]
  return counts.every((count) => count < limit)
}
