// Records in the order of their changes, and the files of one.
import { type Db, empty, sql } from '../../platform/db/index.js'
import { type SeenForm, visible } from '../data/index.js'
import type { PulledRecord } from './briefcase-xml.js'
import type { Cursor } from './cursor.js'

export interface ListedRecord extends Cursor {
  readonly uuid: string
  readonly changedAt: Date
}

export interface Chunk {
  readonly seen: SeenForm
  readonly after: Cursor
  /** Every change up to it can be seen. */
  readonly upTo: number
  readonly limit: number
}

/** Of an encrypted form those alone whose files have all arrived: without them nobody can read the record, and the tool that
 * decrypts it does not ask again. */
export const listChangedRecords = (db: Db, { seen, after, upTo, limit }: Chunk) =>
  db.rows<ListedRecord>(sql`
    select submissions.id, submissions.uuid, submissions.change_no as "changeNo", submissions.modified_at as "changedAt"
    from submissions
    where ${visible(seen)} and (submissions.change_no, submissions.id) > (${after.changeNo}::bigint, ${after.id}::bigint)
      and submissions.change_no <= ${upTo}::bigint
      ${seen.form.publicKey === '' ? empty : sql`and submissions.media_count >= submissions.media_total`}
    order by submissions.change_no, submissions.id limit ${limit}::int`)

/** By the instance id that it has or had. */
export const findPulledRecord = (db: Db, seen: SeenForm, uuid: string) =>
  db.maybe<PulledRecord & { readonly id: number }>(sql`
    select submissions.id, submissions.uuid, submissions.xml, submissions.submitted_at as "submittedAt"
    from submissions
    where ${visible(seen)} and submissions.id = (
      select submission_id from instance_ids where form_id = ${seen.form.id} and uuid = ${uuid})`)

export interface FileOfRecord {
  readonly id: number
  readonly name: string
  readonly md5: string
  readonly mimetype: string
  readonly bytes: number
  readonly sha256: string
  readonly fileKey: string
}

const columns = sql`
  attachments.id, attachments.name, attachments.md5, attachments.mimetype, attachments.bytes, attachments.sha256,
  attachments.file_key as "fileKey"`

export const listPulledFiles = (db: Db, formId: number, submissionId: number) =>
  db.rows<FileOfRecord>(sql`
    select ${columns} from attachments
    where form_id = ${formId} and submission_id = ${submissionId} and deleted_at is null order by id`)

export const findPulledFile = (db: Db, seen: SeenForm, id: number) =>
  db.maybe<FileOfRecord>(sql`
    select ${columns} from attachments join submissions
      on submissions.form_id = attachments.form_id and submissions.id = attachments.submission_id
    where attachments.form_id = ${seen.form.id} and attachments.id = ${id}::bigint and attachments.deleted_at is null
      and ${visible(seen)}`)
