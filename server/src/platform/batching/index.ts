export { batched, coalesced, oncePerTurn } from './batching.js'
