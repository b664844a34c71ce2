// Background jobs: a fact and its jobs commit together, so they are backed up together. The queue's own tables are the library's;
// what was waiting is enqueued anew by its function, so that another version of it may read it.
import { type Sql, sql } from '../../platform/db/index.js'

/** What has failed too often stays behind. */
export const waitingJobs: Sql = sql`
  select tasks.identifier, jobs.payload, queues.queue_name, jobs.run_at, jobs.max_attempts, jobs.key, jobs.priority,
    (select array_agg(flag order by flag) from jsonb_object_keys(jobs.flags) flag)
  from graphile_worker._private_jobs jobs
  join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
  left join graphile_worker._private_job_queues queues on queues.id = jobs.job_queue_id
  where jobs.attempts < jobs.max_attempts
  order by jobs.id`

export const makeWaitingJobs: Sql = sql`
  create temporary table restored_jobs (
    place bigint generated always as identity, task text, payload json, queue text, run_at timestamptz,
    max_attempts smallint, key text, priority smallint, flags text[])
  on commit drop`

export const waitingJobsTarget: Sql = sql`restored_jobs (task, payload, queue, run_at, max_attempts, key, priority, flags)`

export const enqueueWaitingJobs: Sql = sql`
  select graphile_worker.add_job(task, payload => payload, queue_name => queue, run_at => run_at,
    max_attempts => max_attempts, job_key => key, priority => priority, flags => flags)
  from restored_jobs order by place`
