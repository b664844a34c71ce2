// Slices of a list as JSON text, made by the database: as one text where it is small, else as a stream of lines.
import { budgets } from '../../../budgets.js'
import { type ByteStream, type Database, type Db, empty, type Sql, scan, sql } from '../../../platform/db/index.js'
import { builtinFields, type RecordForm, recordFields, recordJoins, recordText } from '../../submissions/index.js'
import type { Slice } from '../selection/index.js'

export const textOf = (form: RecordForm, fields: readonly string[] | undefined): Sql =>
  fields === undefined ? recordText(form) : recordFields(form, fields)

/** The id of a record, a blank, and the record. */
export const numberedText = (form: RecordForm, fields: readonly string[] | undefined): Sql =>
  sql`concat(submissions.id, ' ', ${textOf(form, fields)})`

/** The same slice, in which skipped records are passed over by their ids alone: they are not written out first. */
export const withoutOffset = (slice: Slice): Slice =>
  slice.offset === 0 || slice.limit === null
    ? slice
    : {
        formId: slice.formId,
        joins: sql`join (
          select submissions.id from submissions ${slice.joins} where ${slice.where}
          order by ${slice.order} limit ${slice.limit}::bigint offset ${slice.offset}::bigint
        ) kept on kept.id = submissions.id`,
        where: sql`submissions.form_id = ${slice.formId}::int`,
        order: slice.order,
        offset: 0,
        limit: slice.limit,
      }

/** The rows of a slice in its order, each with these columns. */
export const rowsOf = (slice: Slice, columns: Sql): Sql => {
  const { joins, where, order, limit, offset } = withoutOffset(slice)
  return sql`
    select ${columns} from submissions ${joins} ${recordJoins} where ${where} order by ${order}
    ${limit === null ? empty : sql`limit ${limit}::bigint`} offset ${offset}::bigint`
}

/** The answers of each record of a slice. */
export const answersOf = (slice: Slice): Sql => rowsOf(slice, sql`submissions.answers`)

/** The records with commas between them; undefined when they are too large to be kept in memory. */
export const findPageText = async (db: Db, slice: Slice, text: Sql): Promise<string | undefined> => {
  const statement = sql`
    select case when coalesce(sum(octet_length(record)), 0) <= ${budgets.answers.textBytes}::int
      then coalesce(string_agg(record, ','), '') end as records
    from (${rowsOf(slice, sql`${text} as record`)}) page`
  const { records } = await db.one<{ records: string | null }>(slice.isSearch ? scan(statement) : statement)
  return records ?? undefined
}

/** What stands between the columns of a line. */
export const betweenColumns = '\x02'

/** Lines as they are: JSON has no control characters, so nothing in it needs a quote or ends a field. */
export const rawLines = (statement: Sql): Sql =>
  sql`copy (${statement}) to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`

/** One JSON value a line. */
export const copyLines = (db: Database, slice: Slice, text: Sql): Promise<ByteStream> =>
  db.copyTo(rawLines(rowsOf(slice, text)))

/** As `copyLines`, each behind a comma: with brackets around it, and without the first one, it is a JSON list. */
export const copyListed = (db: Database, slice: Slice, text: Sql): Promise<ByteStream> =>
  db.copyTo(rawLines(rowsOf(slice, sql`',' || ${text}`)))

/** `[record without answers, "XML as received", "time of submission"]`: the answers are in the XML. */
export const textWithXml = (form: RecordForm): Sql => sql`
  concat('[', ${recordFields(form, builtinFields)}, ',', to_json(submissions.xml), ',',
    to_json(to_char(submissions.submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')), ']')`
