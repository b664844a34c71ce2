// What the parser does not know of a statement's names: which columns tables have, and which functions change something.
import { type Database, sql } from '../../../src/platform/db/index.js'

export interface Catalog {
  /** Table or view → its columns. */
  readonly columns: Readonly<Record<string, readonly string[]>>
  /** Names of functions that give something else each time, or change something. */
  readonly volatile: readonly string[]
  /** Names of functions that depend on the settings of a session. */
  readonly stable: readonly string[]
}

interface Named {
  readonly name: string
}

export const readCatalog = async (db: Pick<Database, 'rows'>): Promise<Catalog> => {
  const tables = await db.rows<{ name: string; columns: string[] }>(sql`
    select relname as name, array_agg(attname::text) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind in ('r', 'p', 'v') and relnamespace = 'public'::regnamespace
    group by relname`)
  const volatile = await db.rows<Named>(sql`select distinct proname as name from pg_proc where provolatile = 'v'`)
  // Of several with one name, the parser does not know which is meant: these say nothing.
  const stable = await db.rows<Named>(sql`
    select proname as name from pg_proc group by proname having bool_and(provolatile = 's')`)
  const namesOf = (rows: readonly Named[]) => rows.map(({ name }) => name)
  return {
    columns: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
    volatile: namesOf(volatile),
    stable: namesOf(stable),
  }
}
