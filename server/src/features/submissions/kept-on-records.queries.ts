// What people keep on a record: its labels, and copies of its notes and of what its reviews say.
import { type Db, type Sql, sql } from '../../platform/db/index.js'

/** Sorted, each once; false when all were there. */
export const addTags = async (
  db: Db,
  formId: number,
  id: number,
  tags: readonly string[],
  now: Date,
): Promise<boolean> =>
  (await db.run(sql`
    update submissions set modified_at = ${now}, change_no = next_change(),
      tags = array(select distinct tag collate "C" from unnest(tags || ${tags}::text[]) tag order by 1)
    where form_id = ${formId} and id = ${id} and deleted_at is null and not tags @> ${tags}::text[]`)) === 1

/** False when it was not there. */
export const removeTag = async (db: Db, formId: number, id: number, tag: string, now: Date): Promise<boolean> =>
  (await db.run(sql`
    update submissions set modified_at = ${now}, change_no = next_change(), tags = array_remove(tags, ${tag}::text)
    where form_id = ${formId} and id = ${id} and deleted_at is null and ${tag}::text = any(tags)`)) === 1

/** `notes`: as JSON, an expression over `submissions`. */
export const updateRecordNotes = (db: Db, formId: number, submissionId: number, notes: Sql, now: Date) =>
  db.run(sql`
    update submissions set notes = ${notes}, modified_at = ${now}, change_no = next_change()
    where form_id = ${formId} and id = ${submissionId}`)

interface RecordReviews {
  readonly submissionIds: readonly number[]
  /** A query with the columns submission_id, status, note and created_at: of each record the review that counts. */
  readonly newest: Sql
  /** As JSON, an expression over `submissions`: a comment is a note. */
  readonly notes: Sql
}

/** One number of change for all of them: it holds a lock each. */
export const updateRecordReviews = (
  db: Db,
  formId: number,
  { submissionIds, newest, notes }: RecordReviews,
  now: Date,
) =>
  db.run(sql`
    with change as materialized (select next_change() as no),
    newest as materialized (${newest})
    update submissions set
      review_status = newest.status, review_comment = newest.note, reviewed_at = newest.created_at,
      notes = ${notes}, modified_at = ${now}, change_no = change.no
    from change, unnest(${submissionIds}::bigint[]) as given (id) left join newest on newest.submission_id = given.id
    where submissions.form_id = ${formId} and submissions.id = given.id`)

/** It shows something else, though nobody has changed an answer. */
export const touchSubmission = (db: Db, formId: number, submissionId: number, now: Date) =>
  db.run(sql`
    update submissions set modified_at = ${now}, change_no = next_change()
    where form_id = ${formId} and id = ${submissionId}`)
