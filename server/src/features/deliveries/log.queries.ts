// What became of the deliveries of a service, for those who look after it.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { type DeliveryState, isUnclaimed, type OfService } from './claim.queries.js'

export interface Delivery {
  readonly id: number
  readonly submissionId: number
  readonly revision: number
  readonly cause: string
  readonly state: DeliveryState
  readonly tries: number
  readonly dueAt: Date
  readonly isClaimed: boolean
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly lastResponse: string | null
  readonly createdAt: Date
  readonly lastTryAt: Date | null
  readonly finishedAt: Date | null
}

const columns = sql`
  id, submission_id as "submissionId", revision, cause, state, tries, due_at as "dueAt",
  not ${isUnclaimed} as "isClaimed", last_status as "lastStatus", last_error as "lastError",
  last_response as "lastResponse", created_at as "createdAt", last_try_at as "lastTryAt", finished_at as "finishedAt"`

export interface DeliveryFilter {
  service: OfService
  state?: DeliveryState | undefined
}

const toService = ({ id, formId }: OfService): Sql => sql`service_id = ${id} and form_id = ${formId}`

const matching = ({ service, state }: DeliveryFilter): Sql =>
  sql`${toService(service)} ${state === undefined ? sql`` : sql`and state = ${state}`}`

export const countDeliveries = async (db: Db, filter: DeliveryFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from deliveries where ${matching(filter)}`)).count

/** Newest first. */
export const listDeliveries = (db: Db, filter: DeliveryFilter, range: { offset: number; limit: number }) =>
  db.rows<Delivery>(sql`
    select ${columns} from deliveries where ${matching(filter)}
    order by id desc limit ${range.limit} offset ${range.offset}`)

export const findDelivery = (db: Db, service: OfService, id: number) =>
  db.maybe<Delivery>(sql`
    select ${columns} from deliveries where ${toService(service)} and id = ${id}`)

/** From the start, and now; one that is being sent in this moment is left alone. */
export const retryDelivery = (db: Db, service: OfService, id: number, now: Date) =>
  db.maybe<Delivery>(sql`
    update deliveries set state = 'pending', tries = 0, due_at = ${now}, claimed_until = null, first_try_at = null,
      finished_at = null
    where ${toService(service)} and id = ${id} and ${isUnclaimed}
    returning ${columns}`)
