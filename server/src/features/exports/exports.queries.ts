import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { abandonedFiles } from '../uploads/index.js'

export type ExportStatus = 'PENDING' | 'STARTED' | 'SUCCESS' | 'FAILURE'

export interface ExportRow {
  readonly id: number
  readonly formId: number
  /** null: of the form itself. */
  readonly dataviewId: number | null
  readonly createdBy: number | null
  readonly jobUuid: string
  readonly kind: string
  readonly options: Readonly<Record<string, string>>
  readonly sight: 'all' | 'own'
  readonly status: ExportStatus
  readonly progress: number
  readonly errorMessage: string
  readonly fileKey: string | null
  readonly filename: string
  readonly bytes: number | null
  readonly rowCount: number | null
  readonly sha256: string | null
  readonly createdAt: Date
}

const columns = sql`
  id, form_id as "formId", dataview_id as "dataviewId", created_by as "createdBy", job_uuid as "jobUuid", kind, options,
  sight, status, progress, error_message as "errorMessage", file_key as "fileKey", filename, bytes,
  row_count as "rowCount", sha256, created_at as "createdAt", change_no as "changeNo"`

interface StoredExport extends ExportRow {
  /** null: not begun. */
  readonly changeNo: number | null
}

const outdated = 'Records were deleted after this file was begun. Ask for it again.'

/** Of finished ones of a form: those that may hold a record which was deleted since. In a statement of its own: where records
 * are on another machine, it is asked for the form's alone (ADR 0042). */
const listOutdated = async (db: Db, formId: number, finished: readonly StoredExport[]): Promise<Set<number>> => {
  const deletedSince = (records: Sql): Sql => sql`
    exists (
      select from ${records} records
      where records.form_id = ${formId} and records.deleted_at is not null and records.change_no > given.change_no
        and (given.sight = 'all' or records.submitted_by = given.created_by))`
  const rows = await db.rows<{ id: number }>(sql`
    select given.id from unnest(${finished.map(({ id }) => id)}::int[], ${finished.map(({ changeNo }) => changeNo)}::bigint[],
      ${finished.map(({ sight }) => sight)}::text[], ${finished.map(({ createdBy }) => createdBy)}::int[])
      as given (id, change_no, sight, created_by)
    where ${deletedSince(sql`submissions`)} or ${deletedSince(sql`submission_tombstones`)}`)
  return new Set(rows.map(({ id }) => id))
}

/** A file that may hold a record which was deleted since is not handed out any more. They are of one form. */
const asHandedOut = async (db: Db, stored: readonly StoredExport[]): Promise<ExportRow[]> => {
  const finished = stored.filter(({ status }) => status === 'SUCCESS')
  const lost = finished[0] === undefined ? new Set() : await listOutdated(db, finished[0].formId, finished)
  return stored.map(({ changeNo: _, ...row }) =>
    lost.has(row.id) ? { ...row, status: 'FAILURE', errorMessage: outdated } : row,
  )
}

const findOne = async (db: Db, statement: Sql): Promise<ExportRow | undefined> =>
  (await asHandedOut(db, await db.rows<StoredExport>(statement)))[0]

export const findExport = (db: Db, id: number) => findOne(db, sql`select ${columns} from exports where id = ${id}`)

export const findExportOfJob = (db: Db, formId: number, jobUuid: string) =>
  findOne(db, sql`select ${columns} from exports where form_id = ${formId} and job_uuid = ${jobUuid}`)

/** Those that hold all records, for whoever sees all of them now; and those of the caller's own; oldest first. */
export const listExports = async (db: Db, formId: number, callerId: number, withAll: boolean): Promise<ExportRow[]> =>
  asHandedOut(
    db,
    await db.rows<StoredExport>(sql`
      select ${columns} from exports
      where form_id = ${formId} and ((sight = 'all' and ${withAll}) or (sight = 'own' and created_by = ${callerId}))
      order by id`),
  )

export interface NewExport {
  readonly formId: number
  readonly dataviewId: number | null
  readonly createdBy: number | null
  readonly jobUuid: string
  readonly kind: string
  readonly options: Readonly<Record<string, string>>
  readonly optionsKey: string
  readonly sight: 'all' | 'own'
  readonly filename: string
  readonly now: Date
}

/**
 * An equal one that is still good: finished, and nothing of the form has changed since; or asked for less than five
 * minutes ago and on its way.
 */
export const findReusable = (db: Db, wanted: NewExport, { startedAfter }: { startedAfter: Date }) =>
  findOne(
    db,
    sql`
    select ${columns} from exports
    where form_id = ${wanted.formId} and kind = ${wanted.kind} and options_key = ${wanted.optionsKey}
      and sight = ${wanted.sight} and (sight = 'all' or created_by = ${wanted.createdBy}::int)
      and ((status in ('PENDING', 'STARTED') and created_at > ${startedAfter})
        or (status = 'SUCCESS' and change_no >= greatest(
          (select max(change_no) from submissions where form_id = ${wanted.formId}),
          (select max(change_no) from submission_tombstones where form_id = ${wanted.formId}), 0)))
    order by id desc limit 1`,
  )

/** Of the same account, or of those who did not sign in for the same form: those that wait or are being made. */
export const countOpenExports = async (db: Db, { createdBy, formId }: NewExport): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from exports
      where status in ('PENDING', 'STARTED') and created_by is not distinct from ${createdBy}::int
        and (${createdBy}::int is not null or form_id = ${formId})`)
  ).count

export const insertExport = async (db: Db, one: NewExport): Promise<number> =>
  (
    await db.one<{ id: number }>(sql`
      insert into exports (form_id, dataview_id, created_by, job_uuid, kind, options, options_key, sight, status, filename, created_at,
        modified_at)
      values (${one.formId}, ${one.dataviewId}, ${one.createdBy}, ${one.jobUuid}, ${one.kind}, ${JSON.stringify(one.options)}::jsonb,
        ${one.optionsKey}, ${one.sight}, 'PENDING', ${one.filename}, ${one.now}, ${one.now})
      returning id`)
  ).id

/** False when it has gone or is done. One that was begun before is begun again: its process is gone, or gave way. */
export const startExport = async (db: Db, id: number, changeNo: number, now: Date): Promise<boolean> =>
  (await db.run(sql`
    update exports set status = 'STARTED', change_no = ${changeNo}, modified_at = ${now}
    where id = ${id} and status in ('PENDING', 'STARTED')`)) === 1

export const setProgress = (db: Db, id: number, rows: number, now: Date) =>
  db.run(sql`update exports set progress = ${rows}, modified_at = ${now} where id = ${id}`)

export interface FinishedExport {
  readonly fileKey: string
  readonly bytes: number
  readonly rowCount: number
  readonly sha256: string
  readonly now: Date
}

export const finishExport = async (db: Db, id: number, file: FinishedExport): Promise<boolean> =>
  (await db.run(sql`
    update exports set status = 'SUCCESS', file_key = ${file.fileKey}, bytes = ${file.bytes}, row_count = ${file.rowCount},
      progress = ${file.rowCount}, sha256 = ${file.sha256}, modified_at = ${file.now}
    where id = ${id}`)) === 1

export const failExport = (db: Db, id: number, message: string, now: Date) =>
  db.run(sql`
    update exports set status = 'FAILURE', error_message = ${message}, modified_at = ${now}
    where id = ${id} and status <> 'SUCCESS'`)

/** Files of these are left to the purge of files that belong to nothing: the next one removes them. */
const removed = (chosen: Sql, before: Sql = empty): Sql => sql`
  with ${before} gone as (delete from exports where id in (${chosen}) returning file_key)
  ${abandonedFiles({
    keys: sql`
      select unnest(array[file_key, file_key || '.sha256']) as file_key from gone where file_key is not null`,
    isKept: false,
  })}`

export const deleteExport = (db: Db, id: number) => db.run(removed(sql`select ${id}::int`))

/** The newest of a kind stay. */
export const dropOldest = (db: Db, formId: number, kind: string, keep: number) =>
  db.run(
    removed(sql`select id from exports where form_id = ${formId} and kind = ${kind} order by id desc offset ${keep}`),
  )

/** Who has lost records since the oldest file was begun, by form and submitter. */
const deleted = (records: Sql): Sql => sql`
  select form_id, submitted_by, max(change_no) as change_no from ${records}
  where form_id = any(array(select form_id from exports where status = 'SUCCESS')) and deleted_at is not null
    and change_no > (select min(change_no) from exports where status = 'SUCCESS')
  group by form_id, submitted_by`

/** And those that nobody is given any more. */
export const dropOlderThan = (db: Db, before: Date) =>
  db.run(
    removed(
      sql`
        select id from exports
        where created_at < ${before} or (status = 'SUCCESS' and exists (
          select from (select * from hidden union all select * from buried) lost
          where lost.form_id = exports.form_id and lost.change_no > exports.change_no
            and (exports.sight = 'all' or lost.submitted_by = exports.created_by)))`,
      sql`
        hidden as materialized (${deleted(sql`submissions`)}),
        buried as materialized (${deleted(sql`submission_tombstones`)}),`,
    ),
  )
