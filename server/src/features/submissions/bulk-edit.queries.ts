// Many records of one form edited together: a few statements, however many there are.
import type { Answers } from '../../formats/instance/index.js'
import { type Db, scan, sql } from '../../platform/db/index.js'
import { addressOf } from './attachment-names.js'
import { attachmentEntry } from './attachments.queries.js'
import type { Derived } from './submission.js'

export interface BulkTarget {
  readonly id: number
  /** The instance id that it was looked for by, present or former. */
  readonly soughtId: string
  readonly uuid: string
  readonly version: string
  readonly isDeleted: boolean
  /** Of its XML. */
  readonly bytes: number
}

/** The records that have or had these instance ids, locked until the transaction ends, in one order for everybody. Planned each
 * time: a plan from before the first rows of a table looks through all of it for each. */
export const lockByInstanceIds = (db: Db, formId: number, uuids: readonly string[]) =>
  db.rows<BulkTarget>(
    scan(sql`
    select submissions.id, instance_ids.uuid as "soughtId", submissions.uuid, submissions.version,
      submissions.deleted_at is not null as "isDeleted", octet_length(submissions.xml) as bytes
    from instance_ids
    join submissions on submissions.form_id = instance_ids.form_id and submissions.id = instance_ids.submission_id
    where instance_ids.form_id = ${formId} and instance_ids.uuid = any(${uuids}::text[])
    order by submissions.id
    for update of submissions`),
  )

export interface RecordContent {
  readonly id: number
  readonly xml: string
  readonly answers: Answers
  readonly version: string
  readonly modelNumber: number
  readonly files: readonly { readonly name: string; readonly download_url: string }[]
}

/** What these records hold. */
export const listContents = (db: Db, formId: number, ids: readonly number[]) =>
  db.rows<RecordContent>(sql`
    select id, xml, answers, version, model_number as "modelNumber", attachments as files
    from submissions where form_id = ${formId} and id = any(${ids}::bigint[])`)

export const claimInstanceIds = (
  db: Db,
  formId: number,
  claims: readonly { readonly uuid: string; readonly submissionId: number }[],
) =>
  db.run(sql`
    insert into instance_ids (form_id, uuid, submission_id)
    select ${formId}, uuid, submission_id
    from unnest(${claims.map(({ uuid }) => uuid)}::text[], ${claims.map(({ submissionId }) => submissionId)}::bigint[])
      as claims (uuid, submission_id)`)

/** What the records were until now, to their histories. */
export const archiveVersions = (db: Db, formId: number, ids: readonly number[], now: Date) =>
  db.run(sql`
    insert into submission_versions (form_id, submission_id, number, uuid, xml, answers, version, model_number, made_at,
      made_by, archived_at)
    select form_id, id,
      (select count(*) + 1 from submission_versions versions
        where versions.form_id = ${formId} and versions.submission_id = submissions.id),
      uuid, xml, answers, version, model_number, coalesce(edited_at, submitted_at),
      case when edited_at is null then submitted_by else edited_by end, ${now}
    from submissions where form_id = ${formId} and id = any(${ids}::bigint[])`)

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

export interface RecordEdit extends Derived {
  readonly submissionId: number
  readonly xml: string
}

interface EditContext {
  readonly formId: number
  readonly editedBy: number
  readonly status: string
  /** Of all of the records: what they show from now on. */
  readonly files: readonly FileOfRecord[]
  readonly now: Date
}

/** Their ids, submitters and times of submission stay. */
export const updateRecords = (
  db: Db,
  { formId, editedBy, status, files, now }: EditContext,
  edits: readonly RecordEdit[],
) => {
  const column = <T>(pick: (edit: RecordEdit) => T): T[] => edits.map(pick)
  const ofFile = <T>(pick: (file: FileOfRecord) => T): T[] => files.map(pick)
  return db.run(sql`
    with change as materialized (select next_change() as no),
    files as materialized (
      select * from unnest(
        ${ofFile(({ id }) => id)}::bigint[], ${ofFile(({ submissionId }) => submissionId)}::bigint[],
        ${ofFile(({ name }) => name)}::text[], ${ofFile(({ storedName }) => storedName)}::text[],
        ${ofFile(({ storedName }) => addressOf(storedName))}::text[], ${ofFile(({ mimetype }) => mimetype)}::text[]
      ) as files (id, submission_id, name, stored_name, address, mimetype)
    ),
    shown as materialized (
      select submission_id, count(*) as count, jsonb_agg(${attachmentEntry(formId)} order by files.id) as entries
      from files group by submission_id
    ),
    edits as materialized (
      select rows.*, coalesce(shown.count, 0) as media_count, coalesce(shown.entries, '[]') as attachments
      from unnest(
        ${column(({ submissionId }) => submissionId)}::bigint[], ${column(({ uuid }) => uuid)}::text[],
        ${column(({ xml }) => xml)}::text[], ${column(({ answers }) => answers)}::text[],
        ${column(({ version }) => version)}::text[], ${column(({ modelNumber }) => modelNumber)}::int[],
        ${column(({ rootName }) => rootName)}::text[], ${column(({ duration }) => duration)}::bigint[],
        ${column(({ latitude }) => latitude)}::float8[], ${column(({ longitude }) => longitude)}::float8[],
        ${column(({ media }) => media.size)}::int[]
      ) as rows (id, uuid, xml, answers, version, model_number, root_name, duration, latitude, longitude, media_total)
      left join shown on shown.submission_id = rows.id
    )
    update submissions set
      uuid = edits.uuid, xml = edits.xml, answers = edits.answers::jsonb, version = edits.version,
      model_number = edits.model_number, root_name = edits.root_name, status = ${status}, duration = edits.duration,
      latitude = edits.latitude, longitude = edits.longitude, media_total = edits.media_total,
      media_count = edits.media_count, attachments = edits.attachments, edited_at = ${now}, edited_by = ${editedBy},
      modified_at = ${now}, change_no = change.no
    from edits cross join change
    where submissions.form_id = ${formId} and submissions.id = edits.id`)
}

export interface CountChange {
  readonly version: string
  readonly more: number
  readonly hasPlaces: boolean
}

/** `slot`: of the counter's rows, one that nobody else waits for. */
export const changeCounts = (db: Db, formId: number, slot: number, changes: readonly CountChange[]) =>
  db.run(sql`
    insert into form_counts (form_id, version, slot, submissions, has_places)
    select ${formId}, version, ${slot}, more, has_places
    from unnest(${changes.map(({ version }) => version)}::text[], ${changes.map(({ more }) => more)}::bigint[],
      ${changes.map(({ hasPlaces }) => hasPlaces)}::boolean[]) as changes (version, more, has_places)
    order by version
    on conflict (form_id, version, slot) do update set
      submissions = form_counts.submissions + excluded.submissions,
      has_places = form_counts.has_places or excluded.has_places`)
