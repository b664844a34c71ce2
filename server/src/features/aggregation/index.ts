export {
  countChoices,
  countGroups,
  countValues,
  type GroupCount,
  type GroupRows,
  type GroupSum,
  mostGroups,
  sumGroups,
} from './counts.queries.js'
export { countFields, type Statistics, statisticsOf } from './fields.queries.js'
export { fitting } from './fitting.js'
export type { Counts, Limits, Others, ValueCount } from './limits.queries.js'
export { type Spread, spreadOf } from './numbers.queries.js'
export { everyRecord, type Population } from './population.queries.js'
