// What is derived from the XML of records on its way into their rows.
import { type Sql, sql } from '../../platform/db/index.js'
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

/** The same for `jsonb_to_recordset`, with the answers. */
export const derivedTypes: Sql = sql`
  uuid text, xml text, answers jsonb, version text, model_number int, root_name text, duration bigint, latitude float8,
  longitude float8, media_total int`

/** One JSON text for all rows: arrays of texts are escaped character by character, and megabytes of quotes took seconds and
 * gigabytes. The answers are JSON already. */
export const rowsText = <T>(items: readonly T[], columns: (item: T) => object, answers: (item: T) => string): string =>
  `[${items.map((item) => `${JSON.stringify(columns(item)).slice(0, -1)},"answers":${answers(item)}}`).join(',')}]`
