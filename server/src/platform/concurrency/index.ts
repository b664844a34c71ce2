export { type FairBounds, type FairGate, fairGate } from './fair-gate.js'
export { inTurn } from './in-turn.js'
export { shared } from './shared.js'
