// What people keep on a record: its labels, and copies of its notes and of what its reviews say.
import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'

/** Asked for by itself: on Citus it is the coordinator that numbers changes, and an update of records runs on a worker. */
const change: Sql = sql`change as materialized (select next_change() as no)`

/** Sorted, each once; false when all were there. */
export const addTags = async (
  db: Db,
  formId: number,
  id: number,
  tags: readonly string[],
  now: Date,
): Promise<boolean> =>
  (await db.run(sql`
    with ${change}
    update submissions set modified_at = ${now}, change_no = change.no,
      tags = array(select distinct tag collate "C" from unnest(tags || ${tags}::text[]) tag order by 1)
    from change where form_id = ${formId} and id = ${id} and deleted_at is null and not tags @> ${tags}::text[]`)) === 1

/** False when it was not there. */
export const removeTag = async (db: Db, formId: number, id: number, tag: string, now: Date): Promise<boolean> =>
  (await db.run(sql`
    with ${change}
    update submissions set modified_at = ${now}, change_no = change.no, tags = array_remove(tags, ${tag}::text)
    from change where form_id = ${formId} and id = ${id} and deleted_at is null and ${tag}::text = any(tags)`)) === 1

export interface ManyTags {
  readonly formId: number
  readonly ids: readonly number[]
  /** null: of everybody. */
  readonly submittedBy: number | null
  readonly tags: readonly string[]
  readonly now: Date
}

/** What was added to a record, or taken from it. */
export interface TagChange {
  readonly id: number
  readonly tags: string[]
}

const ofMany = ({ formId, ids, submittedBy }: ManyTags): Sql => sql`
  form_id = ${formId} and deleted_at is null and id = any(${ids}::bigint[])
    ${submittedBy === null ? empty : sql`and submitted_by = ${submittedBy}`}`

/** In a statement of its own, in the order of ids: what comes next sees what those did who held the locks before. */
const lockMany = (db: Db, many: ManyTags) =>
  db.run(sql`select from submissions where ${ofMany(many)} order by id for update`)

/** `next`: the tags, an expression over `submissions` and `chosen`. One number of change for all: it holds a lock each. */
const changeTags = async (db: Db, many: ManyTags, differing: Sql, next: Sql): Promise<TagChange[]> => {
  await lockMany(db, many)
  return db.rows<TagChange>(sql`
    with chosen as materialized (
      select id, ${differing} as tags from submissions where ${ofMany(many)} and ${differing} <> '{}'
    ),
    change as materialized (select next_change() as no where exists (select from chosen)),
    changed as (
      update submissions set modified_at = ${many.now}, change_no = change.no, tags = ${next}
      from chosen, change where submissions.form_id = ${many.formId} and submissions.id = chosen.id
    )
    select id, tags from chosen order by id`)
}

/** Of each record that lacked some of them, which. Call it in a transaction. */
export const addTagsToMany = (db: Db, many: ManyTags): Promise<TagChange[]> =>
  changeTags(
    db,
    many,
    sql`array(select tag collate "C" from unnest(${many.tags}::text[]) tag where tag <> all(submissions.tags) order by 1)`,
    sql`array(select tag collate "C" from unnest(submissions.tags || chosen.tags) tag order by 1)`,
  )

/** Of each record that had some of them, which. Call it in a transaction. */
export const removeTagsFromMany = (db: Db, many: ManyTags): Promise<TagChange[]> =>
  changeTags(
    db,
    many,
    sql`array(select tag collate "C" from unnest(submissions.tags) tag where tag = any(${many.tags}::text[]) order by 1)`,
    sql`array(select tag collate "C" from unnest(submissions.tags) tag where tag <> all(chosen.tags) order by 1)`,
  )

/** `notes`: as JSON, an expression over `submissions`. */
export const updateRecordNotes = (db: Db, formId: number, submissionId: number, notes: Sql, now: Date) =>
  db.run(sql`
    with ${change}
    update submissions set notes = ${notes}, modified_at = ${now}, change_no = change.no
    from change where form_id = ${formId} and id = ${submissionId}`)

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
    with ${change},
    newest as materialized (${newest})
    update submissions set
      review_status = newest.status, review_comment = newest.note, reviewed_at = newest.created_at,
      notes = ${notes}, modified_at = ${now}, change_no = change.no
    from change, unnest(${submissionIds}::bigint[]) as given (id) left join newest on newest.submission_id = given.id
    where submissions.form_id = ${formId} and submissions.id = given.id`)

/** It shows something else, though nobody has changed an answer. */
export const touchSubmission = (db: Db, formId: number, submissionId: number, now: Date) =>
  db.run(sql`
    with ${change}
    update submissions set modified_at = ${now}, change_no = change.no
    from change where form_id = ${formId} and id = ${submissionId}`)
