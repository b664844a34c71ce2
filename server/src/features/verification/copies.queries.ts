// What records and counters repeat of other rows, so that reading is fast, against those rows.
import { type Sql, sql } from '../../platform/db/index.js'
import { newestReviews } from '../reviews/index.js'

/** A list as it is compared: without these keys. What is no list of objects is nobody's. */
const listed = (json: Sql, without: readonly string[]): Sql => sql`(
  select coalesce(jsonb_agg(case when jsonb_typeof(entry) = 'object' then entry - ${without}::text[] else entry end), '[]')
  from jsonb_array_elements(case when jsonb_typeof(${json}) = 'array' then ${json} else '[null]' end) entry)`

const addresses = ['download_url', 'small_download_url', 'medium_download_url']

/** The addresses are made of the rest. A deleted record shows no files; what it showed stays written in it. */
export const differingFiles = (formId: number): Sql => sql`
  with shown as (
    select submission_id, count(*) as count, bool_or(question is null) as is_unnamed, jsonb_agg(
      jsonb_build_object('id', id, 'name', name, 'xform', form_id, 'filename', stored_name, 'instance', submission_id,
        'mimetype', mimetype) order by id) as entries
    from attachments where form_id = ${formId} and deleted_at is null group by submission_id
  )
  select submissions.id, case
      when submissions.deleted_at is not null then 'it is deleted, and shows ' || shown.count || ' files'
      when shown.is_unnamed then 'a file is shown that no answer names'
      when submissions.media_count <> coalesce(shown.count, 0)
        then 'it says ' || submissions.media_count || ' files have arrived, there are ' || coalesce(shown.count, 0)
      else 'its list of files is another than its files' end as what
  from submissions left join shown on shown.submission_id = submissions.id
  where submissions.form_id = ${formId} and case
    when submissions.deleted_at is not null then shown.count is not null
    else coalesce(shown.is_unnamed, false) or submissions.media_count <> coalesce(shown.count, 0)
      or coalesce(shown.entries, '[]') <> ${listed(sql`submissions.attachments`, addresses)}
    end`

/** Names of people may change afterwards. */
export const differingNotes = (formId: number): Sql => sql`
  with notes as (
    select submission_id, jsonb_agg(
      jsonb_build_object('id', id, 'note', note, 'instance_field', instance_field, 'created_by', created_by)
      order by id) as entries
    from submission_notes where form_id = ${formId} group by submission_id
  )
  select submissions.id, 'its list of notes is another than its notes' as what
  from submissions left join notes on notes.submission_id = submissions.id
  where submissions.form_id = ${formId} and coalesce(notes.entries, '[]') <> ${listed(sql`submissions.notes`, ['owner'])}`

/** Of has_places and has_devices one side only: what is deleted stays counted there. */
export const differingCounters = (formId: number): Sql => sql`
  select 0 as id, 'version ' || version || ': ' || coalesce(counted.submissions, 0) || ' counted, '
    || coalesce(live.submissions, 0) || ' there' as what
  from (
    select version, sum(submissions) as submissions from form_counts where form_id = ${formId} group by version
  ) counted
  full join (
    select version, count(*) as submissions from submissions
    where form_id = ${formId} and deleted_at is null group by version
  ) live using (version)
  where coalesce(counted.submissions, 0) <> coalesce(live.submissions, 0)
  union all
  select 0, 'the last submission came ' || coalesce(there.last::text, 'never') || ', counted is '
    || coalesce(counted.last::text, 'never')
  from (
    select max(last_submitted_at) as last, coalesce(bool_or(has_places), false) as has_places
    from form_counts where form_id = ${formId}
  ) counted
  cross join (
    select max(submitted_at) as last,
      exists (select from submission_tombstones where form_id = ${formId}) as has_lost
    from submissions where form_id = ${formId}
  ) there
  where counted.last is distinct from there.last and not (there.has_lost and counted.last >= there.last
    or there.has_lost and there.last is null)
  union all
  select 0, 'a record says where it was made, and the counter that none does'
  where exists (select from submissions where form_id = ${formId} and deleted_at is null and latitude is not null)
    and not exists (select from form_counts where form_id = ${formId} and has_places)
  union all
  select 0, 'a record came through a key, and the counter says that none did'
  where exists (select from submissions where form_id = ${formId} and deleted_at is null and device_key_id is not null)
    and not exists (select from form_counts where form_id = ${formId} and has_devices)`

export const differingReviews = (formId: number): Sql => sql`
  select submissions.id, 'it says its review is ' || coalesce(submissions.review_status, 'none') || ', the newest is '
    || coalesce(newest.status, 'none') as what
  from submissions left join (${newestReviews(formId)}) newest on newest.submission_id = submissions.id
  where submissions.form_id = ${formId}
    and (submissions.review_status, submissions.review_comment, submissions.reviewed_at)
      is distinct from (newest.status, newest.note, newest.created_at)`
