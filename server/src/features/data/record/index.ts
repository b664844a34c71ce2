// One record: in every representation, its history, its labels, and a change of some of its answers.
export { labelRoutes } from './labels.routes.js'
export { manyLabelRoutes } from './many-labels.routes.js'
export { findDeletedRecord, getRecordText } from './record.queries.js'
export { recordRoutes } from './record.routes.js'
export { changeableRecord, seenRecord } from './seen-record.js'
