// What is derived from the XML of records on its way into their rows.
import { join, named, type Sql, sql } from '../../platform/db/index.js'
import type { Derived } from './submission.js'

/** Everything but the answers, by the names of its columns. */
export const derivedColumns = (derived: Derived, xml: string) => ({
  uuid: derived.uuid,
  xml,
  version: derived.version,
  model_number: derived.modelNumber,
  root_name: derived.rootName,
  duration: derived.duration,
  latitude: derived.latitude,
  longitude: derived.longitude,
  media_total: derived.media.size,
})

export type ColumnTypes = readonly (readonly [name: string, type: Sql])[]

const [text, int, float8] = [sql`text`, sql`int`, sql`float8`]

/** The same with the answers, and the type of each. */
export const derivedColumnTypes: ColumnTypes = [
  ['uuid', text],
  ['xml', text],
  ['answers', sql`jsonb`],
  ['version', text],
  ['model_number', int],
  ['root_name', text],
  ['duration', sql`bigint`],
  ['latitude', float8],
  ['longitude', float8],
  ['media_total', int],
]

/** As `jsonb_to_recordset` wants them. */
export const typesOf = (columns: ColumnTypes): Sql => join(columns.map(([name, type]) => sql`${named(name)} ${type}`))

/** The columns of one row, bound one by one. */
export const boundRow = (columns: ColumnTypes, row: object): Sql => {
  const values = row as Readonly<Record<string, unknown>>
  return join(columns.map(([name, type]) => sql`${values[name]}::${type} as ${named(name)}`))
}

export const derivedTypes: Sql = typesOf(derivedColumnTypes)

/** One JSON text for all rows: arrays of texts are escaped character by character, and megabytes of quotes took seconds and
 * gigabytes. The answers are JSON already. */
export const rowsText = <T>(items: readonly T[], columns: (item: T) => object, answers: (item: T) => string): string =>
  `[${items.map((item) => `${JSON.stringify(columns(item)).slice(0, -1)},"answers":${answers(item)}}`).join(',')}]`
