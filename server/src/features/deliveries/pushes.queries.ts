// Pushes: what a service gets though it is older than the service, or a second time. The submissions become deliveries
// a few hundred at a time, so that ten million of them neither fill the table nor stand before what is new.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { isHeld } from './claim.queries.js'

export type PushCause = 'existing' | 'replayed'

export interface NewPush {
  serviceId: number
  formId: number
  cause: PushCause
  /** Received in this time, both ends included; null for no bound. */
  from: Date | null
  to: Date | null
  startsAt: Date
  requestedBy: number
  now: Date
}

const within = (from: Date | null, to: Date | null): Sql => sql`
  ${from === null ? sql`` : sql`and submitted_at >= ${from}`} ${to === null ? sql`` : sql`and submitted_at <= ${to}`}`

/** Answers how many submissions there are. Existing data that is being pushed already is not pushed twice at once. */
export const insertPush = async (db: Db, push: NewPush): Promise<number> => {
  const { total, firstId } = await db.one<{ total: number; firstId: number | null }>(sql`
    select count(*) as total, min(id) as "firstId" from submissions
    where form_id = ${push.formId} and deleted_at is null ${within(push.from, push.to)}`)
  await db.run(sql`
    insert into delivery_pushes (service_id, cause, from_time, to_time, last_id, total, starts_at, requested_by,
      created_at)
    values (${push.serviceId}, ${push.cause}, ${push.from}, ${push.to}, ${(firstId ?? 1) - 1}, ${total},
      ${push.startsAt}, ${push.requestedBy}, ${push.now})
    on conflict (service_id) where cause = 'existing' and finished_at is null do nothing`)
  return total
}

export const countRunningPushes = async (db: Db, serviceId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from delivery_pushes where service_id = ${serviceId} and finished_at is null`)
  ).count

interface RunningPush {
  readonly id: number
  readonly serviceId: number
  readonly formId: number
  readonly cause: PushCause
  readonly from: Date | null
  readonly to: Date | null
  readonly lastId: number
  /** Deliveries of this push that have not been tried yet, or are in hand. */
  readonly waiting: number
}

/** One that somebody else advances in this moment is passed over. */
const lockPush = (db: Db, id: number, now: Date) =>
  db.maybe<RunningPush>(sql`
    select pushes.id, pushes.service_id as "serviceId", services.form_id as "formId", pushes.cause,
      pushes.from_time as "from", pushes.to_time as "to", pushes.last_id as "lastId",
      (select count(*) from deliveries
       where deliveries.service_id = pushes.service_id and state = 'pending' and deliveries.cause = pushes.cause
         and (tries = 0 or claimed_until is not null)) as waiting
    from delivery_pushes pushes join rest_services services on services.id = pushes.service_id
    where pushes.id = ${id} and pushes.finished_at is null and pushes.starts_at <= ${now}
    for update of pushes skip locked`)

export const listRunningPushes = async (db: Db, now: Date): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(sql`
      select pushes.id from delivery_pushes pushes
      join rest_services services on services.id = pushes.service_id
      join forms on forms.id = services.form_id
      where pushes.finished_at is null and pushes.starts_at <= ${now} and services.is_active and ${isHeld}
      order by pushes.id`)
  ).map(({ id }) => id)

/** Deliveries of a push that wait at the same time. */
const batch = 500

const nextIds = async (db: Db, { formId, lastId, from, to }: RunningPush): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(sql`
      select id from submissions
      where form_id = ${formId} and id > ${lastId} and deleted_at is null ${within(from, to)}
      order by id limit ${batch}`)
  ).map(({ id }) => id)

/** What has arrived is left alone by existing data and sent again by a replay; what failed is tried again by both. */
const insertDeliveries = ({ serviceId, formId, cause }: RunningPush, ids: readonly number[], now: Date): Sql => sql`
  insert into deliveries (service_id, form_id, submission_id, cause, due_at, created_at)
  select ${serviceId}::int, ${formId}::int, given.id, ${cause}::text, ${now}::timestamptz, ${now}::timestamptz
  from unnest(${ids}::bigint[]) as given (id)
  order by given.id
  on conflict (service_id, submission_id, revision) do update set cause = excluded.cause, state = 'pending', tries = 0,
    due_at = excluded.due_at, created_at = excluded.created_at, claimed_until = null, first_try_at = null,
    finished_at = null
  where deliveries.state = any(${cause === 'replayed' ? ['failed', 'delivered', 'skipped'] : ['failed', 'skipped']})`

/** The next few hundred, when the last ones are nearly through; finished when the last of them was tried. One that fails
 * goes on by itself: it must not keep the rest of the service in single file for days. */
export const advancePush = (db: Db, id: number, now: Date): Promise<void> =>
  db.transaction(async (tx) => {
    const push = await lockPush(tx, id, now)
    if (push === undefined || push.waiting > batch / 2) return
    const ids = await nextIds(tx, push)
    const last = ids.at(-1)
    if (last === undefined) {
      if (push.waiting > 0) return
      await tx.run(sql`update delivery_pushes set finished_at = ${now} where id = ${push.id}`)
      return
    }
    await tx.run(insertDeliveries(push, ids, now))
    await tx.run(sql`
      update delivery_pushes set last_id = ${last}, queued = queued + ${ids.length} where id = ${push.id}`)
  })

export interface PushProgress {
  readonly serviceId: number
  readonly total: number
  /** Sent, or found to have arrived before. */
  readonly done: number
  readonly startedAt: Date
  readonly finishedAt: Date | null
}

/** The last push of existing data of each of these services. */
export const listExistingPushes = (db: Db, serviceIds: readonly number[]) =>
  db.rows<PushProgress>(sql`
    select distinct on (pushes.service_id) pushes.service_id as "serviceId",
      greatest(pushes.total, pushes.queued) as total, pushes.created_at as "startedAt",
      pushes.finished_at as "finishedAt",
      pushes.queued - case when pushes.finished_at is null then (
        select count(*) from deliveries
        where deliveries.service_id = pushes.service_id and state = 'pending' and deliveries.cause = 'existing')
      else 0 end as done
    from delivery_pushes pushes
    where pushes.service_id = any(${serviceIds}::int[]) and pushes.cause = 'existing'
    order by pushes.service_id, pushes.id desc`)

export const clearPushes = (db: Db, before: Date) =>
  db.run(sql`delete from delivery_pushes where finished_at < ${before} and cause <> 'existing'`)
