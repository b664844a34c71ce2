// Files of submissions: rows, and the copy of them in the record, always changed together.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { filesGone, takenFiles } from '../uploads/index.js'
import { addressOf, type FormPlace, storedName } from './attachment-names.js'
import type { ReceivedFile } from './submission.js'

/** As the record shows a file; from a relation `files` with these columns. */
export const attachmentEntry = (formId: number): Sql => sql`
  jsonb_build_object(
    'id', files.id, 'name', files.name, 'xform', ${formId}::int, 'filename', files.stored_name,
    'instance', files.submission_id, 'mimetype', files.mimetype,
    'download_url', '/api/v1/files/' || files.id || '?filename=' || files.address,
    'small_download_url', '/api/v1/files/' || files.id || '?filename=' || files.address || '&suffix=small',
    'medium_download_url', '/api/v1/files/' || files.id || '?filename=' || files.address || '&suffix=medium')`

/** Adds what is not there yet under its name; answers the keys that were taken. */
export const insertAttachments = async (
  db: Db,
  form: FormPlace,
  submissionId: number,
  files: readonly ReceivedFile[],
  now: Date,
): Promise<string[]> => {
  const column = <T>(pick: (one: ReceivedFile) => T): T[] => files.map(pick)
  const taken = await db.rows<{ file_key: string }>(sql`
    with added as (
      insert into attachments (form_id, id, submission_id, name, stored_name, file_key, mimetype, bytes, sha256, md5,
        created_at, deleted_at)
      select ${form.id}, nextval('attachment_ids'), ${submissionId}, rows.name, rows.stored_name, rows.file_key,
        rows.mimetype, rows.bytes, rows.sha256, rows.md5, ${now}, ${now}
      from unnest(
        ${column(({ name }) => name)}::text[], ${column(({ name }) => storedName(form, name))}::text[],
        ${column(({ key }) => key)}::text[], ${column(({ mimetype }) => mimetype)}::text[],
        ${column(({ bytes }) => bytes)}::bigint[], ${column(({ sha256 }) => sha256)}::text[],
        ${column(({ md5 }) => md5)}::text[]
      ) as rows (name, stored_name, file_key, mimetype, bytes, sha256, md5)
      returning file_key
    )
    ${takenFiles(sql`added`)}`)
  if (taken.length < files.length) throw filesGone()
  return taken.map((row) => row.file_key)
}

export interface FileOfRecord {
  readonly id: number
  readonly submissionId: number
  readonly name: string
  readonly storedName: string
  readonly mimetype: string
  readonly isShown: boolean
}

/** All files of these records, the oldest first, also those that no answer names. */
export const listFilesOf = (db: Db, formId: number, ids: readonly number[]) =>
  db.rows<FileOfRecord>(sql`
    select id, submission_id as "submissionId", name, stored_name as "storedName", mimetype,
      deleted_at is null as "isShown"
    from attachments where form_id = ${formId} and submission_id = any(${ids}::bigint[]) order by id`)

export const hideAttachments = (db: Db, formId: number, ids: readonly number[], now: Date) =>
  db.run(sql`
    update attachments set deleted_at = ${now} where form_id = ${formId} and id = any(${ids}::bigint[])`)

export const showAttachments = (db: Db, formId: number, shown: readonly { id: number; question: string }[]) =>
  db.run(sql`
    update attachments set deleted_at = null, question = rows.question
    from unnest(${shown.map(({ id }) => id)}::bigint[], ${shown.map(({ question }) => question)}::text[])
      as rows (id, question)
    where attachments.form_id = ${formId} and attachments.id = rows.id`)

/** What records show, one row for each that shows any: its id, how many they are, and the list as the record has it. */
export const shownFiles = (formId: number, shown: readonly FileOfRecord[]): Sql => {
  const column = <T>(pick: (file: FileOfRecord) => T): T[] => shown.map(pick)
  return sql`
    select submission_id, count(*) as count, jsonb_agg(${attachmentEntry(formId)} order by files.id) as entries
    from unnest(
      ${column(({ id }) => id)}::bigint[], ${column(({ submissionId }) => submissionId)}::bigint[],
      ${column(({ name }) => name)}::text[], ${column(({ storedName }) => storedName)}::text[],
      ${column(({ storedName }) => addressOf(storedName))}::text[], ${column(({ mimetype }) => mimetype)}::text[]
    ) as files (id, submission_id, name, stored_name, address, mimetype)
    group by submission_id`
}

/** The copies in the records, and the counts that go with them. */
export const updateRecordFiles = (
  db: Db,
  formId: number,
  records: readonly { readonly id: number; readonly mediaTotal: number }[],
  shown: readonly FileOfRecord[],
) =>
  db.run(sql`
    with shown as materialized (${shownFiles(formId, shown)})
    update submissions set attachments = coalesce(shown.entries, '[]'), media_count = coalesce(shown.count, 0),
      media_total = given.media_total
    from unnest(${records.map(({ id }) => id)}::bigint[], ${records.map(({ mediaTotal }) => mediaTotal)}::int[])
      as given (id, media_total)
    left join shown on shown.submission_id = given.id
    where submissions.form_id = ${formId} and submissions.id = given.id`)
