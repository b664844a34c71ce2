// Reviews of records. What the record says follows the live review that was changed last, in the same transaction and
// under the record's lock.
import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { notesOfRecord } from '../notes/index.js'
import { inSight, type Scope } from '../sight/index.js'
import { updateRecordReviews } from '../submissions/index.js'

export interface Review {
  readonly id: number
  readonly formId: number
  readonly submissionId: number
  readonly status: string
  readonly noteId: number | null
  readonly note: string | null
  readonly createdBy: number
  readonly createdAt: Date
  readonly modifiedAt: Date
}

export interface ReviewFilter {
  readonly scope: Scope
  readonly submissionId?: number | undefined
  readonly createdBy?: number | undefined
  readonly status?: string | undefined
}

const columns = sql`
  reviews.id, reviews.form_id as "formId", reviews.submission_id as "submissionId", reviews.status,
  reviews.note_id as "noteId", notes.note, reviews.created_by as "createdBy", reviews.created_at as "createdAt",
  reviews.modified_at as "modifiedAt"`

const withComments = sql`
  submission_reviews reviews
  left join submission_notes notes on notes.form_id = reviews.form_id and notes.id = reviews.note_id`

const matching = ({ scope, submissionId, createdBy, status }: ReviewFilter): Sql => sql`
  from ${withComments}
  join submissions on submissions.form_id = reviews.form_id and submissions.id = reviews.submission_id
  where reviews.form_id = any(${scope.formIds}::int[]) and reviews.deleted_at is null and ${inSight(scope)}
  ${submissionId === undefined ? empty : sql`and reviews.submission_id = ${submissionId}`}
  ${createdBy === undefined ? empty : sql`and reviews.created_by = ${createdBy}`}
  ${status === undefined ? empty : sql`and reviews.status = ${status}`}`

export const countReviews = async (db: Db, filter: ReviewFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) ${matching(filter)}`)).count

/** By id. */
export const listReviews = (db: Db, filter: ReviewFilter, range: { offset: number; limit: number }) =>
  db.rows<Review>(sql`
    select ${columns} ${matching(filter)} order by reviews.id limit ${range.limit} offset ${range.offset}`)

export const findReview = (db: Db, scope: Scope, id: number) =>
  db.maybe<Review>(sql`select ${columns} ${matching({ scope })} and reviews.id = ${id}`)

/** As it is now, whoever asks: for changes under the lock. */
export const findLiveReview = (db: Db, formId: number, id: number) =>
  db.maybe<Review>(sql`
    select ${columns} from ${withComments}
    where reviews.form_id = ${formId} and reviews.id = ${id} and reviews.deleted_at is null`)

/** Live ones of these, locked until the transaction ends. In the order of their ids, so that two callers with the same
 * records in another order do not wait for each other. */
export const lockLiveRecords = async (db: Db, formId: number, ids: readonly number[]): Promise<Set<number>> => {
  const rows = await db.rows<{ id: number }>(sql`
    select id from submissions
    where form_id = ${formId} and id = any(${ids}::bigint[]) and deleted_at is null order by id for update`)
  return new Set(rows.map(({ id }) => id))
}

export interface NewReview {
  readonly submissionId: number
  readonly status: string
  readonly noteId: number | null
}

/** Their ids, in the order given. */
export const insertReviews = async (
  db: Db,
  formId: number,
  reviews: readonly NewReview[],
  { createdBy, now }: { createdBy: number; now: Date },
): Promise<number[]> => {
  const rows = await db.rows<{ id: number }>(sql`
    with given as materialized (
      select nextval('review_ids') as id, rows.*
      from unnest(${reviews.map(({ submissionId }) => submissionId)}::bigint[],
        ${reviews.map(({ status }) => status)}::text[], ${reviews.map(({ noteId }) => noteId)}::bigint[])
        with ordinality as rows (submission_id, status, note_id, place)
    ),
    stored as (
      insert into submission_reviews (form_id, id, submission_id, status, note_id, created_by, created_at, modified_at)
      select ${formId}, id, submission_id, status, note_id, ${createdBy}, ${now}, ${now} from given
    )
    select id from given order by place`)
  return rows.map(({ id }) => id)
}

export const updateReview = (
  db: Db,
  formId: number,
  id: number,
  { status, noteId }: { status: string; noteId: number | null },
  now: Date,
) =>
  db.run(sql`
    update submission_reviews set status = ${status}, note_id = ${noteId}, modified_at = ${now}
    where form_id = ${formId} and id = ${id}`)

/** The row stays; its comment is no note any more. */
export const hideReview = (db: Db, formId: number, id: number, now: Date) =>
  db.run(sql`
    update submission_reviews set deleted_at = ${now}, note_id = null, modified_at = ${now}
    where form_id = ${formId} and id = ${id}`)

/** Of each record with a live review: the one that was changed last. What the record says follows it. */
export const newestReviews = (formId: number, among: Sql = sql`true`): Sql => sql`
  select distinct on (reviews.submission_id) reviews.submission_id, reviews.status, notes.note, reviews.created_at
  from ${withComments}
  where reviews.form_id = ${formId} and reviews.deleted_at is null and ${among}
  order by reviews.submission_id, reviews.modified_at desc, reviews.id desc`

/** What the records say of their reviews, and their notes. */
export const copyReviews = (db: Db, formId: number, submissionIds: readonly number[], now: Date) => {
  const newest = newestReviews(formId, sql`reviews.submission_id = any(${submissionIds}::bigint[])`)
  return updateRecordReviews(db, formId, { submissionIds, newest, notes: notesOfRecord(formId) }, now)
}

/** Of records that are removed for good, as a delete to stand in the WITH of the statement that removes them. `records` is the
 * name of a relation with the column id. */
export const removedReviews = (formId: number, records: Sql): Sql => sql`
  delete from submission_reviews using ${records}
  where submission_reviews.form_id = ${formId} and submission_reviews.submission_id = ${records}.id`
