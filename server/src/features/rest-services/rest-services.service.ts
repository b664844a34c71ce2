// Finding, making and changing rest services. Whoever adds one sends the form's data elsewhere: that is for managers and
// owners of the form.
import { type Db, orConflict } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, forbidden, notFound, throwFaults } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { hastenDeliveries, insertPush, reviveDeliveries } from '../deliveries/index.js'
import { asFormManager, type FoundForm, findVisibleForm, visibleForm } from '../forms/index.js'
import type { Kind, Options } from './kinds.js'
import { addressTaken, formIsFixed, tooManyServices, unknownForm } from './rest-services.errors.js'
import {
  actFor,
  countServices,
  findService,
  insertService,
  lockService,
  nextServiceId,
  type RestService,
  replaceSecret,
  type ServiceFields,
  switchOff,
  switchOn,
  updateService,
} from './rest-services.queries.js'
import type { ServiceBody } from './rest-services.schemas.js'
import { openSealed, sealAuthToken, sealSecret } from './sealing.js'
import { newSecret } from './signing.js'

type Body = Static<typeof ServiceBody>
type Faults = Record<string, string | readonly string[]>

export interface FoundService {
  readonly service: RestService
  readonly form: FoundForm
  readonly mayManage: boolean
}

/** Seen by whoever has a role on the form that sees it; that its data are public is not enough. */
export const visibleService = async (db: Db, caller: Caller, pk: string): Promise<FoundService> => {
  const service = /^\d{1,9}$/.test(pk) ? await findService(db, Number(pk)) : undefined
  if (service === undefined) throw notFound()
  const form = await visibleForm(db, caller, String(service.formId))
  if (!form.access.may('view')) throw notFound()
  return { service, form, mayManage: form.access.may('manage') }
}

export const managedService = async (db: Db, caller: Caller, pk: string): Promise<FoundService> => {
  const found = await visibleService(db, caller, pk)
  if (!found.mayManage) throw forbidden()
  return found
}

/** The form that a body names, if the caller manages it; a form that they cannot see does not exist for them. */
const namedForm = async (
  db: Db,
  caller: Caller,
  id: number | undefined,
  faults: Faults,
): Promise<number | undefined> => {
  if (faults.xform !== undefined || id === undefined) return undefined
  const form = await findVisibleForm(db, caller, id)
  if (form === undefined) faults.xform = [unknownForm(id)]
  else if (!form.access.may('manage')) throw forbidden()
  return form?.id
}

const required = 'This field is required.'
/** By what the caller calls it, which may be anything. */
const requiredBy: ReadonlyMap<string | undefined, readonly (keyof Body)[]> = new Map([
  ['flow_messaging', ['service_url', 'auth_token', 'flow_uuid', 'contacts']],
  ['sheet_sync', ['sheet_title']],
])

const optionsOf = (kind: Kind, body: Body): Options => {
  const { flow_title = '', flow_uuid = '', contacts = '', sheet_title = '', redirect_uri } = body
  const { send_existing_data = true, sync_updates = true } = body
  if (kind === 'flow_messaging') return { flow_title, flow_uuid, contacts }
  if (kind !== 'sheet_sync') return {}
  return { sheet_title, send_existing_data, sync_updates, ...(redirect_uri !== undefined && { redirect_uri }) }
}

const checkAddress = async ({ outbound }: Deps, url: string | undefined, faults: Faults): Promise<void> => {
  if (url === undefined || faults.service_url !== undefined) return
  const fault = await outbound.faultOf(url)
  if (fault !== undefined) faults.service_url = [fault]
}

/** Adds what is missing, and throws when there is any fault. */
const checkWhole = (body: Body, faults: Faults): Kind => {
  const needed = ['xform', 'name', ...(requiredBy.get(body.name) ?? ['service_url'])] as (keyof Body)[]
  for (const field of needed) if (body[field] === undefined) faults[field] ??= [required]
  throwFaults(faults)
  return body.name as Kind
}

/** Submissions that were being received when the service was made do not know of it: after this time they are stored,
 * and count as existing ones. */
const settleMilliseconds = 3000

const pushExisting = (tx: Db, { id, formId }: { id: number; formId: number }, callerId: number, now: Date) =>
  insertPush(tx, {
    serviceId: id,
    formId,
    cause: 'existing',
    from: null,
    to: null,
    startsAt: new Date(now.getTime() + settleMilliseconds),
    requestedBy: callerId,
    now,
  })

const isPushed = ({ kind, serviceUrl }: ServiceFields): boolean => kind === 'sheet_sync' && serviceUrl !== ''

/** Of one form. Every submission is recorded once for each of them. */
const mostServices = 50

export const createService = async (deps: Deps, caller: Caller, body: Body, faults: Faults): Promise<number> => {
  const { db, secrets, clock } = deps
  const formId = await namedForm(db, caller, body.xform, faults)
  await checkAddress(deps, body.service_url, faults)
  const kind = checkWhole(body, faults)
  const now = clock.now()
  const work = asFormManager(db, caller, formId as number, async (tx) => {
    if ((await countServices(tx, formId as number)) >= mostServices) throw tooManyServices(mostServices)
    const id = await nextServiceId(tx)
    const fields = {
      formId: formId as number,
      kind,
      serviceUrl: body.service_url ?? '',
      options: optionsOf(kind, body),
      authToken: kind === 'flow_messaging' ? sealAuthToken(secrets, id, body.auth_token ?? '') : null,
    }
    await insertService(tx, { id, ...fields, secret: sealSecret(secrets, id, newSecret()), createdBy: caller.id, now })
    if (isPushed(fields) && fields.options.send_existing_data)
      await pushExisting(tx, { id, formId: fields.formId }, caller.id, now)
    return id
  })
  return orConflict(work, { rest_services__address: () => addressTaken(kind) })
}

/** The service as a body of its own, for what a change leaves out. */
const presentBody = (service: RestService, authToken: string | undefined): Body => {
  return {
    xform: service.formId,
    name: service.kind,
    ...(service.serviceUrl !== '' && { service_url: service.serviceUrl }),
    ...service.options,
    ...(authToken !== undefined && { auth_token: authToken }),
  }
}

export interface ServiceChange {
  found: FoundService
  body: Body
  faults: Faults
  /** PATCH keeps what is left out; PUT takes the body for the whole. */
  isMerge: boolean
}

const checkChange = async (deps: Deps, { found: { service }, body, faults }: ServiceChange): Promise<void> => {
  if (body.xform !== undefined && body.xform !== service.formId) faults.xform ??= [formIsFixed]
  // An address that may not be called any more is no reason against switching its service off.
  if (body.service_url !== service.serviceUrl) await checkAddress(deps, body.service_url, faults)
}

const changedFields = ({ secrets }: Deps, service: RestService, { body, faults, isMerge }: ServiceChange) => {
  const opened = openSealed(secrets, service)
  // What cannot be read is kept, in case that the former SECRET_KEY comes back, until somebody says that it is to go on.
  const keepsSealed = opened === undefined && isMerge && body.auth_token === undefined && body.active !== true
  const present = isMerge ? presentBody(service, keepsSealed ? '' : opened?.authToken) : { xform: service.formId }
  const whole = { ...present, ...body }
  const kind = checkWhole(whole, faults)
  const token = keepsSealed ? service.authToken : sealAuthToken(secrets, service.id, whole.auth_token ?? '')
  return {
    kind,
    serviceUrl: whole.service_url ?? '',
    options: optionsOf(kind, whole),
    authToken: kind === 'flow_messaging' ? token : null,
  }
}

export const changeService = async (deps: Deps, caller: Caller, change: ServiceChange): Promise<void> => {
  const { db, secrets, clock } = deps
  const { found, body } = change
  await checkChange(deps, change)
  const now = clock.now()
  let kind = found.service.kind
  const work = asFormManager(db, caller, found.service.formId, async (tx) => {
    // What is left out stays as it is now: somebody may have changed it since it was looked at.
    const service = await lockService(tx, found.service.id)
    if (service === undefined) throw notFound()
    const fields = changedFields(deps, service, change)
    kind = fields.kind
    await updateService(tx, service.id, fields, now)
    if (body.active === true && openSealed(secrets, service) === undefined)
      await replaceSecret(tx, service.id, sealSecret(secrets, service.id, newSecret()))
    await answerFor(tx, service, caller, { isOn: body.active, now })
    if (isPushed(fields) && body.send_existing_data === true) await pushExisting(tx, service, caller.id, now)
  })
  await orConflict(work, { rest_services__address: () => addressTaken(kind) })
}

/** Whoever changes a service answers for it from then on. One that has lost its person stays as it is until somebody says that
 * it is to go on. */
const answerFor = async (
  tx: Db,
  service: RestService,
  caller: Caller,
  { isOn, now }: { isOn: boolean | undefined; now: Date },
): Promise<void> => {
  if (service.isHeld || isOn === true) await actFor(tx, service.id, caller.id)
  if (isOn === false) await switchOff(tx, service.id, `Switched off by ${caller.username}.`, now)
  if (isOn === true) await resume(tx, service, now)
}

/** Everything that waits is due at once, and what has failed since the last success gets another chance. */
const resume = async (tx: Db, service: RestService, now: Date): Promise<void> => {
  const failingSince = await switchOn(tx, service.id, now)
  if (failingSince !== null) await reviveDeliveries(tx, service, failingSince, now)
  await hastenDeliveries(tx, service.id, now)
}
