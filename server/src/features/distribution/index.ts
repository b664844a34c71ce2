export { type Distributed, distribute, isDistributed, type Step } from './distribute.js'
export { growingTables } from './growing-tables.js'
