// The audit logs among the files of records.
import { type Db, empty, type Sql, sql } from '../../../platform/db/index.js'
import { fetched } from '../reading/index.js'
import type { Slice } from '../selection/index.js'

export interface LogFile {
  /** As the device named the record. */
  readonly instanceId: string
  readonly fileKey: string
  readonly bytes: number
}

export interface LogsOf {
  readonly slice: Slice
  readonly formId: number
  /** Of the questions that logs answer. */
  readonly questions: readonly string[]
}

const columns = sql`
  attachments.file_key as "fileKey", attachments.bytes,
  coalesce(records.answers ->> 'meta/instanceID', 'uuid:' || records.uuid) as "instanceId"`

const logs = ({ slice, formId, questions }: LogsOf): Sql => sql`
  from (
    select submissions.id, submissions.uuid, submissions.answers, row_number() over (order by ${slice.order}) as place
    from submissions ${slice.joins} where ${slice.where} order by ${slice.order}
    ${slice.limit === null ? empty : sql`limit ${slice.limit}::bigint`} offset ${slice.offset}::bigint
  ) records join attachments
    on attachments.form_id = ${formId} and attachments.submission_id = records.id and attachments.deleted_at is null
    and attachments.question = any(${questions}::text[])`

/** Of the records of a slice, in its order. */
export const logFiles = (tx: Db, of: LogsOf): AsyncGenerator<LogFile> =>
  fetched<LogFile>(tx, sql`select ${columns} ${logs(of)} order by records.place, attachments.id`)

/** The newest: what new phones write stands there. */
export const newestLogFiles = (tx: Db, of: LogsOf, count: number): Promise<LogFile[]> =>
  tx.rows<LogFile>(sql`select ${columns} ${logs(of)} order by attachments.id desc limit ${count}::int`)

/** Of one record. */
export const listLogsOf = (db: Db, formId: number, id: number, questions: readonly string[]): Promise<LogFile[]> =>
  db.rows<LogFile>(sql`
    select ${columns} from submissions records join attachments
      on attachments.form_id = ${formId} and attachments.submission_id = records.id and attachments.deleted_at is null
      and attachments.question = any(${questions}::text[])
    where records.form_id = ${formId} and records.id = ${id} order by attachments.id`)
