export { batched, coalesced, oncePerTurn } from './batching.js'
export { flights } from './flights.js'
