import { type Db, empty, type Position, type Sql, sql } from '../../../platform/db/index.js'
import { type Grant, type RoleName, rolesThatMay } from '../../permissions/index.js'
import { normalizeUsername } from '../../users/index.js'
import type { FormState, KeptState } from './states.js'

export interface Form {
  readonly id: number
  readonly projectId: number
  readonly ownerId: number
  readonly owner: string
  readonly isOwnerOrg: boolean
  /** The owning account asks everybody who submits to sign in. */
  readonly ownerRequiresAuth: boolean
  readonly createdBy: string | null
  readonly uuid: string
  readonly idString: string
  readonly smsIdString: string
  readonly title: string
  readonly description: string
  readonly versionNumber: number
  readonly version: string
  readonly hash: string
  /** Of the uploaded file, if one is kept. */
  readonly sourceName: string | null
  readonly state: FormState
  readonly closesAt: Date | null
  readonly isPublic: boolean
  readonly isDataPublic: boolean
  readonly requiresAuth: boolean
  readonly publicKey: string
  readonly editorRole: string
  readonly dataentryRole: string
  readonly readonlyRole: string
  readonly createdAt: Date
  readonly modifiedAt: Date
  readonly publishedAt: Date
  /** The caller's grants: every reason why they have a role here. */
  readonly grants: readonly Grant[]
  /** How far the database was when the grants were asked for; where one form was found, and copies are read. */
  readonly asOf?: Position | null
}

/** Forms of inactive accounts and of deleted projects are hidden. */
const live = sql`
  from forms
  join projects on projects.id = forms.project_id and projects.deleted_at is null
  join users owners on owners.id = forms.owner_id and owners.is_active`

const grantsOf = (callerId: number): Sql => sql`
  coalesce((
    select json_agg(json_build_object('role', role, 'source', source, 'through', through))
    from form_grants grants where grants.form_id = forms.id and grants.user_id = ${callerId}), '[]')`

const select = (callerId: number): Sql => selectWith(grantsOf(callerId))

/** `grants`: as JSON, over `forms`. */
const selectWith = (grants: Sql, more: Sql = empty): Sql => sql`
  select forms.id, forms.project_id as "projectId", forms.owner_id as "ownerId", owners.username as owner,
    owners.is_org as "isOwnerOrg", coalesce(profiles.require_auth, false) as "ownerRequiresAuth",
    creators.username as "createdBy", forms.uuid, forms.id_string as "idString", forms.sms_id_string as "smsIdString",
    forms.title, forms.description, forms.version_number as "versionNumber", versions.version, versions.hash,
    versions.source_name as "sourceName", forms.state, forms.closes_at as "closesAt",
    forms.is_public as "isPublic", forms.is_data_public as "isDataPublic", forms.requires_auth as "requiresAuth",
    forms.public_key as "publicKey", forms.editor_role as "editorRole", forms.dataentry_role as "dataentryRole",
    forms.readonly_role as "readonlyRole", forms.created_at as "createdAt", forms.modified_at as "modifiedAt",
    forms.published_at as "publishedAt", ${grants} as grants ${more}
  ${live}
  join form_versions versions on versions.form_id = forms.id and versions.number = forms.version_number
  left join profiles on profiles.user_id = forms.owner_id
  left join users creators on creators.id = forms.created_by
  where forms.deleted_at is null`

export const findForm = (db: Db, callerId: number, formId: number) =>
  db.maybe<Form>(sql`${selectWith(grantsOf(callerId), sql`, ${db.position} as "asOf"`)} and forms.id = ${formId}`)

/** By id; those that are hidden from everybody are left out. */
export const listFormsOfIds = (db: Db, callerId: number, ids: readonly number[]) =>
  db.rows<Form>(sql`${select(callerId)} and forms.id = any(${ids}::int[]) order by forms.id`)

/** For rooms above, which say what is looked for and by which grants: both over `forms`. */
export const listFormsBy = (db: Db, grants: Sql, where: Sql) =>
  db.rows<Form>(sql`${selectWith(grants)} and ${where} order by forms.id limit ${mostTargets}`)

/** Where a submission may go: the forms of an account or of a project, one form, or whatever the caller may submit to. */
export type SubmissionScope =
  | { readonly kind: 'account'; readonly username: string }
  | { readonly kind: 'project'; readonly projectId: number }
  | { readonly kind: 'form'; readonly formId: number; readonly username?: string }
  | { readonly kind: 'caller' }

const within = (scope: SubmissionScope, callerId: number): Sql => {
  switch (scope.kind) {
    case 'account':
      return sql`owners.username = ${normalizeUsername(scope.username)}`
    case 'project':
      return sql`forms.project_id = ${scope.projectId}`
    case 'form':
      return scope.username === undefined
        ? sql`forms.id = ${scope.formId}`
        : sql`forms.id = ${scope.formId} and owners.username = ${normalizeUsername(scope.username)}`
    case 'caller':
      return sql`(forms.owner_id = ${callerId} or ${granted(callerId, rolesThatMay('submit'))})`
  }
}

/** Two at most: more than one is ambiguous. */
const mostTargets = 2

export const listFormsByUuid = (db: Db, callerId: number, scope: SubmissionScope, uuid: string) =>
  db.rows<Form>(sql`
    ${select(callerId)} and forms.uuid = ${uuid} and ${within(scope, callerId)} limit ${mostTargets}`)

/** The caller's own come first: whoever has a form with this id means their own, not one that others share with them. */
export const listFormsByIdString = async (db: Db, callerId: number, scope: SubmissionScope, idString: string) => {
  const forms = await db.rows<Form>(sql`
    ${select(callerId)} and forms.id_key = ${idKey(idString)} and ${within(scope, callerId)}
    order by forms.owner_id = ${callerId} desc, forms.id limit ${mostTargets}`)
  const [first] = forms
  return first !== undefined && first.ownerId === callerId ? [first] : forms
}

export interface FormFilter {
  readonly callerId: number
  readonly owner?: string | undefined
  readonly projectId?: number | undefined
  readonly tags?: readonly string[] | undefined
  readonly notTagged?: readonly string[] | undefined
  /** What must be allowed, or public. */
  readonly may: 'view' | 'view_data'
  /** Whether public ones count although the caller has no role. */
  readonly withPublic: boolean
}

const granted = (callerId: number, roles: readonly RoleName[]): Sql => sql`
  forms.id in (select form_id from form_grants where user_id = ${callerId} and role = any(${roles}::text[]))`

const matching = ({ callerId, owner, projectId, tags, notTagged, may, withPublic }: FormFilter): Sql => {
  const allowed = granted(callerId, rolesThatMay(may))
  const open = may === 'view' ? sql`forms.is_public` : sql`forms.is_data_public`
  const tagged = (names: readonly string[]) =>
    sql`exists (select from form_tags where form_id = forms.id and tag = any(${names}::text[]))`
  return sql`
    ${callerId === 0 ? open : withPublic ? sql`(${open} or ${allowed})` : allowed}
    ${owner === undefined ? empty : sql`and owners.username = ${normalizeUsername(owner)}`}
    ${projectId === undefined ? empty : sql`and forms.project_id = ${projectId}`}
    ${tags === undefined ? empty : sql`and ${tagged(tags)}`}
    ${notTagged === undefined ? empty : sql`and not ${tagged(notTagged)}`}`
}

export const countForms = async (db: Db, filter: FormFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) ${live} where forms.deleted_at is null and ${matching(filter)}`)
  ).count

/** By id. */
export const listForms = (db: Db, filter: FormFilter, range: { offset: number; limit: number }) =>
  db.rows<Form>(sql`
    ${select(filter.callerId)} and ${matching(filter)}
    order by forms.id limit ${range.limit} offset ${range.offset}`)

/** Forms that anybody may see. */
export const countPublicForms = async (db: Db, which: 'definition' | 'any'): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) ${live} where forms.deleted_at is null and ${open(which)}`))
    .count

export const listPublicForms = (
  db: Db,
  callerId: number,
  which: 'definition' | 'any',
  range: { offset: number; limit: number },
) =>
  db.rows<Form>(sql`
    ${select(callerId)} and ${open(which)} order by forms.id limit ${range.limit} offset ${range.offset}`)

const open = (which: 'definition' | 'any'): Sql =>
  which === 'definition' ? sql`forms.is_public` : sql`(forms.is_public or forms.is_data_public)`

export interface NewForm {
  projectId: number
  ownerId: number
  createdBy: number
  uuid: string
  idString: string
  smsIdString: string
  title: string
  isPublic: boolean
  requiresAuth: boolean
  publicKey: string
  state: 'open' | 'draft'
  now: Date
}

/** Ids are compared without case. */
export const idKey = (idString: string): string => idString.toLowerCase()

/** Constraint: forms__owner_id_id_key. */
export const insertForm = async (db: Db, form: NewForm): Promise<number> =>
  (
    await db.one<{ id: number }>(sql`
      insert into forms (project_id, owner_id, created_by, uuid, id_string, id_key, sms_id_string, title, is_public,
        is_data_public, requires_auth, public_key, state, created_at, modified_at, published_at)
      values (${form.projectId}, ${form.ownerId}, ${form.createdBy}, ${form.uuid}, ${form.idString},
        ${idKey(form.idString)}, ${form.smsIdString}, ${form.title}, ${form.isPublic}, ${form.isPublic},
        ${form.requiresAuth}, ${form.publicKey}, ${form.state}, ${form.now}, ${form.now}, ${form.now})
      returning id`)
  ).id

/** The ids of an account's live forms that begin so, as they are compared. */
export const listIdsLike = async (db: Db, ownerId: number, beginning: string): Promise<string[]> => {
  const rows = await db.rows<{ key: string }>(sql`
    select id_key as key from forms
    where owner_id = ${ownerId} and deleted_at is null and starts_with(id_key, ${idKey(beginning)})`)
  return rows.map((row) => row.key)
}

export interface FormChanges {
  title?: string | undefined
  description?: string | undefined
  state?: KeptState | undefined
  isPublic?: boolean | undefined
  isDataPublic?: boolean | undefined
  requiresAuth?: boolean | undefined
  publicKey?: string | undefined
}

/** Only what is given changes. */
export const updateForm = (db: Db, formId: number, changes: FormChanges, now: Date) =>
  db.run(sql`
    update forms set
      title           = coalesce(${changes.title ?? null}, title),
      description     = coalesce(${changes.description ?? null}, description),
      state           = coalesce(${changes.state?.state ?? null}, state),
      closes_at       = ${changes.state === undefined ? sql`closes_at` : sql`${changes.state.closesAt}`},
      is_public       = coalesce(${changes.isPublic ?? null}, is_public),
      is_data_public  = coalesce(${changes.isDataPublic ?? null}, is_data_public),
      requires_auth   = coalesce(${changes.requiresAuth ?? null}, requires_auth),
      public_key      = coalesce(${changes.publicKey ?? null}, public_key),
      modified_at     = ${now}
    where id = ${formId}`)

export const setRestriction = (db: Db, formId: number, [editor, dataentry, reader]: readonly string[], now: Date) =>
  db.run(sql`
    update forms set editor_role = ${editor}, dataentry_role = ${dataentry}, readonly_role = ${reader}, modified_at = ${now}
    where id = ${formId}`)

/** Constraint: forms__owner_id_id_key. */
export const setFormPlace = (db: Db, formId: number, target: { projectId: number; ownerId: number }, now: Date) =>
  db.run(sql`
    update forms set project_id = ${target.projectId}, owner_id = ${target.ownerId}, modified_at = ${now}
    where id = ${formId}`)

/** Held until the transaction ends: replacements, moves and deletions of one form come one after the other. Rows that only refer to
 * the form need not wait. */
export const lockForm = async (db: Db, formId: number): Promise<boolean> =>
  (await db.run(sql`select 1 from forms where id = ${formId} and deleted_at is null for no key update`)) === 1
