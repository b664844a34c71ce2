// Records and what they were before, as rows of a file are compared with them.
import type { Answers } from '../../formats/instance/index.js'
import { type Db, scan, sql } from '../../platform/db/index.js'
import { accountNames } from '../users/index.js'

export interface StoredHead {
  readonly id: number
  /** The instance id that it was looked for by, present or former. */
  readonly soughtId: string
  readonly uuid: string
  readonly isDeleted: boolean
  /** Of its XML. */
  readonly bytes: number
}

/** The records that have or had these instance ids. Nothing is locked. Planned each time: a plan from before the first rows of a
 * table looks through all of it for each. */
export const listHeads = (db: Db, formId: number, uuids: readonly string[]) =>
  db.rows<StoredHead>(
    scan(sql`
    select submissions.id, instance_ids.uuid as "soughtId", submissions.uuid,
      submissions.deleted_at is not null as "isDeleted", octet_length(submissions.xml) as bytes
    from instance_ids
    join submissions on submissions.form_id = instance_ids.form_id and submissions.id = instance_ids.submission_id
    where instance_ids.form_id = ${formId} and instance_ids.uuid = any(${uuids}::text[])`),
  )

export const listAnswers = (db: Db, formId: number, ids: readonly number[]) =>
  db.rows<{ id: number; answers: Answers; files: { name: string; download_url: string }[] }>(sql`
    select id, answers, attachments as files from submissions where form_id = ${formId} and id = any(${ids}::bigint[])`)

/** Of all files of these records, also of those that no answer names. */
export const listFileNames = (db: Db, formId: number, ids: readonly number[]) =>
  db.rows<{ id: number; names: string[] }>(sql`
    select submission_id as id, array_agg(distinct name) as names from attachments
    where form_id = ${formId} and submission_id = any(${ids}::bigint[]) group by submission_id`)

export interface FormerHead {
  readonly id: number
  readonly uuid: string
  readonly number: number
  /** How many former versions the record has. */
  readonly last: number
  readonly bytes: number
}

/** Former versions by the instance ids that they had. */
export const listFormerHeads = (
  db: Db,
  formId: number,
  sought: readonly { readonly id: number; readonly soughtId: string }[],
) =>
  db.rows<FormerHead>(
    scan(sql`
    select former.submission_id as id, former.uuid, former.number, octet_length(former.xml) as bytes,
      (select max(number) from submission_versions versions
        where versions.form_id = ${formId} and versions.submission_id = sought.id) as last
    from unnest(${sought.map(({ id }) => id)}::bigint[], ${sought.map(({ soughtId }) => soughtId)}::text[])
      as sought (id, uuid)
    join submission_versions former
      on former.form_id = ${formId} and former.submission_id = sought.id and former.uuid = sought.uuid`),
  )

export interface VersionKey {
  readonly id: number
  readonly number: number
}

export const listVersionAnswers = (db: Db, formId: number, versions: readonly VersionKey[]) =>
  db.rows<VersionKey & { answers: Answers }>(
    scan(sql`
    select submission_id as id, submission_versions.number, answers
    from unnest(${versions.map(({ id }) => id)}::bigint[], ${versions.map(({ number }) => number)}::int[])
      as sought (id, number)
    join submission_versions on form_id = ${formId} and submission_id = sought.id
      and submission_versions.number = sought.number`),
  )

export interface OwnValues {
  readonly id: number
  readonly tags: readonly string[]
  readonly notes: readonly string[]
  readonly reviewStatus: string
  readonly reviewComment: string
  readonly submittedBy: string
  readonly submittedAt: Date
}

/** What the server keeps of these records beside their answers. */
export const listOwnValues = (db: Db, formId: number, ids: readonly number[]) =>
  db.rows<OwnValues>(sql`
    select submissions.id, tags, array(select note ->> 'note' from jsonb_array_elements(notes) note) as notes,
      coalesce(review_status, '') as "reviewStatus", coalesce(review_comment, '') as "reviewComment",
      coalesce(users.username, '') as "submittedBy", submitted_at as "submittedAt"
    from submissions left join ${accountNames} users on users.id = submissions.submitted_by
    where form_id = ${formId} and submissions.id = any(${ids}::bigint[])`)
