export { type FairBounds, type FairGate, fairGate } from './fair-gate.js'
