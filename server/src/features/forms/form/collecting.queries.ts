// Forms as devices see them: what can be filled in, and by whom.
import { type Db, empty, type Sql, sql } from '../../../platform/db/index.js'
import { projectRolesThatMay, rolesThatMay } from '../../permissions/index.js'
import { isListed } from './states.queries.js'

export interface CollectableForm {
  readonly id: number
  readonly owner: string
  readonly idString: string
  readonly title: string
  readonly description: string
  readonly version: string
  readonly hash: string
  readonly hasMedia: boolean
}

export interface Collecting {
  readonly callerId: number
  /** Of an account, of a project, or one form; without it, whatever the caller may submit to. */
  readonly ownerId?: number | undefined
  readonly projectId?: number | undefined
  readonly formId?: number | undefined
  /** `anonymous`: everything that asks nobody to sign in. `granted`: what the caller may submit to. `public too`: and
   * what everybody may see. `shared too`: and what other accounts share with them. */
  readonly reach: 'anonymous' | 'granted' | 'public too' | 'shared too'
  readonly idString?: string | undefined
  readonly now: Date
}

/** On which the caller has such a role. Never as a join: before the database has counted the forms that were just published, it
 * takes them for a handful, and reads all grants for each of them (0.3 s with 500 forms, against 0.01). Within an account, a
 * project or a form, those are read that lie there; otherwise those that are granted. */
const grantedBy = ({ callerId, ownerId, projectId, formId }: Collecting): Sql => {
  const granted = sql`
    select form_id from form_grants where user_id = ${callerId} and role = any(${rolesThatMay('submit')}::text[])`
  const isWithin = [ownerId, projectId, formId].some((id) => id !== undefined)
  return isWithin ? sql`(forms.id in (${granted})) is true` : sql`forms.id = any(array(${granted}))`
}

const reachOf = (collecting: Collecting): Sql => {
  const { reach, ownerId } = collecting
  const granted = grantedBy(collecting)
  const owned = ownerId === undefined ? empty : sql`and forms.owner_id = ${ownerId}`
  switch (reach) {
    case 'anonymous':
      return sql`not forms.requires_auth ${owned}`
    case 'granted':
      return sql`${granted} ${owned}`
    case 'public too':
      return sql`(${granted} or forms.is_public) ${owned}`
    case 'shared too':
      return granted
  }
}

/** Open forms of active accounts, by id. */
export const listCollectable = (db: Db, collecting: Collecting) => {
  const { projectId, formId, idString, now } = collecting
  const place = sql`
    ${projectId === undefined ? empty : sql`and forms.project_id = ${projectId}`}
    ${formId === undefined ? empty : sql`and forms.id = ${formId}`}`
  return listCollectableBy(db, sql`${reachOf(collecting)} ${place}`, { idString, now })
}

/** The same for rooms above, which say over `forms` what is within reach. */
export const listCollectableBy = (db: Db, reach: Sql, { idString, now }: Pick<Collecting, 'idString' | 'now'>) =>
  db.rows<CollectableForm>(sql`
    select forms.id, owners.username as owner, forms.id_string as "idString", forms.title, forms.description,
      versions.version, versions.hash,
      exists (select from metadata where metadata.form_id = forms.id and metadata.data_type = 'media'
        and metadata.submission_id is null and metadata.deleted_at is null) as "hasMedia"
    from forms
    join projects on projects.id = forms.project_id and projects.deleted_at is null
    join users owners on owners.id = forms.owner_id and owners.is_active
    join form_versions versions on versions.form_id = forms.id and versions.number = forms.version_number
    where forms.deleted_at is null and ${isListed(now)} and ${reach}
      ${idString === undefined ? empty : sql`and forms.id_key = ${idString.toLowerCase()}`}
    order by forms.id`)

export interface CollectingAccount {
  readonly id: number
  readonly username: string
  readonly requiresAuth: boolean
}

const account = sql`
  select users.id, users.username, coalesce(profiles.require_auth, false) as "requiresAuth"
  from users left join profiles on profiles.user_id = users.id`

/** Whose forms are asked for. */
export const findCollectingAccount = (db: Db, username: string) =>
  db.maybe<CollectingAccount>(sql`${account} where users.username = ${username} and users.is_active`)

/** Whether somebody may know of a project or a form: by a role, because it is public, or because nobody is asked to sign in
 * to fill in the form, or one of the project. */
export const isInReach = async (
  db: Db,
  callerId: number,
  scope: { readonly kind: 'project'; readonly projectId: number } | { readonly kind: 'form'; readonly formId: number },
): Promise<boolean> => {
  const forms = sql`
    select from forms
    left join profiles on profiles.user_id = forms.owner_id
    where ${scope.kind === 'form' ? sql`forms.id = ${scope.formId}` : sql`forms.project_id = ${scope.projectId}`}
      and forms.deleted_at is null and (forms.is_public
        or forms.state <> 'draft' and not (forms.requires_auth or coalesce(profiles.require_auth, false))
        or forms.id in (select form_id from form_grants
          where user_id = ${callerId} and role = any(${rolesThatMay('view')}::text[])))`
  const project =
    scope.kind === 'form'
      ? sql`select where false`
      : sql`
        select from projects where id = ${scope.projectId} and deleted_at is null and (is_public
          or id in (select project_id from project_grants
            where user_id = ${callerId} and role = any(${projectRolesThatMay('view')}::text[])))`
  const { isSeen } = await db.one<{ isSeen: boolean }>(sql`
    select exists (${forms}) or exists (${project}) as "isSeen"`)
  return isSeen
}

/** Whose project or form it is. */
export const findAccountOf = (db: Db, what: 'project' | 'form', id: number) =>
  db.maybe<CollectingAccount>(sql`
    ${account}
    where users.is_active and users.id = (${
      what === 'project'
        ? sql`select owner_id from projects where id = ${id} and deleted_at is null`
        : sql`select owner_id from forms where id = ${id} and deleted_at is null`
    })`)
