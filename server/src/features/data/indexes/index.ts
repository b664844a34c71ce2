// Indexes that make themselves, of answers to questions that records are often filtered and sorted by.
export { indexRoutes } from './indexes.routes.js'
export { indexJobs } from './tending.js'
