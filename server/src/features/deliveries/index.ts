export { deliveryRows, recordDeliveries, type SubmissionChange } from './record.queries.js'
