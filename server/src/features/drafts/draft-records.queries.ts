// What is sent to drafts. It lies apart from records, so nothing that counts, exports or forwards those ever meets it.
import { type Db, sql } from '../../platform/db/index.js'
import type { ReceivedFile } from '../submissions/index.js'
import { abandonedFiles, takeFiles } from '../uploads/index.js'

export interface DraftFile {
  readonly id: number
  readonly name: string
  readonly mimetype: string
  readonly bytes: number
}

export interface DraftRecord {
  readonly id: number
  readonly uuid: string
  readonly answers: Readonly<Record<string, unknown>>
  readonly version: string
  readonly mediaTotal: number
  readonly deviceId: string | null
  readonly receivedAt: Date
  readonly files: readonly DraftFile[]
}

/** The oldest first. */
export const listDraftRecords = (db: Db, draftId: number) =>
  db.rows<DraftRecord>(sql`
    select records.id, records.uuid, records.answers, records.version, records.media_total as "mediaTotal",
      records.device_id as "deviceId", records.received_at as "receivedAt",
      coalesce((
        select json_agg(json_build_object('id', files.id, 'name', files.name, 'mimetype', files.mimetype,
          'bytes', files.bytes) order by files.id)
        from draft_files files where files.draft_id = records.draft_id and files.uuid = records.uuid), '[]') as files
    from draft_records records where records.draft_id = ${draftId} order by records.id`)

export interface Load {
  readonly records: number
  readonly xmlBytes: number
  readonly fileBytes: number
}

export const loadOfDraft = (db: Db, draftId: number) =>
  db.one<Load>(sql`
    select count(*)::int as records, coalesce(sum(octet_length(xml)), 0)::bigint as "xmlBytes",
      (select coalesce(sum(bytes), 0)::bigint from draft_files where draft_id = ${draftId}) as "fileBytes"
    from draft_records where draft_id = ${draftId}`)

export interface NewDraftRecord {
  readonly uuid: string
  readonly xml: string
  /** As JSON text. */
  readonly answers: string
  readonly version: string
  readonly mediaTotal: number
  readonly deviceId: string | null
  readonly now: Date
}

/** False: the draft has had this instance id before. */
export const insertDraftRecord = async (tx: Db, draftId: number, record: NewDraftRecord): Promise<boolean> =>
  (await tx.run(sql`
    insert into draft_records (draft_id, uuid, xml, answers, version, media_total, device_id, received_at)
    values (${draftId}, ${record.uuid}, ${record.xml}, ${record.answers}::json, ${record.version}, ${record.mediaTotal},
      ${record.deviceId}, ${record.now})
    on conflict do nothing`)) > 0

/** Those that the record has not got yet; answers their keys in the store. */
export const addDraftFiles = async (
  tx: Db,
  draftId: number,
  uuid: string,
  files: readonly ReceivedFile[],
): Promise<string[]> => {
  const column = <T>(pick: (file: ReceivedFile) => T): T[] => files.map(pick)
  const rows = await tx.rows<{ key: string }>(sql`
    insert into draft_files (draft_id, uuid, name, file_key, mimetype, bytes, sha256, md5)
    select ${draftId}, ${uuid}, * from unnest(${column(({ name }) => name)}::text[], ${column(({ key }) => key)}::text[],
      ${column(({ mimetype }) => mimetype)}::text[], ${column(({ bytes }) => bytes)}::bigint[],
      ${column(({ sha256 }) => sha256)}::text[], ${column(({ md5 }) => md5)}::text[])
    on conflict do nothing
    returning file_key as key`)
  const keys = rows.map(({ key }) => key)
  await takeFiles(tx, keys)
  return keys
}

export interface StoredDraftFile extends DraftFile {
  readonly fileKey: string
  readonly sha256: string
}

export const findDraftFile = (db: Db, draftId: number, id: number) =>
  db.maybe<StoredDraftFile>(sql`
    select id, name, mimetype, bytes, file_key as "fileKey", sha256
    from draft_files where draft_id = ${draftId} and id = ${id}`)

/** The draft itself stays, and so do its key and the files that go with it. */
export const deleteDraftRecords = (tx: Db, draftId: number) =>
  tx.run(sql`
    with files as (delete from draft_files where draft_id = ${draftId} returning file_key),
    records as (delete from draft_records where draft_id = ${draftId})
    ${abandonedFiles({ keys: sql`select file_key from files`, isKept: false })}`)

/** Nobody looks at what was tried a month ago. */
export const deleteOldDraftRecords = (db: Db, before: Date) =>
  db.run(sql`
    with old as materialized (select draft_id, uuid from draft_records where received_at < ${before}),
    files as (
      delete from draft_files using old where draft_files.draft_id = old.draft_id and draft_files.uuid = old.uuid
      returning draft_files.file_key),
    records as (
      delete from draft_records using old where draft_records.draft_id = old.draft_id and draft_records.uuid = old.uuid)
    ${abandonedFiles({ keys: sql`select file_key from files`, isKept: false })}`)
