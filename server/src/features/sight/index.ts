export { findRecord, findRecords, Sight, sightOf, sightOfForm, sightOver } from './sight.js'
export { inSight, type Scope, type SeenRecord } from './sight.queries.js'
