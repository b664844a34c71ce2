// Statements within one snapshot, read page by page.
import { type Db, type Sql, sql } from '../../../platform/db/index.js'

const rowsPerFetch = 200

/** Pages of rows, the next one on its way while one is worked through. One statement after the other: there is one cursor. */
export async function* fetchedPages<T extends object>(tx: Db, statement: Sql): AsyncGenerator<T[]> {
  const ask = (): Promise<T[]> => {
    const page = tx.rows<T>(sql`fetch 200 from listed`)
    // Whoever stops reading does not hear of it.
    page.catch(() => undefined)
    return page
  }
  await tx.run(sql`declare listed no scroll cursor for ${statement}`)
  let next: Promise<T[]> | undefined = ask()
  while (next !== undefined) {
    const rows: T[] = await next
    next = rows.length < rowsPerFetch ? undefined : ask()
    if (rows.length > 0) yield rows
  }
  await tx.run(sql`close listed`)
}

/** The same row by row. */
export async function* fetched<T extends object>(tx: Db, statement: Sql): AsyncGenerator<T> {
  for await (const rows of fetchedPages<T>(tx, statement)) yield* rows
}
