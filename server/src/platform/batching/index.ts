export { type AskTogether, batched, coalesced, oncePerTurn } from './batching.js'
