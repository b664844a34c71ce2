export { type FlowRow, flowRowsOf } from './rows.js'
