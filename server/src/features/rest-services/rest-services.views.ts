import type { Db } from '../../platform/db/index.js'
import type { Caller } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import type { Secrets } from '../../platform/secrets/index.js'
import { type Delivery, listExistingPushes, type PushProgress } from '../deliveries/index.js'
import type { Options } from './kinds.js'
import { lapsedReason } from './lapsed.js'
import type { RestService } from './rest-services.queries.js'
import type { DeliveryView, RestServiceView } from './rest-services.schemas.js'
import { lostReason, type Opened, openSealed } from './sealing.js'
import { messageId } from './signing.js'

export interface SeenService {
  readonly service: RestService
  readonly mayManage: boolean
}

type View = Static<typeof RestServiceView>

/** Secrets are for those who could change them, in person: a program that was allowed to look at data, or to change it,
 * was not given the keys of other servers; nor is a browser, which shows pages of others too, but once, when it makes the
 * service. Two statements for however many services. */
export const serviceViews = async (
  { db, secrets }: { db: Db; secrets: Secrets },
  { credential }: Caller,
  seen: readonly SeenService[],
  { isNew = false }: { isNew?: boolean } = {},
): Promise<View[]> => {
  const isInPerson = credential.kind !== 'bearer' && (isNew || credential.kind !== 'session')
  const sheets = seen.filter(({ service }) => service.kind === 'sheet_sync').map(({ service }) => service.id)
  const pushes = sheets.length === 0 ? [] : await listExistingPushes(db, sheets)
  const pushOf = new Map(pushes.map((push) => [push.serviceId, push]))
  return seen.map(({ service, mayManage }) => {
    const opened = openSealed(secrets, service)
    return {
      id: service.id,
      xform: service.formId,
      name: service.kind,
      service_url: service.serviceUrl,
      active: service.isActive && service.isHeld && opened !== undefined,
      inactive_reason: inactiveReason(service, opened),
      ...(mayManage && isInPerson && opened && secretsOf(service, opened)),
      ...extrasOf(service, pushOf.get(service.id)),
      date_created: service.createdAt.toISOString(),
      date_modified: service.modifiedAt.toISOString(),
    }
  })
}

const inactiveReason = (service: RestService, opened: Opened | undefined): string => {
  if (!service.isActive) return service.inactiveReason
  if (!service.isHeld) return lapsedReason(service.actor)
  return opened === undefined ? lostReason : service.inactiveReason
}

const secretsOf = ({ kind }: RestService, { secret, authToken }: Opened) => ({
  secret,
  ...(kind === 'flow_messaging' && { auth_token: authToken ?? '' }),
})

const extrasOf = ({ kind, options }: RestService, push: PushProgress | undefined): Options & Partial<View> => {
  const { flow_title = '', flow_uuid = '', contacts = '' } = options
  const { sheet_title = '', send_existing_data = false, sync_updates = false, redirect_uri } = options
  if (kind === 'flow_messaging') return { flow_title, flow_uuid, contacts }
  if (kind !== 'sheet_sync') return {}
  return {
    sheet_title,
    send_existing_data,
    sync_updates,
    ...(redirect_uri !== undefined && { redirect_uri }),
    existing_data: push === undefined ? null : progressView(push),
  }
}

const progressView = ({ total, done, startedAt, finishedAt }: PushProgress) => ({
  state: finishedAt === null ? 'running' : 'done',
  total,
  sent: done,
  started: startedAt.toISOString(),
  finished: finishedAt?.toISOString() ?? null,
})

export const deliveryView = (serviceId: number, delivery: Delivery, now: Date): Static<typeof DeliveryView> => ({
  id: delivery.id,
  submission: delivery.submissionId,
  message_id: messageId({ serviceId, ...delivery }),
  cause: delivery.cause,
  state: delivery.state,
  tries: delivery.tries,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  last_response: delivery.lastResponse,
  last_try: delivery.lastTryAt?.toISOString() ?? null,
  // Of one that is in hand nobody knows yet whether there is a next.
  next_try: delivery.state === 'pending' && !delivery.isClaimed ? delivery.dueAt.toISOString() : null,
  lag: Math.max(0, ((delivery.finishedAt ?? now).getTime() - delivery.createdAt.getTime()) / 1000),
  date_created: delivery.createdAt.toISOString(),
})
