import { type Db, type Sql, sql } from '../db/index.js'
import type { Job } from './job.js'

export interface EnqueueOptions {
  runAt?: Date
  /** A job with the same key that has not started is replaced. */
  key?: string
  /** Jobs of one queue run one after the other, so that those of others run beside them. */
  queue?: string
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
      flags => ${job.kind === undefined ? null : [job.kind]}::text[], queue_name => ${options.queue ?? null})`)
}

/** These workers live. What the others had in hand for a while is free again. */
export const beat = async (db: Db, workers: readonly string[], silentMs: number): Promise<void> => {
  const since = sql`now() - ${silentMs} * interval '1 millisecond'`
  await db.run(sql`
    insert into job_workers (worker_id, seen_at) select id, now() from unnest(${workers}::text[]) id
    on conflict (worker_id) do update set seen_at = excluded.seen_at`)
  await db.run(sql`
    select graphile_worker.force_unlock_workers(gone.ids) from (
      select array_agg(distinct locked_by) as ids from graphile_worker.jobs
      where locked_at < ${since}
        and not exists (select from job_workers where worker_id = locked_by and seen_at > ${since})) gone
    where gone.ids is not null`)
  await db.run(sql`delete from job_workers where seen_at < now() - interval '1 day'`)
}

/** What anybody has in hand is free again: for a start at which nobody else can be there. */
export const freeAll = async (db: Db): Promise<void> => {
  await db.run(sql`
    select graphile_worker.force_unlock_workers(gone.ids) from (
      select array_agg(distinct locked_by) as ids from graphile_worker.jobs where locked_by is not null) gone
    where gone.ids is not null`)
}

export const isAnyDue = async (db: Db): Promise<boolean> =>
  (
    await db.one<{ due: boolean }>(sql`
      select exists (select from graphile_worker.jobs
        where run_at <= now() and locked_at is null and attempts < max_attempts) as due`)
  ).due

/** Over the job of a key, which is an expression: `waiting` or in hand, `spent` when it has failed too often; null: none. */
export const stateOfJob = (key: Sql): Sql => sql`
  (select case when attempts < max_attempts or locked_at is not null then 'waiting' else 'spent' end
    from graphile_worker.jobs where jobs.key = ${key})`

/** The same as an expression, for a statement that stores what the job is about; `payload` is an expression of json. */
export const enqueueCall = <Payload extends object>(job: Job<Payload>, payload: Sql): Sql =>
  sql`graphile_worker.add_job(${job.name}, payload => ${payload}, max_attempts => ${job.maxAttempts})`

/** Whether the queue's tables are there. A newer library brings them up to date when its runner starts. */
export const areJobsPrepared = async (db: Db): Promise<boolean> =>
  (await db.one<{ there: boolean }>(sql`select to_regclass('graphile_worker.migrations') is not null as there`)).there
