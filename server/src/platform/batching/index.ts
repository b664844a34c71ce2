export { batched, coalesced } from './batching.js'
