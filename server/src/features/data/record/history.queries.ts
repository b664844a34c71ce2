import { type Database, type Db, pgArray, type Sql, sql } from '../../../platform/db/index.js'
import { type RecordForm, recordJoins, recordText } from '../../submissions/index.js'
import { betweenColumns, rawLines } from '../reading/index.js'

export interface EarlierVersion {
  readonly modelNumber: number
  /** JSON: the answers that facts are computed from. */
  readonly answers: string
  /** JSON: the record. */
  readonly text: string
}

/** In bytes as they are stored, compressed: some megabytes as text. */
const shortHistoryBytes = 100_000

/** Whether all versions may be held in memory. Those of a record that is edited a thousand times may be four gigabytes. */
export const isShortHistory = async (db: Db, form: RecordForm, id: number): Promise<boolean> =>
  (
    await db.one<{ isShort: boolean }>(sql`
      select coalesce(sum(pg_column_size(answers)), 0) + count(*) * (
          select pg_column_size(notes) + pg_column_size(attachments) from submissions
          where form_id = ${form.id} and id = ${id}
        ) <= ${shortHistoryBytes}::bigint as "isShort"
      from submission_versions where form_id = ${form.id} and submission_id = ${id}`)
  ).isShort

/**
 * The record before each edit, oldest first. Answers, instance id, version and who made it are of then; tags, notes, files and
 * review are of now. The answers with these keys stand apart, too.
 */
const earlierVersions = (form: RecordForm, id: number, keys: readonly string[]): Sql => sql`
  select submissions.model_number as "modelNumber",
    (select coalesce(jsonb_object_agg(key, submissions.answers -> key), '{}')::text
      from unnest(${pgArray(keys)}::text[]) key where submissions.answers ? key) as answers,
    ${recordText(form)} as text
  from (
    select present.form_id, present.id, versions.uuid, versions.answers, versions.version, versions.model_number,
      present.status, present.submitted_at, versions.made_by as submitted_by, versions.made_at as modified_at,
      null::timestamptz as edited_at, null::int as edited_by, null::bigint as duration, null::float8 as latitude,
      null::float8 as longitude, present.media_total, present.media_count, present.attachments, present.notes,
      present.tags, present.review_status, present.review_comment, present.reviewed_at, present.deleted_at,
      present.device_key, present.device_id, versions.number
    from submissions present join submission_versions versions
      on versions.form_id = present.form_id and versions.submission_id = present.id
    where present.form_id = ${form.id} and present.id = ${id}
  ) submissions ${recordJoins}
  order by submissions.number`

export const listEarlierVersions = (db: Db, form: RecordForm, id: number, keys: readonly string[]) =>
  db.rows<EarlierVersion>(earlierVersions(form, id, keys))

/** A line for each; `versionOf` reads it. */
export const copyEarlierVersions = (db: Database, form: RecordForm, id: number, keys: readonly string[]) =>
  db.copyTo(rawLines(earlierVersions(form, id, keys)))

export const versionOf = (line: string): EarlierVersion => {
  const first = line.indexOf(betweenColumns)
  const second = line.indexOf(betweenColumns, first + 1)
  return {
    modelNumber: Number(line.slice(0, first)),
    answers: line.slice(first + 1, second),
    text: line.slice(second + 1),
  }
}
