export { unknownRecord } from './sight.errors.js'
export { findRecord, findRecords, recordIdOf, Sight, sightOf, sightOfForm, sightOver } from './sight.js'
export { inSight, type Scope, type SeenRecord } from './sight.queries.js'
