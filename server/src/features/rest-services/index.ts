import type { Deps, Room } from '../../platform/deps.js'
import { deliveryRoutes } from './deliveries.routes.js'
import { readRecords } from './records.queries.js'
import { restServiceJobs } from './rest-services.jobs.js'
import { restServiceRoutes } from './rest-services.routes.js'
import { openSealed, type Sealed } from './sealing.js'
import { forwardDue, type Sender, startSender } from './sender.js'

export { pauseLapsedServices } from './lapsed.js'
export { restServiceSettings } from './rest-services.settings.js'

/** False: sealed with another SECRET_KEY. */
export const opensSealed = (secrets: Deps['secrets'], service: Sealed): boolean =>
  openSealed(secrets, service) !== undefined

export const restServices: Room = async (app, deps) => {
  restServiceJobs(deps)
  await restServiceRoutes(app, deps)
  await deliveryRoutes(app, deps)
}

/** Forwards submissions until it is stopped; at leisure while this process has much to receive. */
export const startForwarding = (deps: Deps, receivingNow: () => number): Sender =>
  startSender(deps, readRecords, { receivingNow })

/** Forwards what is due now, and returns. */
export const forwardPending = (deps: Deps): Promise<void> => forwardDue(deps, readRecords)
