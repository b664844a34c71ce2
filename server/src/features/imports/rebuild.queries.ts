// Records and their former versions with all that was derived from their XML, a page at a time in the order of the key.
import { type Db, type Sql, sql } from '../../platform/db/index.js'

export interface StoredVersion {
  readonly id: number
  readonly xml: string
  /** As JSON text. */
  readonly answers: string
  readonly version: string
  readonly modelNumber: number
}

export interface FormerVersion extends StoredVersion {
  readonly number: number
}

export interface StoredRecord extends StoredVersion {
  readonly rootName: string
  readonly duration: number | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly mediaTotal: number
  readonly changeNo: number
  readonly isDeleted: boolean
}

const mostRows = 500
/** One row at least; a submission may have ten megabytes. */
const mostBytes = 4 * 1024 * 1024

const withinBytes = (rows: Sql, order: Sql): Sql => sql`
  select * from (
    select *, sum(octet_length(xml)) over (order by ${order}) - octet_length(xml) as "bytesBefore" from (${rows}) page
  ) measured
  where "bytesBefore" < ${mostBytes} order by ${order}`

/** Deleted ones too. */
export const listRecordsAfter = (db: Db, formId: number, after: number) =>
  db.rows<StoredRecord>(
    withinBytes(
      sql`
        select id, xml, answers::text as answers, version, model_number as "modelNumber", root_name as "rootName",
          duration, latitude, longitude, media_total as "mediaTotal", change_no as "changeNo",
          deleted_at is not null as "isDeleted"
        from submissions where form_id = ${formId} and id > ${after} order by id limit ${mostRows}`,
      sql`id`,
    ),
  )

export const listVersionsAfter = (db: Db, formId: number, after: { id: number; number: number }) =>
  db.rows<FormerVersion>(
    withinBytes(
      sql`
        select submission_id as id, number, xml, answers::text as answers, version, model_number as "modelNumber"
        from submission_versions
        where form_id = ${formId} and (submission_id, number) > (${after.id}, ${after.number})
        order by submission_id, number limit ${mostRows}`,
      sql`id, number`,
    ),
  )
