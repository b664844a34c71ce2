import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import type { Metadata } from '../forms/index.js'
import { projectRolesThatMay, rolesThatMay } from '../permissions/index.js'

export interface EntryFilter {
  readonly callerId: number
  /** Only what hangs on this; without it, on every form and project that the caller has a role on. */
  readonly holder?:
    | { readonly formId?: number; readonly projectId?: number; readonly submissionId?: number }
    | undefined
  /** That the caller may read there; without a holder, that everybody with a role may read. */
  readonly types: readonly string[]
  readonly dataType?: string | undefined
}

const onHolder = ({ formId, projectId, submissionId }: NonNullable<EntryFilter['holder']>): Sql => sql`
  metadata.form_id is not distinct from ${formId ?? null}::int
  and metadata.project_id is not distinct from ${projectId ?? null}::int
  and metadata.submission_id is not distinct from ${submissionId ?? null}::bigint`

const ofTypes = (types: readonly string[]): Sql => sql`metadata.data_type = any(${types}::text[])`

/** What hangs on single submissions is shown with the submission only. */
const onOwn = ({ callerId, types }: EntryFilter): Sql => {
  const granted = (roles: readonly string[]) =>
    sql`(select form_id from form_grants where user_id = ${callerId} and role = any(${roles}::text[]))`
  return sql`
    metadata.submission_id is null and (
      metadata.project_id in (
        select projects.id from projects
        join users owners on owners.id = projects.owner_id and owners.is_active
        join project_grants grants on grants.project_id = projects.id
        where projects.deleted_at is null and grants.user_id = ${callerId}
          and grants.role = any(${projectRolesThatMay('view')}::text[]))
      or metadata.form_id in (
        select forms.id from forms
        join projects on projects.id = forms.project_id and projects.deleted_at is null
        join users owners on owners.id = forms.owner_id and owners.is_active
        where forms.deleted_at is null and forms.id in ${granted(rolesThatMay('view'))})
    ) and (${ofTypes(types)} or metadata.form_id in ${granted(rolesThatMay('change'))})`
}

const matching = (filter: EntryFilter): Sql => sql`
  metadata.deleted_at is null
  and ${filter.holder === undefined ? onOwn(filter) : sql`${onHolder(filter.holder)} and ${ofTypes(filter.types)}`}
  ${filter.dataType === undefined ? empty : sql`and metadata.data_type = ${filter.dataType}`}`

export const countEntries = async (db: Db, filter: EntryFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from metadata where ${matching(filter)}`)).count

/** By id. */
export const listEntries = (db: Db, filter: EntryFilter, range: { offset: number; limit: number }) =>
  db.rows<Metadata>(sql`
    select id, form_id as "formId", project_id as "projectId", submission_id as "submissionId",
      data_type as "dataType", data_value as "dataValue", file_key as "fileKey", file_type as "fileType",
      file_hash as "fileHash", file_bytes as "fileBytes", extra, created_at as "createdAt"
    from metadata where ${matching(filter)}
    order by id limit ${range.limit} offset ${range.offset}`)
