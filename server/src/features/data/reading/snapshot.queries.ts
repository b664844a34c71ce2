// Statements within one snapshot, read page by page.
import { type Db, markedAs, type Sql, sql } from '../../../platform/db/index.js'

const rowsPerFetch = 200

/** Pages of rows. `isAhead`: the next one is on its way while one is worked through, for those who ask nothing else of the
 * connection meanwhile. One statement after the other: there is one cursor. */
export async function* fetchedPages<T extends object>(tx: Db, statement: Sql, isAhead: boolean): AsyncGenerator<T[]> {
  const ask = (): Promise<T[]> => {
    const page = tx.rows<T>(sql`fetch 200 from listed`)
    // Whoever stops reading does not hear of it.
    page.catch(() => undefined)
    return page
  }
  await tx.run(markedAs(statement, sql`declare listed no scroll cursor for ${statement}`))
  let rows = await ask()
  while (rows.length > 0) {
    const isLast = rows.length < rowsPerFetch
    const next = isAhead && !isLast ? ask() : undefined
    yield rows
    rows = isLast ? [] : await (next ?? ask())
  }
  await tx.run(sql`close listed`)
}

/** The same row by row. */
export async function* fetched<T extends object>(tx: Db, statement: Sql): AsyncGenerator<T> {
  for await (const rows of fetchedPages<T>(tx, statement, false)) yield* rows
}
