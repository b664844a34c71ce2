import { type Db, sql } from '../../platform/db/index.js'
import { rolesThatMay } from '../permissions/index.js'
import type { Link } from './links.js'

export interface NamedSource extends Pick<Link, 'source' | 'id'> {
  /** Of the metadata that names it. */
  readonly entryId: number
}

export interface SourceState {
  readonly entryId: number
  /** Changes whenever a record, the definition or the dataview does. */
  readonly state: string
}

/** Of sources that are there: neither they nor their forms, projects or owners are deleted or hidden. And that are still
 * handed on: by the same owner, or by somebody who still manages them. Otherwise whoever managed a form for a day could
 * read it for ever, through a form of his own. */
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
    select found.entry_id as "entryId", concat_ws(' ', found.view, forms.version_number,
      (select max(change_no) from submissions where form_id = forms.id),
      (select max(change_no) from submission_tombstones where form_id = forms.id)) as state
    from found
    join forms on forms.id = found.form_id and forms.deleted_at is null
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active
    join metadata on metadata.id = found.entry_id
    left join forms holders on holders.id = metadata.form_id
    left join projects places on places.id = metadata.project_id
    where coalesce(holders.owner_id, places.owner_id) = forms.owner_id or exists (
      select from form_grants grants join users linkers on linkers.id = grants.user_id and linkers.is_active
      where grants.form_id = forms.id and grants.user_id = metadata.created_by
        and grants.role = any(${rolesThatMay('manage')}::text[]))`)
