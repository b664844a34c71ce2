export { defineJob, type Job, JobHandlers, type JobRunner, prepareJobs, runPendingJobs, startJobs } from './jobs.js'
export { areJobsPrepared, enqueue, enqueueCall } from './jobs.queries.js'
