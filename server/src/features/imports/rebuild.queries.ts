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

export interface RepairedRecord {
  readonly id: number
  readonly changeNo: number
  readonly answers: string
  readonly version: string
  readonly rootName: string
  readonly duration: number | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly mediaTotal: number
}

/** Only what has not changed since it was read; answers the ids of these. */
export const repairRecords = async (
  db: Db,
  formId: number,
  records: readonly RepairedRecord[],
  now: Date,
): Promise<Set<number>> => {
  const column = <T>(pick: (one: RepairedRecord) => T): T[] => records.map(pick)
  const rows = await db.rows<{ id: number }>(sql`
    with change as materialized (select next_change() as no)
    update submissions set answers = given.answers::jsonb, version = given.version, root_name = given.root_name,
      duration = given.duration, latitude = given.latitude, longitude = given.longitude,
      media_total = given.media_total, modified_at = ${now}, change_no = change.no
    from change cross join unnest(
      ${column(({ id }) => id)}::bigint[], ${column(({ changeNo }) => changeNo)}::bigint[],
      ${column(({ answers }) => answers)}::text[], ${column(({ version }) => version)}::text[],
      ${column(({ rootName }) => rootName)}::text[], ${column(({ duration }) => duration)}::bigint[],
      ${column(({ latitude }) => latitude)}::float8[], ${column(({ longitude }) => longitude)}::float8[],
      ${column(({ mediaTotal }) => mediaTotal)}::int[]
    ) as given (id, change_no, answers, version, root_name, duration, latitude, longitude, media_total)
    where submissions.form_id = ${formId} and submissions.id = given.id and submissions.change_no = given.change_no
    returning submissions.id`)
  return new Set(rows.map(({ id }) => id))
}

/** What is history does not change otherwise. */
export const repairVersions = (
  db: Db,
  formId: number,
  versions: readonly { id: number; number: number; answers: string; version: string }[],
) =>
  db.run(sql`
    update submission_versions set answers = given.answers::jsonb, version = given.version
    from unnest(${versions.map(({ id }) => id)}::bigint[], ${versions.map(({ number }) => number)}::int[],
      ${versions.map(({ answers }) => answers)}::text[], ${versions.map(({ version }) => version)}::text[]
    ) as given (id, number, answers, version)
    where form_id = ${formId} and submission_id = given.id and submission_versions.number = given.number`)
