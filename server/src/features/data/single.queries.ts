import { type Database, type Db, type Sql, sql } from '../../platform/db/index.js'
import { type RecordForm, recordJoins, recordText } from '../submissions/index.js'
import { pgArray } from './arrays.js'
import type { SeenForm } from './data.access.js'
import { betweenColumns, rawLines, textOf } from './records.queries.js'
import { visible, within } from './slices.queries.js'

export interface FoundRecord {
  readonly id: number
  readonly submittedBy: number | null
}

/** A number is an id; anything else an instance id that the record has or had. */
const named = (formId: number, dataid: string): Sql =>
  /^\d{1,15}$/.test(dataid)
    ? sql`submissions.id = ${Number(dataid)}::bigint`
    : sql`submissions.id = (
        select submission_id from instance_ids
        where form_id = ${formId} and uuid = ${dataid.replace(/^uuid:/, '')}::text)`

/** Live, and within what the caller sees. */
export const findRecord = (db: Db, seen: SeenForm, dataid: string) =>
  db.maybe<FoundRecord>(sql`
    select submissions.id, submissions.submitted_by as "submittedBy" from submissions
    where ${visible(seen)} and ${named(seen.form.id, dataid)}`)

/** A deleted one, of those that the caller saw before. */
export const findDeletedRecord = (db: Db, seen: SeenForm, dataid: string) =>
  db.maybe<FoundRecord>(sql`
    select submissions.id, submissions.submitted_by as "submittedBy" from submissions
    where ${within(seen)} and submissions.deleted_at is not null and ${named(seen.form.id, dataid)}`)

const oneText = async (db: Db, form: RecordForm, id: number, text: Sql): Promise<string> =>
  (
    await db.one<{ text: string }>(sql`
      select ${text} as text from submissions ${recordJoins}
      where submissions.form_id = ${form.id} and submissions.id = ${id}`)
  ).text

/** Whole, or these fields. */
export const getRecordText = (db: Db, form: RecordForm, id: number, fields?: readonly string[]): Promise<string> =>
  oneText(db, form, id, textOf(form, fields))

/** As received. */
export const getRecordXml = (db: Db, form: RecordForm, id: number): Promise<string> =>
  oneText(db, form, id, sql`submissions.xml`)

export const listTags = async (db: Db, formId: number, id: number): Promise<string[]> =>
  (
    await db.one<{ tags: string[] }>(sql`
      select tags from submissions where form_id = ${formId} and id = ${id}`)
  ).tags

export interface EarlierVersion {
  readonly modelNumber: number
  /** JSON: the answers that facts are computed from. */
  readonly answers: string
  /** JSON: the record. */
  readonly text: string
}

/** As they are stored, compressed: some megabytes as text. */
const shortHistoryBytes = 100_000

/** Whether all versions may be held in memory. What is edited a thousand times may be four gigabytes. */
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
 * What the record was before each edit, oldest first: answers, instance id, version and who made it are of then; tags,
 * notes, files and review are of now. Of the answers those with these keys stand apart.
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
      versions.number
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
