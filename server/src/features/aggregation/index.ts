export {
  countChoices,
  countGroups,
  countValues,
  type GroupCount,
  type GroupRows,
  type GroupSum,
  sumGroups,
} from './counts.queries.js'
export { countFields, type Statistics, statisticsOf } from './fields.queries.js'
export { fitting } from './fitting.js'
export { mostGroups } from './found.queries.js'
export type { Counts, Limits, Others, ValueCount } from './limits.queries.js'
export { type Spread, spreadOf } from './numbers.queries.js'
export { everyRecord, type Population, populationOf } from './population.queries.js'
export { differingTallies } from './tallies.queries.js'
export { tallyJobs } from './tally-jobs.js'
