import { type Db, sql } from '../../platform/db/index.js'
import { projectRolesThatMay, rolesThatMay } from '../permissions/index.js'
import type { Link } from './links.js'

export interface NamedSource extends Pick<Link, 'source' | 'id'> {
  /** Of the metadata that names it. */
  readonly entryId: number
}

export interface SourceState {
  readonly entryId: number
  /** Changes whenever a record, the definition or the dataview does. */
  readonly state: string
  /** Its records are everybody's anyway. */
  readonly isPublic: boolean
  /** Whoever made the link could still make it. */
  readonly isHeld: boolean
  /** When the owners were told that it no longer holds. */
  readonly stoppedAt: Date | null
}

/** Of sources that are there: neither they nor their forms, projects or owners are deleted or hidden. A link takes somebody
 * who manages the records and may change what they are linked into. It holds while they may: otherwise whoever managed
 * a form for a day could read it for ever, through a form of their own. */
export const listSourceStates = (db: Db, sources: readonly NamedSource[]) =>
  db.rows<SourceState>(sql`
    with asked as (
      select * from unnest(${sources.map(({ entryId }) => entryId)}::int[], ${sources.map(({ source }) => source)}::text[],
        ${sources.map(({ id }) => id)}::int[]) as given (entry_id, source, id)
    ),
    found as (
      select entry_id, id as form_id, '' as view from asked where source = 'xform'
      union all
      select asked.entry_id, dataviews.form_id, dataviews.modified_at::text
      from asked join dataviews on dataviews.id = asked.id and dataviews.deleted_at is null
      where asked.source = 'dataview'
    )
    select found.entry_id as "entryId", forms.is_data_public as "isPublic", metadata.stopped_at as "stoppedAt",
      concat_ws(' ', found.view, forms.version_number,
        (select max(change_no) from submissions where form_id = forms.id),
        (select max(change_no) from submission_tombstones where form_id = forms.id)) as state,
      exists (select from users where users.id = metadata.created_by and users.is_active) and exists (
        select from form_grants grants
        where grants.form_id = forms.id and grants.user_id = metadata.created_by
          and grants.role = any(${rolesThatMay('manage')}::text[]))
      and (exists (
        select from form_grants grants
        where grants.form_id = metadata.form_id and grants.user_id = metadata.created_by
          and grants.role = any(${rolesThatMay('change')}::text[]))
      or exists (
        select from project_grants grants
        where metadata.form_id is null and grants.project_id = metadata.project_id
          and grants.user_id = metadata.created_by
          and grants.role = any(${projectRolesThatMay('manage')}::text[]))) as "isHeld"
    from found
    join forms on forms.id = found.form_id and forms.deleted_at is null
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active
    join metadata on metadata.id = found.entry_id`)

/** True for one of those who find that out at once. */
export const markStopped = async (db: Db, entryId: number, now: Date): Promise<boolean> =>
  (await db.run(sql`update metadata set stopped_at = ${now} where id = ${entryId} and stopped_at is null`)) === 1

export const markHeld = (db: Db, entryIds: readonly number[]) =>
  db.run(sql`update metadata set stopped_at = null where id = any(${entryIds}::int[])`)

/** Owners of what a link hangs on, as far as they have an address. */
export const listHolderOwners = (db: Db, entryId: number) =>
  db.rows<{ email: string; title: string }>(sql`
    select distinct users.email, coalesce(forms.title, projects.name) as title
    from metadata
    left join forms on forms.id = metadata.form_id
    join projects on projects.id = coalesce(forms.project_id, metadata.project_id)
    join project_grants grants on grants.project_id = projects.id and grants.role = 'owner'
    join users on users.id = grants.user_id and users.is_active and users.email is not null
    where metadata.id = ${entryId}
    order by users.email`)
