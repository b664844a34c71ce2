// Records of one form that are edited, one or many together: a few statements, however many there are.
import type { Answers } from '../../formats/instance/index.js'
import { type Db, type Sql, scan, sql } from '../../platform/db/index.js'
import { type FileOfRecord, shownFiles } from './attachments.queries.js'
import { derivedColumns, derivedTypes, rowsText } from './derived-rows.queries.js'
import type { Derived } from './submission.js'

export interface EditTarget {
  readonly id: number
  /** The instance id that it was looked for by, present or former. */
  readonly soughtId: string
  readonly uuid: string
  readonly version: string
  /** Null: somebody who did not sign in. */
  readonly submittedBy: number | null
  /** The key that it came through. */
  readonly deviceKeyId: number | null
  /** What the device said of itself. */
  readonly deviceId: string | null
  readonly submittedAt: Date
  readonly isDeleted: boolean
  /** It never had the id: it is an edit of what had. */
  readonly isForetold: boolean
  /** Of its XML. */
  readonly bytes: number
}

/** In one order for everybody. */
const lockedTargets = (formId: number, isSought: Sql): Sql => sql`
  select submissions.id, instance_ids.uuid as "soughtId", submissions.uuid, submissions.version,
    submissions.submitted_by as "submittedBy", submissions.device_key_id as "deviceKeyId",
    submissions.device_id as "deviceId", submissions.submitted_at as "submittedAt",
    submissions.deleted_at is not null as "isDeleted", octet_length(submissions.xml) as bytes,
    instance_ids.is_foretold as "isForetold"
  from instance_ids
  join submissions on submissions.form_id = instance_ids.form_id and submissions.id = instance_ids.submission_id
  where instance_ids.form_id = ${formId} and ${isSought}
  order by submissions.id
  for update of submissions`

/** The record that has or had an instance id, locked until the transaction ends. */
export const lockByInstanceId = (db: Db, formId: number, uuid: string) =>
  db.maybe<EditTarget>(lockedTargets(formId, sql`instance_ids.uuid = ${uuid}`))

/** The same for many. Planned each time: a plan from before the first rows of a table looks through all of it for each. */
export const lockByInstanceIds = (db: Db, formId: number, uuids: readonly string[]) =>
  db.rows<EditTarget>(scan(lockedTargets(formId, sql`instance_ids.uuid = any(${uuids}::text[])`)))

interface LockedRecord {
  readonly answers: string
  readonly modelNumber: number
  /** Null: somebody who did not sign in. */
  readonly submittedBy: number | null
  /** The key that it came through. */
  readonly deviceKeyId: number | null
  readonly isDeleted: boolean
}

/** What the record is now, locked: for what is added to it later. */
export const lockRecord = (db: Db, formId: number, submissionId: number) =>
  db.maybe<LockedRecord>(sql`
    select answers::text as answers, model_number as "modelNumber", submitted_by as "submittedBy",
      device_key_id as "deviceKeyId", deleted_at is not null as "isDeleted"
    from submissions where form_id = ${formId} and id = ${submissionId} for update`)

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

/** What becomes of a record: its id, its sender and the time of its submission stay. */
export interface RecordEdit extends Derived {
  readonly target: Pick<EditTarget, 'id' | 'version'>
  readonly xml: string
}

/** Answers how many of the new instance ids the form has not had before. */
export const claimInstanceIds = (db: Db, formId: number, edits: readonly RecordEdit[]) =>
  db.run(sql`
    insert into instance_ids (form_id, uuid, submission_id)
    select ${formId}, uuid, submission_id
    from unnest(${edits.map(({ uuid }) => uuid)}::text[], ${edits.map(({ target }) => target.id)}::bigint[])
      as claims (uuid, submission_id)
    order by uuid
    on conflict do nothing`)

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

interface EditContext {
  readonly formId: number
  /** Null: somebody who did not sign in. */
  readonly editedBy: number | null
  /** null: it stays as it is. */
  readonly status: string | null
  /** Of all of the records: what they show from now on. */
  readonly files: readonly FileOfRecord[]
  readonly now: Date
}

const asColumns = (edit: RecordEdit) => ({ id: edit.target.id, ...derivedColumns(edit, edit.xml) })

/** A single one is bound as it is: as JSON, a record of 3 MB took twice as long. */
const editRows = (edits: readonly RecordEdit[]): Sql => {
  const [edit, second] = edits
  if (edit === undefined || second !== undefined) {
    const text = rowsText(edits, asColumns, ({ answers }) => answers)
    return sql`jsonb_to_recordset(${text}::jsonb) as rows (id bigint, ${derivedTypes})`
  }
  return sql`(
    select ${edit.target.id}::bigint as id, ${edit.uuid}::text as uuid, ${edit.xml}::text as xml,
      ${edit.answers}::jsonb as answers, ${edit.version}::text as version, ${edit.modelNumber}::int as model_number,
      ${edit.rootName}::text as root_name, ${edit.duration}::bigint as duration, ${edit.latitude}::float8 as latitude,
      ${edit.longitude}::float8 as longitude, ${edit.media.size}::int as media_total) rows`
}

export const updateRecords = (
  db: Db,
  { formId, editedBy, status, files, now }: EditContext,
  edits: readonly RecordEdit[],
) =>
  db.run(sql`
    with change as materialized (select next_change() as no),
    shown as materialized (${shownFiles(formId, files)}),
    edits as materialized (
      select rows.*, coalesce(shown.count, 0) as media_count, coalesce(shown.entries, '[]') as attachments
      from ${editRows(edits)} left join shown on shown.submission_id = rows.id
    )
    update submissions set
      uuid = edits.uuid, xml = edits.xml, answers = edits.answers, version = edits.version,
      model_number = edits.model_number, root_name = edits.root_name,
      status = coalesce(${status}::text, submissions.status), duration = edits.duration,
      latitude = edits.latitude, longitude = edits.longitude, media_total = edits.media_total,
      media_count = edits.media_count, attachments = edits.attachments, edited_at = ${now}, edited_by = ${editedBy},
      modified_at = ${now}, change_no = change.no
    from edits cross join change
    where submissions.form_id = ${formId} and submissions.id = edits.id`)

/** The row of the form's counter for corrections: receiving does not use it. */
export const correctionSlot = 0

interface CountMove {
  readonly from: string
  readonly to: string
  readonly hasPlace: boolean
}

/** Live records went from one version to another, or stayed and have a place now. The rows of the counter are taken in one
 * order by everybody. `slot`: of these rows, one that nobody else waits for. */
export const moveCounts = (db: Db, formId: number, slot: number, moves: readonly CountMove[]) =>
  db.run(sql`
    insert into form_counts (form_id, version, slot, submissions, has_places)
    select ${formId}, changes.version, ${slot}, sum(changes.more), bool_or(changes.has_places)
    from unnest(${moves.map(({ from }) => from)}::text[], ${moves.map(({ to }) => to)}::text[],
        ${moves.map(({ hasPlace }) => hasPlace)}::boolean[]) as moves (former, present, has_place),
      lateral (values (moves.former, -1, false), (moves.present, 1, moves.has_place))
        as changes (version, more, has_places)
    group by changes.version order by changes.version
    on conflict (form_id, version, slot) do update set
      submissions = form_counts.submissions + excluded.submissions,
      has_places = form_counts.has_places or excluded.has_places`)
