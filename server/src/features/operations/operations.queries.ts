// How the installation does, in numbers and states. Nothing here reads a record.
import { type Db, sql } from '../../platform/db/index.js'

export interface Counts {
  readonly people: number
  readonly activePeople: number
  readonly organizations: number
  readonly projects: number
  readonly forms: number
  readonly records: number
}

/** Tables as long as there are people and forms. Records are counted where they are received, not here. */
export const countEverything = (db: Db) =>
  db.one<Counts>(sql`
    select
      count(*) filter (where not is_org) as people,
      count(*) filter (where not is_org and is_active) as "activePeople",
      count(*) filter (where is_org) as organizations,
      (select count(*) from projects where deleted_at is null) as projects,
      (select count(*) from forms where deleted_at is null) as forms,
      (select coalesce(sum(submissions), 0)::bigint from form_counts
        where form_id = any(array(select id from forms where deleted_at is null))) as records
    from users`)

export interface TableSize {
  readonly name: string
  readonly bytes: number
  /** As the database last estimated them; null: never. */
  readonly rows: number | null
}

/** With their indexes, and with those parts that are tables of their own. */
export const listLargestTables = (db: Db, most: number) =>
  db.rows<TableSize>(sql`
    select case nspname when current_schema() then relname else nspname || '.' || relname end as name,
      pg_total_relation_size(pg_class.oid) as bytes, nullif(reltuples, -1)::bigint as rows
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'm') and nspname in (current_schema(), 'graphile_worker')
    order by bytes desc, name limit ${most}`)

export const databaseVersion = async (db: Db): Promise<string> =>
  (await db.one<{ version: string }>(sql`select current_setting('server_version') as version`)).version

export interface FailingJob {
  readonly task: string
  readonly attempts: number
  readonly mostAttempts: number
  readonly lastError: string
  /** Null: given up. */
  readonly nextTryAt: Date | null
  readonly createdAt: Date
}

/** Those that have failed, given up ones first. What a job is about is not told: it may name people and records. */
export const listFailingJobs = (db: Db, most: number) =>
  db.rows<FailingJob>(sql`
    select task_identifier as task, attempts::int, max_attempts::int as "mostAttempts",
      left(last_error, 500) as "lastError", case when attempts < max_attempts then run_at end as "nextTryAt",
      created_at as "createdAt"
    from graphile_worker.jobs
    where last_error is not null
    order by attempts >= max_attempts desc, updated_at desc limit ${most}`)

export interface MailQueue {
  readonly waiting: number
  readonly givenUp: number
  readonly lastError: string | null
}

export const readMailQueue = (db: Db) =>
  db.one<MailQueue>(sql`
    select count(*) filter (where attempts < max_attempts) as waiting,
      count(*) filter (where attempts >= max_attempts) as "givenUp",
      left((array_agg(last_error order by updated_at desc) filter (where last_error is not null))[1], 500)
        as "lastError"
    from graphile_worker.jobs where flags ? 'mail'`)

/** Processes that run jobs and have said so within the last minute. */
export const countJobRunners = async (db: Db): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from job_workers where seen_at > now() - interval '1 minute'`))
    .count

export interface FailingService {
  readonly id: number
  readonly kind: string
  readonly serviceUrl: string
  readonly isActive: boolean
  readonly reason: string
  readonly failures: number
  readonly failingSince: Date | null
  readonly formId: number
  readonly form: string
  readonly owner: string
}

/** Those whose calls fail, and those that were paused for it. */
export const listFailingServices = (db: Db, most: number) =>
  db.rows<FailingService>(sql`
    select services.id, services.kind, services.service_url as "serviceUrl", services.is_active as "isActive",
      left(services.inactive_reason, 500) as reason, services.failures, services.failing_since as "failingSince",
      forms.id as "formId", forms.title as form, owners.username as owner
    from rest_services services
    join forms on forms.id = services.form_id and forms.deleted_at is null
    join users owners on owners.id = forms.owner_id
    where services.failing_since is not null or services.inactive_reason <> ''
    order by services.failing_since nulls last, services.id limit ${most}`)

export interface Upkeep {
  readonly ranAt: Date
  readonly outcome: Readonly<Record<string, number>>
}

export const findUpkeep = (db: Db, task: string) =>
  db.maybe<Upkeep>(sql`select ran_at as "ranAt", outcome from upkeep where task = ${task}`)

export const recordUpkeep = (db: Db, task: string, outcome: Readonly<Record<string, number>>, now: Date) =>
  db.run(sql`
    insert into upkeep (task, ran_at, outcome) values (${task}, ${now}, ${JSON.stringify(outcome)}::jsonb)
    on conflict (task) do update set ran_at = excluded.ran_at, outcome = excluded.outcome`)
