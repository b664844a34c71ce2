export {
  type Claim,
  claimDeliveries,
  clearDeliveries,
  type DeliveryState,
  hastenDeliveries,
  isHeld,
  isUnclaimed,
  type OfService,
  type Outcome,
  reviveDeliveries,
  type Slots,
  writeOutcomes,
} from './claim.queries.js'
export {
  countDeliveries,
  type Delivery,
  findDelivery,
  listDeliveries,
  retryDelivery,
} from './log.queries.js'
export {
  advancePush,
  clearPushes,
  countRunningPushes,
  insertPush,
  listExistingPushes,
  listRunningPushes,
  type PushProgress,
} from './pushes.queries.js'
export { deliveryRows, recordDeliveries, type SubmissionChange } from './record.queries.js'
