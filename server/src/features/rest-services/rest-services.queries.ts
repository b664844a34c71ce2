import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { isHeld } from '../deliveries/index.js'
import { type Actor, rolesThatMay } from '../permissions/index.js'
import type { Kind, Options } from './kinds.js'

export interface RestService {
  readonly id: number
  readonly formId: number
  readonly kind: Kind
  readonly serviceUrl: string
  readonly options: Options
  /** Sealed. */
  readonly authToken: Buffer | null
  /** Sealed. */
  readonly secret: Buffer
  readonly isActive: boolean
  readonly inactiveReason: string
  /** Whether whoever it acts for still manages the form. */
  readonly isHeld: boolean
  readonly actor: Actor | null
  readonly createdAt: Date
  readonly modifiedAt: Date
}

const columns = sql`
  services.id, services.form_id as "formId", services.kind, services.service_url as "serviceUrl", services.options,
  services.auth_token as "authToken", services.secret, services.is_active as "isActive",
  services.inactive_reason as "inactiveReason", ${isHeld} as "isHeld",
  (select json_build_object('username', username, 'isActive', is_active) from users where id = services.acts_for)
    as actor, services.created_at as "createdAt",
  services.modified_at as "modifiedAt"`

/** Services of forms that are hidden from everybody are hidden, and send nothing. */
const live = sql`
  from rest_services services
  join forms on forms.id = services.form_id and forms.deleted_at is null
  join projects on projects.id = forms.project_id and projects.deleted_at is null
  join users owners on owners.id = forms.owner_id and owners.is_active`

export const findService = (db: Db, id: number) =>
  db.maybe<RestService>(sql`select ${columns} ${live} where services.id = ${id}`)

/** Nobody else changes it until the transaction ends. */
export const lockService = (tx: Db, id: number) =>
  tx.maybe<RestService>(sql`
    select ${columns} from rest_services services join forms on forms.id = services.form_id
    where services.id = ${id} for update of services`)

export const countServices = async (db: Db, formId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from rest_services where form_id = ${formId}`)).count

const granted = (userId: number, action: 'view' | 'manage'): Sql => sql`
  services.form_id in (
    select form_id from form_grants where user_id = ${userId} and role = any(${rolesThatMay(action)}::text[]))`

/** Of forms on which the user has a role that sees them, by id. */
export const listServices = (db: Db, userId: number, formId: number | undefined) =>
  db.rows<RestService & { mayManage: boolean }>(sql`
    select ${columns}, ${granted(userId, 'manage')} as "mayManage" ${live}
    where ${granted(userId, 'view')} ${formId === undefined ? sql`` : sql`and services.form_id = ${formId}`}
    order by services.id`)

/** Secrets are sealed for the row that they stand in, so its id is there first. */
export const nextServiceId = async (db: Db): Promise<number> =>
  (await db.one<{ id: number }>(sql`select nextval('rest_service_ids') as id`)).id

export interface ServiceFields {
  kind: Kind
  serviceUrl: string
  options: Options
  authToken: Buffer | null
}

const forwardsEdits = ({ kind, options }: ServiceFields): boolean =>
  kind === 'sheet_sync' && options.sync_updates === true

/** Constraint: rest_services__address. */
export const insertService = (
  db: Db,
  service: ServiceFields & { id: number; formId: number; secret: Buffer; createdBy: number; now: Date },
) =>
  db.run(sql`
    insert into rest_services (id, form_id, kind, service_url, options, auth_token, secret, forwards_edits, created_by,
      acts_for, created_at, modified_at)
    values (${service.id}, ${service.formId}, ${service.kind}, ${service.serviceUrl},
      ${JSON.stringify(service.options)}::jsonb, ${service.authToken}, ${service.secret}, ${forwardsEdits(service)},
      ${service.createdBy}, ${service.createdBy}, ${service.now}, ${service.now})`)

/** A new address has not failed yet. Constraint: rest_services__address. */
export const updateService = (db: Db, id: number, service: ServiceFields, now: Date) =>
  db.run(sql`
    update rest_services set kind = ${service.kind}, options = ${JSON.stringify(service.options)}::jsonb,
      auth_token = ${service.authToken}, forwards_edits = ${forwardsEdits(service)}, modified_at = ${now},
      failures = case when service_url = ${service.serviceUrl} then failures else 0 end,
      failing_since = case when service_url = ${service.serviceUrl} then failing_since end,
      rests_until = case when service_url = ${service.serviceUrl} then rests_until end,
      service_url = ${service.serviceUrl}
    where id = ${id}`)

export const replaceSecret = (db: Db, id: number, secret: Buffer) =>
  db.run(sql`update rest_services set secret = ${secret} where id = ${id}`)

/** Whoever changes or resumes it answers for what it sends. */
export const actFor = (db: Db, id: number, userId: number) =>
  db.run(sql`update rest_services set acts_for = ${userId} where id = ${id}`)

/** What waits for it is never sent, and cleared later: there may be millions. */
export const deleteService = (db: Db, id: number) => db.run(sql`delete from rest_services where id = ${id}`)

export const switchOff = (db: Db, id: number, reason: string, now: Date) =>
  db.run(sql`
    update rest_services set is_active = false, inactive_reason = ${reason}, modified_at = ${now}
    where id = ${id} and is_active`)

/** Answers since when it had been failing. */
export const switchOn = async (db: Db, id: number, now: Date): Promise<Date | null> => {
  const before = await db.maybe<{ failingSince: Date | null }>(sql`
    update rest_services services set is_active = true, inactive_reason = '', failures = 0, failing_since = null,
      rests_until = null, modified_at = ${now}
    from (select id, failing_since from rest_services where id = ${id} for update) before
    where services.id = before.id
    returning before.failing_since as "failingSince"`)
  return before?.failingSince ?? null
}

/** Whoever asks for a try now does not want to wait until the receiver is taken to be back. */
export const endRest = (db: Db, id: number) => db.run(sql`update rest_services set rests_until = null where id = ${id}`)
