import { type Db, type Sql, sql } from '../db/index.js'
import type { Job } from './jobs.js'

export interface EnqueueOptions {
  runAt?: Date
  /** A job with the same key that has not started is replaced. */
  key?: string
}

/** Writes the job row with the caller's executor: inside a transaction it commits or vanishes with it. */
export const enqueue = async <Payload extends object>(
  db: Db,
  job: Job<Payload>,
  payload: Payload,
  options: EnqueueOptions = {},
): Promise<void> => {
  await db.run(sql`
    select graphile_worker.add_job(
      ${job.name}, payload => ${JSON.stringify(payload)}::json, max_attempts => ${job.maxAttempts},
      run_at => coalesce(${options.runAt ?? null}::timestamptz, now()), job_key => ${options.key ?? null},
      flags => ${job.kind === undefined ? null : [job.kind]}::text[])`)
}

/** The same as an expression, for a statement that stores what the job is about; `payload` is an expression of json. */
export const enqueueCall = <Payload extends object>(job: Job<Payload>, payload: Sql): Sql =>
  sql`graphile_worker.add_job(${job.name}, payload => ${payload}, max_attempts => ${job.maxAttempts})`

/** Whether the queue's tables are there. A newer library brings them up to date when its runner starts. */
export const areJobsPrepared = async (db: Db): Promise<boolean> =>
  (await db.one<{ there: boolean }>(sql`select to_regclass('graphile_worker.migrations') is not null as there`)).there
