import { type Db, sql } from '../../platform/db/index.js'
import type { Derived } from './submission.js'

export interface Target {
  readonly id: number
  readonly uuid: string
  readonly submittedBy: number | null
  readonly submittedAt: Date
  readonly isDeleted: boolean
}

/** The record that has or had an instance id, locked until the transaction ends. */
export const lockByInstanceId = (db: Db, formId: number, uuid: string) =>
  db.maybe<Target>(sql`
    select submissions.id, submissions.uuid, submissions.submitted_by as "submittedBy",
      submissions.submitted_at as "submittedAt", submissions.deleted_at is not null as "isDeleted"
    from instance_ids
    join submissions on submissions.form_id = instance_ids.form_id and submissions.id = instance_ids.submission_id
    where instance_ids.form_id = ${formId} and instance_ids.uuid = ${uuid}
    for update of submissions`)

/** False when the form has had the id before. */
export const claimInstanceId = async (db: Db, formId: number, uuid: string, submissionId: number): Promise<boolean> =>
  (await db.run(sql`
    insert into instance_ids (form_id, uuid, submission_id) values (${formId}, ${uuid}, ${submissionId})
    on conflict do nothing`)) === 1

/** What the record was until now, to its history. */
export const archiveVersion = (db: Db, formId: number, submissionId: number, now: Date) =>
  db.run(sql`
    insert into submission_versions (form_id, submission_id, number, uuid, xml, answers, version, model_number, made_at,
      made_by, archived_at)
    select form_id, id,
      (select count(*) + 1 from submission_versions versions
        where versions.form_id = ${formId} and versions.submission_id = ${submissionId}),
      uuid, xml, answers, version, model_number, coalesce(edited_at, submitted_at),
      case when edited_at is null then submitted_by else edited_by end, ${now}
    from submissions where form_id = ${formId} and id = ${submissionId}`)

export interface Edit extends Derived {
  readonly xml: string
  readonly editedBy: number | null
}

/** Its id, its submitter and the time of its submission stay. */
export const updateSubmission = (db: Db, formId: number, submissionId: number, edit: Edit, now: Date) =>
  db.run(sql`
    update submissions set
      uuid = ${edit.uuid}, xml = ${edit.xml}, answers = ${edit.answers}::jsonb, version = ${edit.version},
      model_number = ${edit.modelNumber}, root_name = ${edit.rootName}, duration = ${edit.duration},
      latitude = ${edit.latitude}, longitude = ${edit.longitude}, edited_at = ${now}, edited_by = ${edit.editedBy},
      modified_at = ${now}, change_no = next_change()
    where form_id = ${formId} and id = ${submissionId}`)

/** A live submission went from one version to another. The rows of the counter are taken in one order by everybody;
 * slot 0 is not used by receiving. */
export const moveCount = (db: Db, formId: number, from: string, to: string, hasPlace: boolean) =>
  db.run(sql`
    insert into form_counts (form_id, version, slot, submissions, has_places)
    select ${formId}, version, 0, sum(change), bool_or(has_places)
    from (values (${from}, -1, false), (${to}, 1, ${hasPlace}::boolean)) as changes (version, change, has_places)
    group by version order by version
    on conflict (form_id, version, slot) do update set
      submissions = form_counts.submissions + excluded.submissions,
      has_places = form_counts.has_places or excluded.has_places`)

interface LockedRecord {
  readonly answers: string
  readonly modelNumber: number
  readonly version: string
  /** Null: somebody who did not sign in. */
  readonly submittedBy: number | null
  readonly isDeleted: boolean
}

/** What the record is now, locked: for files that come later. */
export const lockRecord = (db: Db, formId: number, submissionId: number) =>
  db.maybe<LockedRecord>(sql`
    select answers::text as answers, model_number as "modelNumber", version, submitted_by as "submittedBy",
      deleted_at is not null as "isDeleted"
    from submissions where form_id = ${formId} and id = ${submissionId} for update`)

export const touchSubmission = (db: Db, formId: number, submissionId: number, now: Date) =>
  db.run(sql`
    update submissions set modified_at = ${now}, change_no = next_change()
    where form_id = ${formId} and id = ${submissionId}`)
