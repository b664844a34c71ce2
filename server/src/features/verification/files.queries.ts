// Every file that some row names, in the order of their keys: to be compared with what the store lists in the same order.
import { acrossForms, type Db, type Sql, sql } from '../../platform/db/index.js'

export interface NamedFile {
  readonly key: string
  /** What names it, for people. */
  readonly what: string
  /** Null where nobody wrote it down. */
  readonly bytes: number | null
  readonly sha256: string | null
  readonly md5: string | null
  /** On its way: it may be there or not. */
  readonly isPending: boolean
}

const rowsOfFiles = sql`
  select file_key as key, 'file ' || id || ' of record ' || submission_id || ' of form ' || form_id as what, bytes,
    sha256, md5, false as "isPending"
  from attachments
  union all
  select file_key, data_type || ' ' || id, file_bytes, null, nullif(replace(file_hash, 'md5:', ''), ''), false
  from metadata where file_key is not null
  union all
  select source_key, 'definition ' || number || ' of form ' || form_id, null, null, null, false
  from form_versions where source_key is not null
  union all
  select source_key, 'draft of form ' || form_id, null, null, null, false from form_drafts
  union all
  select file_key, 'media ' || id || ' of a draft', file_bytes, null, nullif(replace(file_hash, 'md5:', ''), ''), false
  from draft_media where file_key is not null
  union all
  select file_key, 'file ' || id || ' of a draft', bytes, sha256, md5, false from draft_files
  union all
  select file_key, 'export ' || id, bytes, sha256, null, false from exports where file_key is not null
  union all
  select file_key, 'import ' || id, null, null, null, false from imports where file_key is not null
  union all
  select file_key, 'a linked file of metadata ' || metadata_id, bytes, null, md5, false
  from linked_files where file_key is not null
  union all
  select file_key, 'an upload', null, null, null, true from pending_files`

/** Keys in the order of their bytes, as stores list them. */
export const namedFiles: Sql = acrossForms(
  'verify and backup go through every file there is',
  sql`select * from (${rowsOfFiles}) files order by key collate "C"`,
)

/** Which of these are named now, and not on their way. */
export const stillNamed = async (db: Db, keys: readonly string[]): Promise<Set<string>> => {
  const rows = await db.rows<{ key: string }>(
    acrossForms(
      'verify looks again for files that it missed',
      sql`
    select distinct key from (${rowsOfFiles}) files where key = any(${keys}::text[]) and not "isPending"`,
    ),
  )
  return new Set(rows.map(({ key }) => key))
}
