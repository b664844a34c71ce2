// Records go and come back: the row, its files and the form's counts in one statement.
import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { correctionSlot } from './edit.queries.js'

export interface Deletion {
  readonly formId: number
  /** null: all of the form. */
  readonly ids: readonly number[] | null
  /** null: of everybody. */
  readonly submittedBy: number | null
  readonly deletedBy: number
  readonly now: Date
  /** At most so many at once. */
  readonly limit: number
  /** The row of the form's counter that it is counted in: whoever holds one for long has one of their own. */
  readonly slot?: number
}

const chosen = ({ formId, ids, submittedBy, limit }: Deletion): Sql => sql`
  select id from submissions
  where form_id = ${formId} and deleted_at is null
    ${ids === null ? empty : sql`and id = any(${ids}::bigint[])`}
    ${submittedBy === null ? empty : sql`and submitted_by = ${submittedBy}`}
  order by id limit ${limit}::int for update`

const countedDown = ({ formId, slot = correctionSlot }: Deletion): Sql => sql`
  insert into form_counts (form_id, version, slot, submissions)
  select ${formId}, version, ${slot}::int, -count(*) from gone group by version order by version
  on conflict (form_id, version, slot) do update set submissions = form_counts.submissions + excluded.submissions`

interface Id {
  readonly id: number
}

/** In a statement of its own: what is done next sees what those have done who held the locks before. */
const lockChosen = (db: Db, deletion: Deletion) => db.run(chosen(deletion))

/** Hides records with their files; answers their ids. Call it in a transaction. */
export const hideRecords = async (db: Db, deletion: Deletion): Promise<number[]> => {
  const { formId, deletedBy, now } = deletion
  await lockChosen(db, deletion)
  const rows = await db.rows<Id>(sql`
    with chosen as materialized (${chosen(deletion)}),
    change as materialized (select next_change() as no where exists (select from chosen)),
    gone as (
      update submissions set deleted_at = ${now}, deleted_by = ${deletedBy}, modified_at = ${now}, change_no = change.no
      from chosen, change where submissions.form_id = ${formId} and submissions.id = chosen.id
      returning submissions.id, submissions.version
    ),
    hidden as (
      update attachments set deleted_at = ${now} from gone
      where attachments.form_id = ${formId} and attachments.submission_id = gone.id and attachments.deleted_at is null
    ),
    counted as (${countedDown(deletion)})
    select id from gone order by id`)
  return rows.map(({ id }) => id)
}

interface Removed {
  /** The name of a relation with the column id: the records. */
  readonly records: Sql
  /** The name of a relation with the columns file_key and mimetype: their files. */
  readonly files: Sql
}

/** What rooms above keep of records, as parts of the WITH of the statement that removes the records. */
export type RemovedWithRecords = (removed: Removed) => Sql

/** Removes records with all that hangs on them; answers their ids. Call it in a transaction. */
export const removeRecords = async (db: Db, deletion: Deletion, hanging: RemovedWithRecords): Promise<number[]> => {
  const { formId, now } = deletion
  await lockChosen(db, deletion)
  const rows = await db.rows<Id>(sql`
    with chosen as materialized (${chosen(deletion)}),
    change as materialized (select next_change() as no where exists (select from chosen)),
    gone as (
      delete from submissions using chosen where submissions.form_id = ${formId} and submissions.id = chosen.id
      returning submissions.id, submissions.uuid, submissions.version, submissions.submitted_by
    ),
    marked as (
      insert into submission_tombstones (form_id, id, uuid, submitted_by, change_no, deleted_at)
      select ${formId}, gone.id, gone.uuid, gone.submitted_by, change.no, ${now} from gone cross join change
    ),
    files as (
      delete from attachments using gone
      where attachments.form_id = ${formId} and attachments.submission_id = gone.id
      returning attachments.file_key, attachments.mimetype
    ),
    versions as (
      delete from submission_versions using gone
      where submission_versions.form_id = ${formId} and submission_versions.submission_id = gone.id
      returning submission_versions.uuid
    ),
    ${hanging({ records: sql`gone`, files: sql`files` })},
    instances as (
      delete from instance_ids using (select uuid from gone union select uuid from versions) former
      where instance_ids.form_id = ${formId} and instance_ids.uuid = former.uuid
    ),
    foretold as (
      delete from instance_ids using gone
      where instance_ids.form_id = ${formId} and instance_ids.submission_id = gone.id and instance_ids.is_foretold
    ),
    counted as (${countedDown(deletion)})
    select id from gone order by id`)
  return rows.map(({ id }) => id)
}

export interface Restoration {
  readonly formId: number
  /** null: all that was deleted. */
  readonly ids: readonly number[] | null
  /** null: of everybody. */
  readonly submittedBy: number | null
  /** What was deleted before stays deleted. */
  readonly deletedAfter: Date
  readonly now: Date
  /** At most so many at once. */
  readonly limit: number
}

const restorable = ({ formId, ids, submittedBy, deletedAfter, limit }: Restoration): Sql => sql`
  select id, version, deleted_at from submissions
  where form_id = ${formId} and deleted_at > ${deletedAfter}
    ${ids === null ? empty : sql`and id = any(${ids}::bigint[])`}
    ${submittedBy === null ? empty : sql`and submitted_by = ${submittedBy}`}
  order by id limit ${limit}::int for update`

/** Brings records back with the files that went with them; answers their ids. Files that no answer named before stay hidden.
 * Call it in a transaction. */
export const restoreRecords = async (db: Db, restoration: Restoration): Promise<number[]> => {
  const { formId, now } = restoration
  await db.run(restorable(restoration))
  const rows = await db.rows<Id>(sql`
    with found as materialized (${restorable(restoration)}),
    change as materialized (select next_change() as no where exists (select from found)),
    back as (
      update submissions set deleted_at = null, deleted_by = null, modified_at = ${now}, change_no = change.no
      from found, change where submissions.form_id = ${formId} and submissions.id = found.id
    ),
    shown as (
      update attachments set deleted_at = null from found
      where attachments.form_id = ${formId} and attachments.submission_id = found.id
        and attachments.deleted_at = found.deleted_at and attachments.question is not null
    ),
    counted as (
      insert into form_counts (form_id, version, slot, submissions)
      select ${formId}, version, ${correctionSlot}::int, count(*) from found group by version order by version
      on conflict (form_id, version, slot) do update set submissions = form_counts.submissions + excluded.submissions
    )
    select id from found order by id`)
  return rows.map(({ id }) => id)
}
