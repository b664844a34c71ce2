// Reading files of submissions. Hidden ones and those of deleted records are never answered.
import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { inSight, type Scope } from '../sight/index.js'

export interface Attachment {
  readonly id: number
  readonly formId: number
  readonly submissionId: number
  readonly name: string
  readonly storedName: string
  readonly fileKey: string
  readonly mimetype: string
  readonly bytes: number
  readonly sha256: string
  /** Record key of the answer that names it. */
  readonly question: string | null
}

const columns = sql`
  attachments.id, attachments.form_id as "formId", attachments.submission_id as "submissionId", attachments.name,
  attachments.stored_name as "storedName", attachments.file_key as "fileKey", attachments.mimetype, attachments.bytes,
  attachments.sha256, attachments.question`

const seen = (scope: Scope): Sql => sql`
  from attachments
  join submissions on submissions.form_id = attachments.form_id and submissions.id = attachments.submission_id
  where attachments.form_id = any(${scope.formIds}::int[]) and attachments.deleted_at is null and ${inSight(scope)}`

/** A probe of the primary key for each form in sight. */
export const findAttachment = (db: Db, scope: Scope, id: number) =>
  db.maybe<Attachment>(sql`select ${columns} ${seen(scope)} and attachments.id = ${id}`)

/** Files of some records of a form, and of some of its questions. */
export interface MediaPart {
  readonly formId: number
  /** A condition on `submissions`: which records, of those that the caller sees. */
  readonly records: Sql
  readonly questions: readonly string[]
}

export interface MediaFilter {
  readonly formId: number
  readonly submissionId?: number | undefined
  /** Only of records that they sent. */
  readonly submittedBy?: number | undefined
  /** Patterns of LIKE; any of them. */
  readonly types?: readonly string[] | undefined
  readonly part?: MediaPart | undefined
}

/** Who deletes a record hides its files: the records themselves, which are large, are looked at for their submitter only.
 * Over 200,000 files that is 0.1 s in place of 1.2. */
const matching = ({ formId, submissionId, submittedBy, types, part }: MediaFilter): Sql => sql`
  from attachments
  ${
    submittedBy === undefined
      ? empty
      : sql`join submissions on submissions.form_id = ${formId} and submissions.id = attachments.submission_id
          and submissions.submitted_by = ${submittedBy}`
  }
  ${
    part === undefined
      ? empty
      : sql`join submissions on submissions.form_id = ${formId} and submissions.id = attachments.submission_id
          and ${part.records} and attachments.question = any(${part.questions}::text[])`
  }
  where attachments.form_id = ${formId} and attachments.deleted_at is null
  ${submissionId === undefined ? empty : sql`and attachments.submission_id = ${submissionId}`}
  ${types === undefined ? empty : sql`and attachments.mimetype like any(${types}::text[])`}`

export const countAttachments = async (db: Db, filter: MediaFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) ${matching(filter)}`)).count

/** By id. */
export const listAttachments = (db: Db, filter: MediaFilter, range: { offset: number; limit: number }) =>
  db.rows<Attachment>(sql`
    select ${columns} ${matching(filter)} order by attachments.id limit ${range.limit} offset ${range.offset}`)

/** For the job: whoever received them may not be asking. */
export const listShownImages = (db: Db, formId: number, submissionId: number) =>
  db.rows<{ fileKey: string; mimetype: string }>(sql`
    select attachments.file_key as "fileKey", attachments.mimetype from attachments
    join submissions on submissions.form_id = attachments.form_id and submissions.id = attachments.submission_id
    where attachments.form_id = ${formId} and attachments.submission_id = ${submissionId}
      and attachments.deleted_at is null and attachments.mimetype like 'image/%' and submissions.deleted_at is null
    order by attachments.id`)
