import { type Db, empty, type Sql, sql } from '../../../platform/db/index.js'

export interface Metadata {
  readonly id: number
  readonly formId: number | null
  readonly projectId: number | null
  readonly submissionId: number | null
  readonly dataType: string
  readonly dataValue: string
  readonly fileKey: string | null
  readonly fileType: string
  readonly fileHash: string
  readonly fileBytes: number | null
  readonly extra: Record<string, unknown>
  readonly createdAt: Date
}

const select = sql`
  select id, form_id as "formId", project_id as "projectId", submission_id as "submissionId", data_type as "dataType",
    data_value as "dataValue", file_key as "fileKey", file_type as "fileType", file_hash as "fileHash",
    file_bytes as "fileBytes", extra, created_at as "createdAt"
  from metadata where deleted_at is null`

export const findMetadata = (db: Db, id: number) => db.maybe<Metadata>(sql`${select} and id = ${id}`)

export interface MetadataFilter {
  readonly formIds?: readonly number[]
  readonly projectIds?: readonly number[]
  readonly submissionId?: number | undefined
  readonly dataType?: string | undefined
}

/** Of these forms or these projects. What hangs on a single submission is listed only when it is asked for. */
export const listMetadata = (db: Db, { formIds = [], projectIds = [], submissionId, dataType }: MetadataFilter) => {
  const ofSubmission: Sql =
    submissionId === undefined ? sql`submission_id is null` : sql`submission_id = ${submissionId}`
  return db.rows<Metadata>(sql`
    ${select} and (form_id = any(${formIds}::int[]) or project_id = any(${projectIds}::int[])) and ${ofSubmission}
    ${dataType === undefined ? empty : sql`and data_type = ${dataType}`} order by id`)
}

export interface NewMetadata {
  formId?: number | undefined
  projectId?: number | undefined
  submissionId?: number | undefined
  dataType: string
  dataValue: string
  file?: { key: string; type: string; md5: string; bytes: number } | undefined
  extra?: Record<string, unknown> | undefined
  createdBy: number
  now: Date
}

/** Constraint: metadata__unique. */
export const insertMetadata = async (db: Db, one: NewMetadata): Promise<number> =>
  (
    await db.one<{ id: number }>(sql`
      insert into metadata (form_id, project_id, submission_id, data_type, data_value, file_key, file_type, file_hash,
        file_bytes, extra, created_by, created_at, modified_at)
      values (${one.formId ?? null}, ${one.projectId ?? null}, ${one.submissionId ?? null}, ${one.dataType},
        ${one.dataValue}, ${one.file?.key ?? null}, ${one.file?.type ?? ''},
        ${one.file === undefined ? '' : `md5:${one.file.md5}`}, ${one.file?.bytes ?? null},
        ${JSON.stringify(one.extra ?? {})}::jsonb, ${one.createdBy}, ${one.now}, ${one.now})
      returning id`)
  ).id

export const deleteMetadata = (db: Db, id: number, now: Date) =>
  db.run(sql`update metadata set deleted_at = ${now}, modified_at = ${now} where id = ${id} and deleted_at is null`)

/** Before a newer file of the same name takes its place. */
export const deleteFormMetadata = (db: Db, formId: number, which: { dataType: string; dataValue: string }, now: Date) =>
  db.run(sql`
    update metadata set deleted_at = ${now}, modified_at = ${now}
    where form_id = ${formId} and submission_id is null and data_type = ${which.dataType}
      and data_value = ${which.dataValue} and deleted_at is null`)

/** For a type of which a form has one entry at most. */
export const deleteFormMetadataOfType = (db: Db, formId: number, dataType: string, now: Date) =>
  db.run(sql`
    update metadata set deleted_at = ${now}, modified_at = ${now}
    where form_id = ${formId} and submission_id is null and data_type = ${dataType} and deleted_at is null`)

/** Changes the value of the one entry of its type; answers its id, if there is one. */
export const updateFormMetadata = async (
  db: Db,
  { formId, dataType, dataValue }: { formId: number; dataType: string; dataValue: string },
  now: Date,
): Promise<number | undefined> =>
  (
    await db.maybe<{ id: number }>(sql`
      update metadata set data_value = ${dataValue}, modified_at = ${now}
      where form_id = ${formId} and submission_id is null and data_type = ${dataType} and deleted_at is null
      returning id`)
  )?.id

/** What hangs on something that goes, as an update to stand in the statement that deletes it. */
export const metadataGone = (condition: Sql, now: Date): Sql => sql`
  update metadata set deleted_at = ${now}, modified_at = ${now} where (${condition}) and deleted_at is null`

/** Documents of records that are removed for good, as a delete to stand in the WITH of the statement that removes them.
 * `records` is the name of a relation with the column id. */
export const removedDocuments = (formId: number, records: Sql): Sql => sql`
  delete from metadata using ${records}
  where metadata.form_id = ${formId} and metadata.submission_id = ${records}.id
  returning metadata.file_key`

/** Links that hand nothing on any more; answers those that nobody else has stopped. */
export const stopLinks = async (tx: Db, ids: readonly number[], now: Date): Promise<number[]> =>
  (
    await tx.rows<{ id: number }>(sql`
      update metadata set link_stopped_at = ${now}
      where id = any(${ids}::int[]) and link_stopped_at is null and deleted_at is null
      returning id`)
  ).map(({ id }) => id)
