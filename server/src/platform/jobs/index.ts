export { defineJob, type Job } from './job.js'
export {
  type JobContext,
  JobHandlers,
  type JobRunner,
  prepareJobs,
  runPendingJobs,
  startJobs,
} from './jobs.js'
export { areJobsPrepared, enqueue, enqueueCall, stateOfJob } from './jobs.queries.js'
export { JobStopped, JobTooLong, RunningJobs, unlessAborted } from './running.js'
