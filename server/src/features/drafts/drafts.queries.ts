// The drafts of forms and the files that go with them.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { abandonedFiles } from '../uploads/index.js'

export interface FormDraft {
  readonly id: number
  /** Another one with every save. */
  readonly revision: number
  readonly formId: number
  readonly keyId: number
  readonly version: string
  /** The version of the form that it was made beside; null: there was none. */
  readonly basedOn: string | null
  readonly title: string
  readonly hash: string
  readonly publicKey: string
  readonly sourceKey: string
  readonly sourceName: string
  readonly warnings: readonly string[]
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly savedBy: string | null
  readonly savedAt: Date
  readonly records: number
}

const columns = sql`
  drafts.id, drafts.revision, drafts.form_id as "formId", drafts.key_id as "keyId", drafts.version,
  drafts.based_on as "basedOn", drafts.title, drafts.hash,
  drafts.public_key as "publicKey", drafts.source_key as "sourceKey", drafts.source_name as "sourceName",
  drafts.warnings, drafts.created_at as "createdAt", drafts.saved_at as "savedAt",
  (select username from users where users.id = drafts.created_by) as "createdBy",
  (select username from users where users.id = drafts.saved_by) as "savedBy",
  (select count(*)::int from draft_records records where records.draft_id = drafts.id) as records`

export const findDraft = (db: Db, formId: number) =>
  db.maybe<FormDraft>(sql`select ${columns} from form_drafts drafts where drafts.form_id = ${formId}`)

/** What this person has made under this uuid, and nobody has published since. */
export const findMade = async (db: Db, made: { projectId: number; createdBy: number; uuid: string }) =>
  (
    await db.maybe<{ id: number }>(sql`
      select id from forms
      where uuid = ${made.uuid} and project_id = ${made.projectId} and created_by = ${made.createdBy}
        and state = 'draft' and deleted_at is null`)
  )?.id

/** What devices and the plan read: the XForm and its model. */
export const getDraftTexts = (db: Db, draftId: number) =>
  db.maybe<{ xml: string; model: string }>(sql`
    select xml, model::text as model from form_drafts where id = ${draftId}`)

export interface DeviceDraft {
  readonly id: number
  readonly formId: number
  readonly idString: string
  readonly uuid: string
  readonly version: string
  readonly title: string
  readonly description: string
  readonly hash: string
  readonly publicKey: string
  readonly owner: string
  readonly hasMedia: boolean
}

/** Undefined: it was published or thrown away. */
export const findDraftOfKey = (db: Db, keyId: number) =>
  db.maybe<DeviceDraft>(sql`
    select drafts.id, drafts.form_id as "formId", forms.id_string as "idString", forms.uuid, drafts.version, drafts.title,
      forms.description, drafts.hash, drafts.public_key as "publicKey", owners.username as owner,
      exists (select from draft_media media where media.draft_id = drafts.id and media.change <> 'removed') as "hasMedia"
    from form_drafts drafts
    join forms on forms.id = drafts.form_id and forms.deleted_at is null
    join users owners on owners.id = forms.owner_id
    where drafts.key_id = ${keyId}`)

/** Held until the transaction ends: what is sent to a draft is counted by one at a time, and a draft that is there now stays
 * for as long. */
export const lockDraft = async (tx: Db, draftId: number): Promise<boolean> =>
  (await tx.run(sql`select from form_drafts where id = ${draftId} for update`)) > 0

/** As `lockDraft`, for whoever holds the form: what is saved, published or thrown away waits for what phones and other people are
 * adding to it, and nothing is added afterwards. */
export const findDraftLocked = async (tx: Db, formId: number) => {
  await tx.run(sql`select from form_drafts where form_id = ${formId} for update`)
  return findDraft(tx, formId)
}

export interface NewDraft {
  readonly formId: number
  readonly keyId: number
  readonly version: string
  readonly basedOn: string | null
  readonly title: string
  readonly xml: string
  readonly hash: string
  /** As JSON text. */
  readonly model: string
  readonly publicKey: string
  readonly source: { readonly key: string; readonly name: string }
  readonly warnings: readonly string[]
  readonly savedBy: number
  readonly now: Date
}

/** Constraint: form_drafts_pkey, where there is one. */
export const insertDraft = async (tx: Db, draft: NewDraft): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into form_drafts (form_id, key_id, version, based_on, title, xml, hash, model, public_key, source_key,
        source_name, warnings, created_by, created_at, saved_by, saved_at)
      values (${draft.formId}, ${draft.keyId}, ${draft.version}, ${draft.basedOn}, ${draft.title}, ${draft.xml},
        ${draft.hash}, ${draft.model}::json, ${draft.publicKey}, ${draft.source.key}, ${draft.source.name},
        ${draft.warnings}::text[], ${draft.savedBy}, ${draft.now}, ${draft.savedBy}, ${draft.now})
      returning id`)
  ).id

/** In place of what was there. The files that go with it stay, and what was sent to it, each by its version. */
export const replaceDraft = async (tx: Db, former: number, draft: Omit<NewDraft, 'basedOn'>): Promise<void> => {
  await tx.run(
    abandonedFiles({
      keys: sql`select source_key as file_key from form_drafts where id = ${former}`,
      isKept: false,
    }),
  )
  await tx.run(sql`
    update form_drafts set revision = default, key_id = ${draft.keyId}, version = ${draft.version},
      title = ${draft.title}, xml = ${draft.xml}, hash = ${draft.hash}, model = ${draft.model}::json,
      public_key = ${draft.publicKey}, source_key = ${draft.source.key}, source_name = ${draft.source.name},
      warnings = ${draft.warnings}::text[], saved_by = ${draft.savedBy}, saved_at = ${draft.now}
    where id = ${former}`)
}

/** Removes drafts with all that was sent to them. `leaving`: what becomes part of the form keeps its files. Files of the others
 * are left to the purge of files that belong to nothing: the next one removes them. */
const removed = (chosen: Sql, leaving: 'nothing' | 'definition'): Sql => sql`
  with chosen as materialized (${chosen}),
  files as (delete from draft_files using chosen where draft_files.draft_id = chosen.id returning draft_files.file_key),
  records as (delete from draft_records using chosen where draft_records.draft_id = chosen.id),
  media as (
    delete from draft_media using chosen where draft_media.draft_id = chosen.id
    returning draft_media.file_key, draft_media.change),
  gone as (delete from form_drafts using chosen where form_drafts.id = chosen.id returning form_drafts.source_key)
  ${abandonedFiles({
    keys:
      leaving === 'definition'
        ? sql`select file_key from files`
        : sql`
          select file_key from files
          union all select file_key from media where change = 'added' and file_key is not null
          union all select source_key from gone`,
    isKept: false,
  })}`

export const deleteDraft = (tx: Db, draftId: number) => tx.run(removed(sql`select ${draftId}::bigint as id`, 'nothing'))

/** Its definition and its files are the form's own now. */
export const releaseDraft = (tx: Db, draftId: number) =>
  tx.run(removed(sql`select ${draftId}::bigint as id`, 'definition'))

/** Of forms and projects that were deleted. Locked first: what somebody is adding to them goes, too. */
export const deleteOrphanedDrafts = (db: Db) =>
  db.transaction(async (tx) => {
    const drafts = await tx.rows<{ id: number }>(sql`
      select drafts.id from form_drafts drafts
      join forms on forms.id = drafts.form_id join projects on projects.id = forms.project_id
      where forms.deleted_at is not null or projects.deleted_at is not null
      order by drafts.id for update of drafts`)
    await tx.run(removed(sql`select unnest(${drafts.map(({ id }) => id)}::bigint[]) as id`, 'nothing'))
  })
