// Keys as those see them who manage the project.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { stillManages } from '../permissions/index.js'
import { isHeld } from './key-rights.queries.js'

export type KeyKind = 'device' | 'link' | 'draft'

export interface SeenDevice {
  readonly deviceId: string
  readonly agent: string
  readonly firstSeen: string
  readonly lastSeen: string
  readonly submissions: number
}

export interface DeviceKey {
  readonly id: number
  readonly kind: KeyKind
  /** Of a link or a draft: where its form is now. */
  readonly projectId: number
  readonly formId: number | null
  readonly name: string
  readonly hasAllForms: boolean
  readonly formIds: readonly number[]
  readonly actsAs: string | null
  readonly properties: Readonly<Record<string, unknown>>
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly revokedBy: string | null
  /** Since then it opens nothing: whoever held it had lost the right. */
  readonly stoppedAt: Date | null
  /** Whoever holds it has the right today. */
  readonly isHeld: boolean
  readonly mostRecords: number | null
  readonly isSingle: boolean
  readonly webformUrl: string | null
  readonly sealed: Buffer | null
  readonly records: number
  readonly lastSeen: Date | null
  readonly lastList: Date | null
  readonly lastSubmission: Date | null
  /** The latest first. */
  readonly devices: readonly SeenDevice[]
  /** The caller manages every form that it opens. */
  readonly isWhollyManaged: boolean
}

const nameOf = (column: Sql): Sql => sql`(select username from users where users.id = ${column})`

/** Of `keys` with their `present` form and project: no form that it opens is beyond the caller. */
const isWhollyManaged = sql`
  not exists (
    select from unmanaged forms
    where case when keys.form_id is not null then forms.id = keys.form_id
      else forms.project_id = keys.project_id and (keys.has_all_forms or exists (
        select from device_key_forms chosen
        where chosen.key_id = keys.id and chosen.form_id = forms.id and chosen.removed_at is null)) end)`

interface Listing {
  readonly callerId: number
  /** The forms that these keys may be for. */
  readonly formsOf: Sql
  readonly where: Sql
  readonly mostDevices: number
}

const select = ({ callerId, formsOf, where, mostDevices }: Listing): Sql => sql`
  with unmanaged as materialized (
    select forms.id, forms.project_id from forms
    where forms.deleted_at is null and ${formsOf} and not ${stillManages({
      formId: sql`forms.id`,
      projectId: sql`forms.project_id`,
      userId: sql`${callerId}::int`,
    })}
  )
  select keys.id, keys.kind, coalesce(present.project_id, keys.project_id) as "projectId", keys.form_id as "formId",
    keys.name, keys.has_all_forms as "hasAllForms", keys.properties,
    array(
      select chosen.form_id from device_key_forms chosen
      join forms on forms.id = chosen.form_id and forms.project_id = keys.project_id and forms.deleted_at is null
      where chosen.key_id = keys.id and chosen.removed_at is null order by chosen.form_id) as "formIds",
    ${nameOf(sql`keys.acts_as`)} as "actsAs", ${nameOf(sql`keys.created_by`)} as "createdBy",
    keys.created_at as "createdAt", keys.expires_at as "expiresAt", keys.revoked_at as "revokedAt",
    ${nameOf(sql`keys.revoked_by`)} as "revokedBy", keys.stopped_at as "stoppedAt", ${isHeld} as "isHeld",
    keys.most_records as "mostRecords", keys.is_single as "isSingle", keys.webform_url as "webformUrl",
    (select sealed from device_key_tokens where key_id = keys.id and sealed is not null) as sealed,
    coalesce((select sum(records) from device_key_counts where key_id = keys.id), 0)::int as records,
    seen.*, ${isWhollyManaged} as "isWhollyManaged"
  from device_keys keys
  left join forms present on present.id = keys.form_id
  cross join lateral (
    select max(last_seen) as "lastSeen", max(last_list) as "lastList", max(last_submission) as "lastSubmission"
    from device_key_devices where key_id = keys.id) seen_at
  cross join lateral (
    select seen_at.*, coalesce((
      select json_agg(json_build_object('deviceId', device_id, 'agent', agent, 'firstSeen', first_seen,
        'lastSeen', last_seen, 'submissions', submissions) order by last_seen desc, device_id)
      from (select * from device_key_devices where key_id = keys.id order by last_seen desc, device_id
        limit ${mostDevices}) latest), '[]') as devices) seen
  where keys.deleted_at is null and ${where}`

/** Newest first; links and drafts of its forms too. */
export const listKeysOfProject = (db: Db, callerId: number, projectId: number, mostDevices: number) =>
  db.rows<DeviceKey>(sql`
    ${select({
      callerId,
      formsOf: sql`forms.project_id = ${projectId}`,
      where: sql`(keys.form_id is null and keys.project_id = ${projectId} or present.project_id = ${projectId})`,
      mostDevices,
    })}
    order by keys.id desc`)

/** Newest first. */
export const listLinksOfForm = (db: Db, callerId: number, formId: number, mostDevices: number) =>
  db.rows<DeviceKey>(sql`
    ${select({
      callerId,
      formsOf: sql`forms.id = ${formId}`,
      where: sql`keys.form_id = ${formId} and keys.kind = 'link'`,
      mostDevices,
    })}
    order by keys.id desc`)

export const findKey = (db: Db, callerId: number, id: number, mostDevices: number) =>
  db.maybe<DeviceKey>(
    select({
      callerId,
      formsOf: sql`(forms.id = (select form_id from device_keys where id = ${id})
        or forms.project_id = (select project_id from device_keys where id = ${id} and form_id is null))`,
      where: sql`keys.id = ${id}`,
      mostDevices,
    }),
  )

export const countKeys = async (db: Db, projectId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from device_keys where project_id = ${projectId} and deleted_at is null`)
  ).count

export interface NewKey {
  readonly kind: KeyKind
  readonly projectId: number
  readonly formId: number | null
  readonly name: string
  readonly hasAllForms: boolean
  readonly actsAs: number | null
  readonly properties: Readonly<Record<string, unknown>>
  readonly by: number
  readonly expiresAt: Date | null
  readonly mostRecords: number | null
  readonly isSingle: boolean
}

export const insertKey = async (db: Db, key: NewKey, now: Date): Promise<number> =>
  (
    await db.one<{ id: number }>(sql`
      insert into device_keys (kind, project_id, form_id, name, has_all_forms, acts_as, properties, created_by, held_by,
        created_at, expires_at, most_records, is_single)
      values (${key.kind}, ${key.projectId}, ${key.formId}, ${key.name}, ${key.hasAllForms}, ${key.actsAs},
        ${JSON.stringify(key.properties)}, ${key.by}, ${key.by}, ${now}, ${key.expiresAt}, ${key.mostRecords},
        ${key.isSingle})
      returning id`)
  ).id

/** The row of a link is there from the beginning: its limit is counted under the lock of it. */
export const insertCount = (db: Db, keyId: number) =>
  db.run(sql`insert into device_key_counts (key_id, slot, records) values (${keyId}, 0, 0)`)

/** The former one dies in the same moment, but stays known. */
export const replaceKeyToken = async (
  db: Db,
  keyId: number,
  token: { readonly hash: string; readonly sealed: Buffer },
  now: Date,
): Promise<void> => {
  await db.run(sql`update device_key_tokens set sealed = null where key_id = ${keyId} and sealed is not null`)
  await db.run(sql`
    insert into device_key_tokens (token_hash, key_id, sealed, created_at)
    values (${token.hash}, ${keyId}, ${token.sealed}, ${now})`)
}

export interface KeyChanges {
  readonly name?: string | undefined
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  /** null takes it away. */
  readonly expiresAt?: Date | null | undefined
  readonly mostRecords?: number | null | undefined
}

/** Only what is given changes. */
export const updateKey = (db: Db, id: number, changes: KeyChanges) => {
  const { name, properties, expiresAt, mostRecords } = changes
  return db.run(sql`
    update device_keys set
      name = coalesce(${name ?? null}, name),
      properties = coalesce(${properties === undefined ? null : JSON.stringify(properties)}::jsonb, properties),
      expires_at = case when ${expiresAt === undefined} then expires_at else ${expiresAt ?? null}::timestamptz end,
      most_records = case when ${mostRecords === undefined} then most_records else ${mostRecords ?? null}::int end
    where id = ${id}`)
}

/** From now on it hands on the right of this person. */
export const holdKey = (db: Db, id: number, userId: number) =>
  db.run(sql`update device_keys set held_by = ${userId}, stopped_at = null where id = ${id}`)

/** The same for one that goes on under another name. False: it has ended for good. */
export const takeOverKey = async (
  db: Db,
  id: number,
  { name, by, now }: { readonly name: string; readonly by: number; readonly now: Date },
): Promise<boolean> =>
  (await db.run(sql`
    update device_keys set name = ${name}, held_by = ${by}, stopped_at = null
    where id = ${id} and revoked_at is null and deleted_at is null and (expires_at is null or expires_at > ${now})`)) >
  0

/** All forms of its project from now on, or the chosen ones. What it was for until now is remembered. */
export const chooseForms = async (db: Db, keyId: number, formIds: readonly number[] | 'all', now: Date) => {
  await db.run(sql`
    insert into device_key_forms (key_id, form_id, added_at, removed_at)
    select keys.id, forms.id, ${now}, ${now}
    from device_keys keys join forms on forms.project_id = keys.project_id and forms.deleted_at is null
    where keys.id = ${keyId} and keys.has_all_forms
    on conflict do nothing`)
  await db.run(sql`update device_keys set has_all_forms = ${formIds === 'all'} where id = ${keyId}`)
  await db.run(sql`
    update device_key_forms set removed_at = ${now}
    where key_id = ${keyId} and removed_at is null and form_id <> all(${formIds === 'all' ? [] : formIds}::int[])`)
  if (formIds !== 'all') await addForms(db, keyId, formIds, now)
}

export const addForms = (db: Db, keyId: number, formIds: readonly number[], now: Date) =>
  db.run(sql`
    insert into device_key_forms (key_id, form_id, added_at)
    select ${keyId}, form_id, ${now} from unnest(${formIds}::int[]) as given (form_id)
    on conflict (key_id, form_id) do update set added_at = excluded.added_at, removed_at = null
      where device_key_forms.removed_at is not null`)

/** Those of a project that somebody manages, of these. */
export const listManaged = async (
  db: Db,
  { userId, projectId }: { userId: number; projectId: number },
  formIds: readonly number[],
): Promise<number[]> => {
  const rows = await db.rows<{ id: number }>(sql`
    select forms.id from forms
    where forms.id = any(${formIds}::int[]) and forms.project_id = ${projectId} and forms.deleted_at is null
      and ${stillManages({ formId: sql`forms.id`, projectId: sql`forms.project_id`, userId: sql`${userId}::int` })}`)
  return rows.map(({ id }) => id)
}

/** Idempotent: the first time counts. */
export const revokeKeyRow = (db: Db, id: number, by: number, now: Date) =>
  db.run(sql`
    update device_keys set revoked_at = ${now}, revoked_by = ${by} where id = ${id} and revoked_at is null`)

/** Nobody sees it any more; its tokens stay known as former ones. */
export const deleteKeyRow = async (db: Db, id: number, now: Date): Promise<void> => {
  await db.run(sql`update device_keys set deleted_at = ${now} where id = ${id} and deleted_at is null`)
  await db.run(sql`update device_key_tokens set sealed = null where key_id = ${id}`)
  await db.run(sql`delete from device_key_devices where key_id = ${id}`)
}

export const setWebform = (db: Db, id: number, url: string | null) =>
  db.run(sql`update device_keys set webform_url = ${url} where id = ${id}`)

export const countLinks = async (db: Db, formId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from device_keys where form_id = ${formId} and kind = 'link' and deleted_at is null`)
  ).count
