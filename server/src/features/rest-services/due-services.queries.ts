// Services as the sender sees them: which have something to send, and how their receivers do.
import { type Db, sql } from '../../platform/db/index.js'
import { isHeld, isUnclaimed } from '../deliveries/index.js'
import type { Actor } from '../permissions/index.js'
import type { Kind, Options } from './kinds.js'

export interface DueService {
  readonly id: number
  readonly kind: Kind
  readonly serviceUrl: string
  readonly options: Options
  readonly authToken: Buffer | null
  readonly secret: Buffer
  readonly idString: string
  readonly failures: number
  readonly failingSince: Date | null
  readonly isInOrder: boolean
  /** Of the form. */
  readonly ownerId: number
}

/** Without those that are known to have lost their person: they would hold slots for nothing. Whether one has is asked again
 * where it is claimed; for all of them, in every turn, it would take as long as this statement itself (12 ms for 1,000). */
export const listDueServices = (db: Db, now: Date, lapsed: readonly number[] = []) =>
  db.rows<DueService>(sql`
    select services.id, services.kind, services.service_url as "serviceUrl", services.options,
      services.auth_token as "authToken", services.secret, forms.id_string as "idString", services.failures,
      services.failing_since as "failingSince", forms.owner_id as "ownerId",
      exists (
        select from delivery_pushes pushes
        where pushes.service_id = services.id and pushes.cause = 'existing' and pushes.finished_at is null)
        as "isInOrder"
    from rest_services services
    join forms on forms.id = services.form_id and forms.deleted_at is null
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active
    -- Not "exists": with statistics of a backlog that is planned by reading all of it.
    cross join lateral (
      select from deliveries
      where deliveries.service_id = services.id and deliveries.form_id = services.form_id and state = 'pending'
        and due_at <= ${now} and ${isUnclaimed}
      order by due_at limit 1) due
    where services.is_active and services.id <> all(${lapsed}::int[])
      and (services.rests_until is null or services.rests_until <= ${now})`)

/** By id, so that two processes never wait for each other; before any of their deliveries is written, as a change of a
 * service does it. Answers those that fail. */
export const lockServices = async (tx: Db, ids: readonly number[]): Promise<Set<number>> => {
  const locked = await tx.rows<{ id: number; isFailing: boolean }>(sql`
    select id, failing_since is not null as "isFailing" from rest_services
    where id = any(${ids}::int[]) order by id for update`)
  return new Set(locked.filter(({ isFailing }) => isFailing).map(({ id }) => id))
}

export const hasFailing = async (db: Db, ids: readonly number[]): Promise<boolean> =>
  (await db.maybe(sql`
    select from rest_services where id = any(${ids}::int[]) and failing_since is not null limit 1`)) !== undefined

export interface Health {
  readonly id: number
  readonly failures: number
  readonly failingSince: Date
}

/** Failures without a success between them. `down` of them say that the receiver as a whole does not work. */
export const addFailures = (db: Db, id: number, down: number, now: Date) =>
  db.maybe<Health>(sql`
    update rest_services set failures = case when ${down}::int = 0 then 0 else failures + ${down}::int end,
      failing_since = coalesce(failing_since, ${now})
    where id = ${id}
    returning id, failures, failing_since as "failingSince"`)

export const restUntil = (db: Db, id: number, until: Date) =>
  db.run(sql`update rest_services set rests_until = ${until} where id = ${id}`)

/** Answers the failures before it. */
export const endFailures = async (db: Db, id: number): Promise<number> => {
  const before = await db.maybe<{ failures: number }>(sql`
    update rest_services services set failures = 0, failing_since = null, rests_until = null
    from (select id, failures from rest_services where id = ${id} for update) before
    where services.id = before.id
    returning before.failures`)
  return before?.failures ?? 0
}

/** Whoever the service acts for, while they may know of it, and the form's owner, as far as they have an address. */
export const listKeepers = (db: Db, id: number) =>
  db.rows<{ email: string; title: string }>(sql`
    select distinct users.email, forms.title
    from rest_services services
    join forms on forms.id = services.form_id
    join users on users.id = forms.owner_id or (users.id = services.acts_for and ${isHeld})
    where services.id = ${id} and users.is_active and users.email is not null
    order by users.email`)

export interface LapsedService {
  readonly id: number
  readonly formId: number
  readonly kind: Kind
  readonly serviceUrl: string
  readonly actor: Actor | null
}

export const listLapsedIds = async (db: Db): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(sql`
      select services.id from rest_services services join forms on forms.id = services.form_id
      where services.is_active and not ${isHeld}`)
  ).map(({ id }) => id)

/** Switched on, of forms that are there, and without a right to go on. Those that somebody changes now are looked at later. */
export const lockLapsedServices = (tx: Db, most: number) =>
  tx.rows<LapsedService>(sql`
    select services.id, services.form_id as "formId", services.kind, services.service_url as "serviceUrl",
      (select json_build_object('username', username, 'isActive', is_active) from users where id = services.acts_for)
        as actor
    from rest_services services
    join forms on forms.id = services.form_id and forms.deleted_at is null
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active
    where services.is_active and not ${isHeld}
    order by services.id limit ${most}
    for update of services skip locked`)
