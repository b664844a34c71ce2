// Files of submissions that are being stored, as parts of the statement that stores them.
import { type Sql, sql } from '../../platform/db/index.js'
import { enqueueCall } from '../../platform/jobs/index.js'
import { takenFiles } from '../uploads/index.js'
import { addressOf, type FormPlace, storedName } from './attachment-names.js'
import { attachmentEntry } from './attachments.queries.js'
import type { NewSubmission, ReceivedFile } from './submission.js'
import { thumbnailJob } from './submissions.jobs.js'

interface PlacedFile extends ReceivedFile {
  /** 1-based, of its submission in the batch. */
  readonly place: number
  readonly question: string | null
}

export const filesOf = (batch: readonly NewSubmission[]): PlacedFile[] =>
  batch.flatMap(({ files, derived }, index) =>
    files.map((file) => ({ ...file, place: index + 1, question: derived.media.get(file.name) ?? null })),
  )

/** A second file of one name in one post is the same file. What no answer names is kept, but not shown. */
export const fileRows = (form: FormPlace, files: readonly PlacedFile[], now: Date): Sql => {
  const column = <T>(pick: (one: PlacedFile) => T): T[] => files.map(pick)
  return sql`
    files as materialized (
      select nextval('attachment_ids') as id, sent.* from (
        select new.id as submission_id, rows.*
        from unnest(
          ${column(({ place }) => place)}::int[], ${column(({ name }) => name)}::text[],
          ${column(({ name }) => storedName(form, name))}::text[],
          ${column(({ name }) => addressOf(storedName(form, name)))}::text[], ${column(({ key }) => key)}::text[],
          ${column(({ mimetype }) => mimetype)}::text[], ${column(({ bytes }) => bytes)}::bigint[],
          ${column(({ sha256 }) => sha256)}::text[], ${column(({ md5 }) => md5)}::text[],
          ${column(({ question }) => question)}::text[]
        ) with ordinality as rows (place, name, stored_name, address, file_key, mimetype, bytes, sha256, md5, question,
          number)
        join new on new.place = rows.place
        order by rows.number
      ) sent
    ),
    taken as (${takenFiles(sql`files`)}),
    attached as (
      insert into attachments (form_id, id, submission_id, name, stored_name, file_key, mimetype, bytes, sha256, md5,
        question, created_at, deleted_at)
      select ${form.id}, id, submission_id, name, stored_name, taken.file_key, mimetype, bytes, sha256, md5, question, ${now},
        case when question is null then ${now}::timestamptz end
      from files left join taken on taken.file_key = files.file_key
      on conflict do nothing
    ),
    pictured as materialized (
      select ${enqueueCall(thumbnailJob, sql`json_build_object('formId', ${form.id}::int, 'submissionId', submission_id)`)}
      from (select distinct submission_id from files where mimetype like 'image/%' and question is not null) pictures
    ),`
}

export const shownFiles = (form: FormPlace): Sql => sql`
  coalesce((
    select jsonb_agg(${attachmentEntry(form.id)} order by files.id) from files
    where files.submission_id = new.id and files.question is not null), '[]')`
