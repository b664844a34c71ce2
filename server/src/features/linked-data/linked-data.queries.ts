import { type Db, join, type Sql, sql } from '../../platform/db/index.js'
import type { Link } from '../forms/index.js'
import { type Actor, type Lapsed, projectRolesThatMay, rolesThatMay } from '../permissions/index.js'

export interface NamedSource extends Pick<Link, 'source' | 'id'> {
  /** Of the metadata that names it. */
  readonly entryId: number
}

export interface SourceState {
  readonly entryId: number
  /** Changes whenever a record, the definition or the dataview does. */
  readonly state: string
  /** The number of its last change that can be seen. */
  readonly lastChange: number
  /** Its records are everybody's anyway. */
  readonly isPublic: boolean
  /** Whoever made the link could still make it. */
  readonly isHeld: boolean
}

/** A link takes somebody who manages the records and may change what they are linked into, and holds while they may:
 * otherwise whoever managed a form for a day could read it for ever, through a form of their own. Of `forms`, whose records
 * they are, and the `entry` that links them. */
const isHeld = (entry: Sql): Sql => sql`(
  exists (select from users where users.id = ${entry}.created_by and users.is_active)
  and exists (
    select from form_grants grants
    where grants.form_id = forms.id and grants.user_id = ${entry}.created_by
      and grants.role = any(${rolesThatMay('manage')}::text[]))
  and (exists (
    select from form_grants grants
    where grants.form_id = ${entry}.form_id and grants.user_id = ${entry}.created_by
      and grants.role = any(${rolesThatMay('change')}::text[]))
  or exists (
    select from project_grants grants
    where ${entry}.form_id is null and grants.project_id = ${entry}.project_id
      and grants.user_id = ${entry}.created_by
      and grants.role = any(${projectRolesThatMay('manage')}::text[]))))`

interface Source extends Pick<SourceState, 'entryId' | 'isPublic' | 'isHeld'> {
  readonly formId: number
  /** When the dataview was changed; blank: it is a form. */
  readonly view: string
  readonly version: number
}

/** Of sources that are there: neither they nor their forms, projects or owners are deleted or hidden. */
const listSources = (db: Db, sources: readonly NamedSource[]) =>
  db.rows<Source>(sql`
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
    select found.entry_id as "entryId", forms.id as "formId", found.view, forms.version_number as version,
      forms.is_data_public as "isPublic",
      metadata.link_stopped_at is null and ${isHeld(sql`metadata`)} as "isHeld"
    from found
    join forms on forms.id = found.form_id and forms.deleted_at is null
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active
    join metadata on metadata.id = found.entry_id`)

interface LastChanges {
  readonly formId: number
  /** null: there is none. */
  readonly record: number | null
  readonly tombstone: number | null
}

/** The last change of the records of each form: a look at the end of an index each, by a part of the statement for each. Asked
 * for all of them together, every entry of the index would be read. */
const listLastChanges = (db: Db, formIds: readonly number[]) => {
  const last = (formId: number): Sql => sql`
    select ${formId}::int as "formId", record.no as record, tombstone.no as tombstone
    from (select max(change_no) as no from submissions where form_id = ${formId}::int) record
    cross join (select max(change_no) as no from submission_tombstones where form_id = ${formId}::int) tombstone`
  return db.rows<LastChanges>(join(formIds.map(last), ' union all '))
}

export const listSourceStates = async (db: Db, named: readonly NamedSource[]): Promise<SourceState[]> => {
  const sources = await listSources(db, named)
  const formIds = [...new Set(sources.map(({ formId }) => formId))]
  const changes = formIds.length === 0 ? [] : await listLastChanges(db, formIds)
  const changesOf = new Map(changes.map((one) => [one.formId, one]))
  return sources.map(({ formId, view, version, ...source }) => {
    const { record = null, tombstone = null } = changesOf.get(formId) ?? {}
    const state = [view, version, record, tombstone].filter((part) => part !== null).join(' ')
    return { ...source, state, lastChange: Math.max(record ?? 0, tombstone ?? 0) }
  })
}

export interface LostLink {
  /** Of the metadata. */
  readonly id: number
  readonly dataValue: string
  /** Whose records it shows. */
  readonly formId: number
  /** What it hangs on, if that is there. */
  readonly holder: Lapsed['target'] | null
  readonly actor: Actor | null
}

/** Links to forms that are there, by somebody who may not link them any more. */
export const listLostLinks = (db: Db, most: number) =>
  db.rows<LostLink>(sql`
    with links as materialized (
      select id, data_value, form_id, project_id, created_by, split_part(data_value, ' ', 1) as kind,
        case when split_part(data_value, ' ', 2) ~ '^[0-9]{1,9}$' then split_part(data_value, ' ', 2)::int end as source_id
      from metadata
      where file_key is null and deleted_at is null and link_stopped_at is null
        and (data_value like 'xform%' or data_value like 'dataview%')
    ),
    sourced as (
      select links.*, source_id as source_form_id from links where kind in ('xform', 'xform_geojson')
      union all
      select links.*, dataviews.form_id
      from links join dataviews on dataviews.id = links.source_id and dataviews.deleted_at is null
      where kind in ('dataview', 'dataview_geojson')
    )
    select sourced.id, sourced.data_value as "dataValue", forms.id as "formId",
      case when holders.id is not null then json_build_object('type', 'xform', 'id', holders.id)
        when places.id is not null then json_build_object('type', 'project', 'id', places.id) end as holder,
      (select json_build_object('username', username, 'isActive', is_active) from users where id = sourced.created_by)
        as actor
    from sourced
    join forms on forms.id = sourced.source_form_id and forms.deleted_at is null
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active
    left join forms holders on holders.id = sourced.form_id and holders.deleted_at is null
    left join projects places on places.id = sourced.project_id and places.deleted_at is null
    where not ${isHeld(sql`sourced`)}
    order by sourced.id limit ${most}`)
