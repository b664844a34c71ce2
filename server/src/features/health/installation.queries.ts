import { acrossForms, type Db, sql } from '../../platform/db/index.js'

export const databaseBytes = async (db: Db): Promise<number> =>
  (await db.one<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`)).bytes

export interface Counted {
  readonly count: number
}

export const countJobs = (db: Db) =>
  db.rows<Counted & { task: string; state: string }>(sql`
    select task_identifier as task, case
        when locked_at is not null then 'running'
        when attempts >= max_attempts then 'given up'
        when run_at > now() then 'later'
        else 'due' end as state, count(*)
    from graphile_worker.jobs group by 1, 2`)

/** One pass: what is through is cleared after a while, so the table is as long as some days are busy. */
export const countDeliveriesByState = (db: Db) =>
  db.rows<Counted & { state: string }>(sql`select state, count(*) from deliveries group by state`)

/** Of the files that rows name; what was removed from the store is in no row. */
export const sumFiles = (db: Db) =>
  db.rows<Counted & { kind: string; bytes: number }>(
    acrossForms(
      'metrics of the whole installation, asked for once a minute at most',
      sql`
    select 'records' as kind, coalesce(sum(bytes), 0)::bigint as bytes, count(*) from attachments
    union all select 'forms', coalesce(sum(file_bytes), 0)::bigint, count(*) from metadata where file_key is not null
    union all select 'exports', coalesce(sum(bytes), 0)::bigint, count(*) from exports`,
    ),
  )
