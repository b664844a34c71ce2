// What a form's rows must say of each other. Each statement gives what is wrong: an id and words for people.
import { type Sql, sql } from '../../platform/db/index.js'

/** A record and every former version of it is found by its instance id. */
export const unclaimedInstanceIds = (formId: number): Sql => sql`
  select named.id, case when ids.uuid is null then 'the instance id ' || named.uuid || ' is not written down'
    else 'the instance id ' || named.uuid || ' is that of record ' || ids.submission_id end as what
  from (
    select id, uuid from submissions where form_id = ${formId}
    union all
    select submission_id, uuid from submission_versions where form_id = ${formId}
  ) named
  left join instance_ids ids on ids.form_id = ${formId} and ids.uuid = named.uuid
  where ids.submission_id is distinct from named.id`

export const lostInstanceIds = (formId: number): Sql => sql`
  select ids.submission_id as id, 'the instance id ' || ids.uuid || ' leads to no record' as what
  from instance_ids ids
  where ids.form_id = ${formId} and not exists (
    select from submissions where submissions.form_id = ${formId} and submissions.id = ids.submission_id)`

/** Files, notes, reviews and versions of records that are not there. */
export const strayRows = (formId: number): Sql => sql`
  select rows.id, rows.what || ' of record ' || rows.submission_id || ', which is not there' as what
  from (
    select id, submission_id, 'file ' || name as what from attachments where form_id = ${formId}
    union all
    select id, submission_id, 'a note' from submission_notes where form_id = ${formId}
    union all
    select id, submission_id, 'a review' from submission_reviews where form_id = ${formId}
    union all
    select submission_id, submission_id, 'version ' || number from submission_versions where form_id = ${formId}
  ) rows
  where not exists (
    select from submissions where submissions.form_id = ${formId} and submissions.id = rows.submission_id)`

/** An edited record has every version it had, numbered from 1. */
export const brokenHistories = (formId: number): Sql => sql`
  select submissions.id, case when submissions.edited_at is null then 'it was never edited, and has former versions'
    when versions.count is null then 'it was edited, and no former version is kept'
    else 'its former versions are not numbered from 1 on' end as what
  from submissions
  left join (
    select submission_id, count(*) as count, min(number) as first, max(number) as last from submission_versions
    where form_id = ${formId} group by submission_id
  ) versions on versions.submission_id = submissions.id
  where submissions.form_id = ${formId} and (
    (submissions.edited_at is null) <> (versions.count is null)
    or versions.first <> 1 or versions.last <> versions.count)`

/** Numbers that were handed out lie below what the sequences would give next. */
export const overtakenSequences = (formId: number): Sql => sql`
  select 0 as id, 'the sequence ' || name || ' is at ' || last || ', and ' || highest || ' is in use' as what
  from (
    select 'submission_ids' as name, (select last_value from submission_ids) as last,
      (select max(id) from submissions where form_id = ${formId}) as highest
    union all
    select 'attachment_ids', (select last_value from attachment_ids),
      (select max(id) from attachments where form_id = ${formId})
    union all
    select 'note_ids', (select last_value from note_ids),
      (select max(id) from submission_notes where form_id = ${formId})
    union all
    select 'review_ids', (select last_value from review_ids),
      (select max(id) from submission_reviews where form_id = ${formId})
    union all
    select 'event_ids', (select last_value from event_ids), (select max(id) from form_events where form_id = ${formId})
    union all
    select 'change_numbers', (select last_value from change_numbers),
      (select max(change_no) from submissions where form_id = ${formId})
  ) sequences
  where highest > last`
