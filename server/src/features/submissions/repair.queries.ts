// What was derived from the XML of records, stored anew where it was not what deriving gives now.
import { type Db, sql } from '../../platform/db/index.js'

interface RepairedRecord {
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
