import { type Db, sql } from '../../platform/db/index.js'
import type { Link } from './links.js'

export interface SourceState {
  readonly source: Link['source']
  readonly id: number
  /** Changes whenever a record, the definition or the dataview does. */
  readonly state: string
}

/** Of sources that are there: neither they nor their forms, projects or owners are deleted or hidden. */
export const listSourceStates = (db: Db, formIds: readonly number[], dataviewIds: readonly number[]) =>
  db.rows<SourceState>(sql`
    with asked as (
      select 'xform' as source, id, id as form_id, '' as view from unnest(${formIds}::int[]) id
      union all
      select 'dataview', id, form_id, modified_at::text from dataviews
      where id = any(${dataviewIds}::int[]) and deleted_at is null
    )
    select asked.source, asked.id, concat_ws(' ', asked.view, forms.version_number,
      (select max(change_no) from submissions where form_id = forms.id),
      (select max(change_no) from submission_tombstones where form_id = forms.id)) as state
    from asked
    join forms on forms.id = asked.form_id and forms.deleted_at is null
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active`)
