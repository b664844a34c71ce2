import { type Db, empty, type Sql, sql } from '../../../platform/db/index.js'
import { fetched } from '../reading/index.js'
import type { Slice } from '../selection/index.js'

export interface MediaFile {
  readonly id: number
  readonly submissionId: number
  readonly uuid: string
  readonly name: string
  readonly question: string | null
  readonly mimetype: string
  readonly bytes: number
  readonly sha256: string
  readonly fileKey: string
  readonly createdAt: Date
}

/** Files of the records of a slice, in its order. */
export const mediaFiles = (
  tx: Db,
  {
    slice,
    formId,
    question,
    ids,
  }: {
    readonly slice: Slice
    readonly formId: number
    readonly question: string | undefined
    readonly ids: readonly number[] | undefined
  },
): AsyncGenerator<MediaFile> => {
  const records: Sql = sql`
    select submissions.id, submissions.uuid, row_number() over (order by ${slice.order}) as place
    from submissions ${slice.joins} where ${slice.where} order by ${slice.order}
    ${slice.limit === null ? empty : sql`limit ${slice.limit}::bigint`} offset ${slice.offset}::bigint`
  return fetched<MediaFile>(
    tx,
    sql`
    select attachments.id, attachments.submission_id as "submissionId", records.uuid, attachments.name,
      attachments.question, attachments.mimetype, attachments.bytes, attachments.sha256,
      attachments.file_key as "fileKey", attachments.created_at as "createdAt"
    from (${records}) records join attachments
      on attachments.form_id = ${formId} and attachments.submission_id = records.id and attachments.deleted_at is null
    where true ${question === undefined ? empty : sql`and attachments.question = ${question}`}
    ${ids === undefined ? empty : sql`and attachments.id = any(${ids}::bigint[])`}
    order by records.place, attachments.id`,
  )
}
