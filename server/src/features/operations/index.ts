export { findUpkeep, recordUpkeep } from './operations.queries.js'
export { operations } from './operations.routes.js'
