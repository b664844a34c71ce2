// Entries of repeats as rows. A record may have 100,000 of them, and `jsonb_path_query` moves all that are left each time
// it answers one: 7.7 s for such a record, against 0.4 s by the elements of a list.
import { type Sql, sql } from '../../platform/db/index.js'

/** The entries of a repeat that a record, or an entry, holds: behind `from` or `lateral`. */
export const entriesIn = (holder: Sql, repeat: string): Sql => sql`
  jsonb_array_elements(
    case when jsonb_typeof(${holder} -> ${repeat}::text) = 'array' then ${holder} -> ${repeat}::text end)`

/** All that lies at a path. */
export const valuesAt = (holder: Sql, path: Sql): Sql =>
  sql`jsonb_array_elements(jsonb_path_query_array(${holder}, ${path}))`

/** The same as text. */
export const textsAt = (holder: Sql, path: Sql): Sql =>
  sql`jsonb_array_elements_text(jsonb_path_query_array(${holder}, ${path}))`
