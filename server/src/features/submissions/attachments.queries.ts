// Files of submissions: rows, and the copy of them in the record, always changed together.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
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
  const rows = await db.rows<{ key: string }>(sql`
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
    delete from pending_files using added where pending_files.file_key = added.file_key
    returning pending_files.file_key as key`)
  return rows.map(({ key }) => key)
}

export interface StoredAttachment {
  readonly id: number
  readonly name: string
  readonly storedName: string
  readonly mimetype: string
  readonly isShown: boolean
}

/** All of a submission's files, the oldest first, also those that no answer names. */
export const listStored = (db: Db, formId: number, submissionId: number) =>
  db.rows<StoredAttachment>(sql`
    select id, name, stored_name as "storedName", mimetype, deleted_at is null as "isShown" from attachments
    where form_id = ${formId} and submission_id = ${submissionId} order by id`)

export const hideAttachments = (db: Db, formId: number, ids: readonly number[], now: Date) =>
  db.run(sql`
    update attachments set deleted_at = ${now}
    where form_id = ${formId} and id = any(${ids}::bigint[]) and deleted_at is null`)

export const showAttachments = (db: Db, formId: number, shown: readonly { id: number; question: string }[]) =>
  db.run(sql`
    update attachments set deleted_at = null, question = rows.question
    from unnest(${shown.map(({ id }) => id)}::bigint[], ${shown.map(({ question }) => question)}::text[])
      as rows (id, question)
    where attachments.form_id = ${formId} and attachments.id = rows.id`)

/** The copy in the record, and the counts that go with it. */
export const updateRecordFiles = (
  db: Db,
  formId: number,
  submissionId: number,
  shown: readonly StoredAttachment[],
  mediaTotal: number,
) =>
  db.run(sql`
    update submissions set
      attachments = coalesce((
        select jsonb_agg(${attachmentEntry(formId)} order by files.id)
        from unnest(${shown.map(({ id }) => id)}::bigint[], ${shown.map(({ name }) => name)}::text[],
          ${shown.map((one) => one.storedName)}::text[], ${shown.map((one) => addressOf(one.storedName))}::text[],
          ${shown.map(({ mimetype }) => mimetype)}::text[], ${shown.map(() => submissionId)}::bigint[])
          as files (id, name, stored_name, address, mimetype, submission_id)), '[]'),
      media_total = ${mediaTotal}, media_count = ${shown.length}
    where form_id = ${formId} and id = ${submissionId}`)
