// The files that go with a draft: its own copy of those of the form, until it is published.
import { type Db, sql } from '../../platform/db/index.js'
import { abandonedFiles } from '../uploads/index.js'

export interface DraftMedia {
  readonly id: number
  /** Of a link: the link. */
  readonly name: string
  readonly change: 'kept' | 'added' | 'removed'
  /** Of a link: the form's own entry. */
  readonly metadataId: number | null
  readonly fileKey: string | null
  readonly fileType: string
  readonly fileHash: string
  readonly fileBytes: number | null
}

const columns = sql`
  id, name, change, metadata_id as "metadataId", file_key as "fileKey", file_type as "fileType", file_hash as "fileHash",
  file_bytes as "fileBytes"`

export const listDraftMedia = (db: Db, draftId: number) =>
  db.rows<DraftMedia>(sql`select ${columns} from draft_media where draft_id = ${draftId} order by id`)

export const findDraftMedia = (db: Db, draftId: number, id: number) =>
  db.maybe<DraftMedia>(sql`
    select ${columns} from draft_media where draft_id = ${draftId} and id = ${id} and change <> 'removed'`)

/** As the form has them now. Bytes in the store never change, so a copy of the row is a copy of the file. */
export const copyMedia = (tx: Db, draftId: number, formId: number) =>
  tx.run(sql`
    insert into draft_media (draft_id, name, change, metadata_id, file_key, file_type, file_hash, file_bytes)
    select distinct on (data_value) ${draftId}, data_value, 'kept', case when file_key is null then id end, file_key,
      file_type, file_hash, file_bytes
    from metadata
    where form_id = ${formId} and submission_id is null and data_type = 'media' and deleted_at is null
    order by data_value, id desc`)

export interface AddedFile {
  readonly name: string
  readonly key: string
  readonly type: string
  readonly md5: string
  readonly bytes: number
}

/** In place of one of the same name; the bytes of one that this draft had added before are no longer needed. */
export const putDraftFile = async (tx: Db, draftId: number, file: AddedFile): Promise<number> => {
  await tx.run(sql`
    with former as (
      select file_key from draft_media
      where draft_id = ${draftId} and name = ${file.name} and change = 'added' and file_key is not null)
    ${abandonedFiles({ keys: sql`select file_key from former`, isKept: false })}`)
  const { id } = await tx.one<{ id: number }>(sql`
    insert into draft_media (draft_id, name, change, file_key, file_type, file_hash, file_bytes)
    values (${draftId}, ${file.name}, 'added', ${file.key}, ${file.type}, ${`md5:${file.md5}`}, ${file.bytes})
    on conflict (draft_id, name) do update set change = 'added', metadata_id = null, file_key = excluded.file_key,
      file_type = excluded.file_type, file_hash = excluded.file_hash, file_bytes = excluded.file_bytes
    returning id`)
  return id
}

/** What the form has stays remembered as taken out, until publishing takes it out there. */
export const removeDraftFile = (tx: Db, draftId: number, id: number) =>
  tx.run(sql`
    with gone as (
      select id, change, file_key from draft_media where draft_id = ${draftId} and id = ${id} and change <> 'removed'),
    marked as (
      update draft_media set change = 'removed', file_key = null, file_bytes = null, metadata_id = null
      from gone where draft_media.id = gone.id)
    ${abandonedFiles({
      keys: sql`select file_key from gone where change = 'added' and file_key is not null`,
      isKept: false,
    })}`)
