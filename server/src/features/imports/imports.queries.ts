import { type Db, sql } from '../../platform/db/index.js'
import { stateOfJob } from '../../platform/jobs/index.js'

/** 21348 (0x5364) marks these locks among others. */
const lockSpace = 21_348

export interface ImportResult {
  readonly additions: number
  readonly duplicates: number
  readonly updates: number
  /** Rows that say what is stored already. */
  readonly unchanged?: number
  readonly info: string
}

/** What was said of a file beside `overwrite`. */
export interface KeptOptions {
  readonly unanswered?: string
  readonly isRaw?: boolean
  readonly isStrict?: boolean
}

export interface ImportJob {
  readonly id: string
  readonly formId: number
  readonly createdBy: number
  readonly state: 'PENDING' | 'PROGRESS' | 'SUCCESS' | 'FAILURE'
  readonly progress: number
  readonly total: number
  readonly result: ImportResult | null
  readonly error: string | null
  readonly fileKey: string | null
  readonly fileName: string
  readonly overwrite: boolean
  readonly options: KeptOptions | null
}

/** Until there is a result, its column holds the options. */
const isOpen = sql`state in ('PENDING', 'PROGRESS')`

const select = sql`
  select id, form_id as "formId", created_by as "createdBy", state, progress, total,
    case when not ${isOpen} then result end as result, case when ${isOpen} then result end as options, error,
    file_key as "fileKey", file_name as "fileName", overwrite
  from imports`

export interface NewImport {
  readonly id: string
  readonly formId: number
  readonly createdBy: number
  readonly fileKey: string
  readonly fileName: string
  readonly overwrite: boolean
  readonly options: KeptOptions
}

export const insertImport = (db: Db, one: NewImport, now: Date) =>
  db.run(sql`
    insert into imports (id, form_id, created_by, state, result, file_key, file_name, overwrite, created_at, modified_at)
    values (${one.id}, ${one.formId}, ${one.createdBy}, 'PENDING', ${JSON.stringify(one.options)}::json, ${one.fileKey},
      ${one.fileName}, ${one.overwrite}, ${now}, ${now})`)

export const findImport = (db: Db, id: string) => db.maybe<ImportJob>(sql`${select} where id = ${id}`)

/** Outside of the import's own transaction, so that others see it while it runs. */
export const updateProgress = (db: Db, id: string, { done, total }: { done: number; total: number }, now: Date) =>
  db.run(sql`
    update imports set state = 'PROGRESS', progress = ${done}, total = ${total}, modified_at = ${now}
    where id = ${id} and state in ('PENDING', 'PROGRESS')`)

export const succeedImport = (db: Db, id: string, total: number, result: ImportResult, now: Date) =>
  db.run(sql`
    update imports set state = 'SUCCESS', progress = ${total}, total = ${total}, result = ${JSON.stringify(result)}::json,
      file_key = null, modified_at = ${now}
    where id = ${id}`)

export const failImport = (db: Db, id: string, error: string, now: Date) =>
  db.run(sql`
    update imports set state = 'FAILURE', error = ${error}, file_key = null, modified_at = ${now}
    where id = ${id} and state in ('PENDING', 'PROGRESS')`)

/** Not done, and no job is under way for it. */
export const listStalledImports = (db: Db, before: Date) =>
  db.rows<{ id: string; createdAt: Date; createdBy: number; isSpent: boolean }>(sql`
    select id, "createdAt", "createdBy", coalesce(job = 'spent', false) as "isSpent" from (
      select id, created_at as "createdAt", created_by as "createdBy", ${stateOfJob(sql`'import:' || imports.id`)} as job from imports
      where state in ('PENDING', 'PROGRESS') and modified_at < ${before}) open
    where job is distinct from 'waiting'
    order by "createdAt"`)

/** Of one account: those that wait or run. */
export const countOpenImports = async (db: Db, createdBy: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from imports where created_by = ${createdBy} and state in ('PENDING', 'PROGRESS')`)
  ).count

export const deleteOldImports = (db: Db, before: Date) =>
  db.run(sql`delete from imports where state in ('SUCCESS', 'FAILURE') and modified_at < ${before}`)

/** One import into a form at a time; false when another one runs. It does not touch those who submit. */
export const lockImports = async (db: Db, formId: number): Promise<boolean> =>
  (await db.one<{ taken: boolean }>(sql`select pg_try_advisory_xact_lock(${lockSpace}::int, ${formId}::int) as taken`))
    .taken
