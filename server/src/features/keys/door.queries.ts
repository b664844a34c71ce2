// Keys as devices use them. Whether a key is good is asked in every statement, and no answer is remembered.
import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { idKey, listCollectableBy, listFormsBy, withAccess } from '../forms/index.js'
import { stillManages, stillMay } from '../permissions/index.js'
import {
  actorMaySubmit,
  grantedForms,
  isGood,
  isRunning,
  managesForm,
  opensFormOfProject,
} from './key-rights.queries.js'
import type { KeyKind } from './keys.queries.js'

export interface FoundKey {
  readonly id: number
  /** Of what was shown at the door: a key that is renewed has another. */
  readonly tokenId: number
  readonly kind: KeyKind
  readonly name: string
  readonly projectId: number
  /** Of a link or a draft. */
  readonly formId: number | null
  readonly hasAllForms: boolean
  readonly holderId: number
  /** Whose records they are; null: nobody's, as of whoever does not sign in. */
  readonly actsAs: { readonly id: number; readonly username: string } | null
  readonly isGood: boolean
  /** Nobody withdrew it: its time is over. */
  readonly hasEnded: boolean
}

/** What is kept of a key while a body is under way. */
export type ShownKey = Pick<FoundKey, 'id' | 'tokenId'>

/** Undefined: nobody was ever given such a token. */
export const findKeyByToken = (db: Db, hash: string, now: Date) =>
  db.maybe<FoundKey>(sql`
    select keys.id, tokens.id as "tokenId", keys.kind, keys.name, keys.project_id as "projectId", keys.form_id as "formId",
      keys.has_all_forms as "hasAllForms", keys.held_by as "holderId",
      case when actors.id is not null then json_build_object('id', actors.id, 'username', actors.username) end as "actsAs",
      tokens.sealed is not null and ${isGood(now)} as "isGood",
      tokens.sealed is not null and keys.revoked_at is null and coalesce(keys.expires_at <= ${now}, false) as "hasEnded"
    from device_key_tokens tokens join device_keys keys on keys.id = tokens.key_id
    left join users actors on actors.id = keys.acts_as
    where tokens.token_hash = ${hash}`)

/** For those who were let in a moment ago: whether that still holds. */
export const isKeyGood = async (db: Db, { tokenId }: ShownKey, now: Date): Promise<boolean> =>
  (await db.maybe(sql`
    select from device_key_tokens tokens join device_keys keys on keys.id = tokens.key_id
    left join users actors on actors.id = keys.acts_as
    where tokens.id = ${tokenId} and tokens.sealed is not null and ${isGood(now)}`)) !== undefined

/** Whether a link has taken as many records as it may. The key of a device has no such limit. */
export const isLinkFull = async (db: Db, { id }: ShownKey): Promise<boolean> =>
  (await db.maybe(sql`
    select from device_keys keys join device_key_counts counter on counter.key_id = keys.id and counter.slot = 0
    where keys.id = ${id} and counter.records >= keys.most_records`)) !== undefined

/** What a key gives on a form: to see it and to fill it in. */
const entry = sql`json_build_array(json_build_object('role', 'dataentry-only', 'source', 'form', 'through', null))`

/** What the statement below is made for: what can change of a key is asked in it, what cannot makes it shorter. */
export interface SendingKey {
  readonly keyId: number
  /** It is for one form, not for a project: a link. */
  readonly isOfForm: boolean
  /** For whom the sender was let in. */
  readonly actsAs: number | null
}

/** As `isGood` and `wasListed`, and that those for whom it acts may hand the form on and fill it in. The form is there and live,
 * which says half of it; every right that is asked for costs as much as the rest of the statement. */
const grantsOf = ({ keyId, isOfForm, actsAs }: SendingKey, now: Date): Sql => {
  const isActing = actsAs === null ? sql`keys.acts_as is null` : sql`keys.acts_as = ${actsAs} and ${actorMaySubmit}`
  return sql`
    coalesce((
      select ${entry} from device_keys keys
      where keys.id = ${keyId} and ${isRunning(now)} and ${isOfForm ? managesForm : opensFormOfProject}
        and ${isActing}), '[]')`
}

/** Of the project of a key, with what the key may do there: nothing, where the form is none of its own. Records of forms that
 * it once listed are taken. */
export const listTargetsOfKey = async (
  db: Db,
  key: SendingKey,
  { formUuid, formId }: { readonly formUuid: string | null; readonly formId: string | null },
  now: Date,
) => {
  const place = key.isOfForm ? sql`forms.id = (select form_id` : sql`forms.project_id = (select project_id`
  const isWithin = sql`${place} from device_keys where id = ${key.keyId})`
  const find = (condition: Sql) => listFormsBy(db, grantsOf(key, now), sql`${condition} and ${isWithin}`)
  const byUuid = formUuid === null ? [] : await find(sql`forms.uuid = ${formUuid}`)
  const found = byUuid.length > 0 || formId === null ? byUuid : await find(sql`forms.id_key = ${idKey(formId)}`)
  return found.map(withAccess)
}

const isChosen = ({ id, formId, projectId, hasAllForms }: FoundKey): Sql => {
  if (formId !== null) return sql`forms.id = ${formId}`
  const chosen = sql`
    and forms.id in (select form_id from device_key_forms where key_id = ${id} and removed_at is null)`
  return sql`forms.project_id = ${projectId} ${hasAllForms ? empty : chosen}`
}

/** One form of its project, of a key that was found good: with what it gives where the form is on the list today. */
export const findFormOfKey = async (db: Db, key: FoundKey, formId: number) => {
  const on = { formId: sql`forms.id`, projectId: sql`forms.project_id` }
  const grants = sql`
    case when ${isChosen(key)} and ${stillManages({ ...on, userId: sql`${key.holderId}::int` })}
      ${key.actsAs === null ? empty : sql`and ${stillMay({ ...on, userId: sql`${key.actsAs.id}::int` }, 'submit')}`}
      then ${entry} else '[]'::json end`
  const isNear = key.formId === null ? sql`forms.project_id = ${key.projectId}` : sql`forms.id = ${key.formId}`
  const [form] = await listFormsBy(db, grants, sql`forms.id = ${formId} and ${isNear}`)
  return form === undefined ? undefined : withAccess(form)
}

const isOpened = (key: FoundKey): Sql => sql`
  ${isChosen(key)} and ${grantedForms(key.holderId, 'manage')}
  ${key.actsAs === null ? empty : sql`and ${grantedForms(key.actsAs.id, 'submit')}`}`

/** What a phone is shown, of a key that was found good. */
export const listFormsOfKey = (
  db: Db,
  key: FoundKey,
  asked: { readonly idString: string | undefined; readonly now: Date },
) => listCollectableBy(db, isOpened(key), asked)

/** Whether an empty list is the truth: the project has no form yet, or all that the key opens are closed. Not, where those that
 * there are have been taken from whoever holds it. */
export const isTrulyEmpty = async (db: Db, key: FoundKey): Promise<boolean> => {
  const { isOpen, hasForms } = await db.one<{ isOpen: boolean; hasForms: boolean }>(sql`
    select exists (select from forms where forms.deleted_at is null and ${isOpened(key)}) as "isOpen",
      exists (select from forms where forms.deleted_at is null and ${isChosen(key)}) as "hasForms"`)
  return isOpen || (key.hasAllForms && !hasForms)
}
