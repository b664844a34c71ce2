// Statements within one snapshot, read row by row.
import { type Db, type Sql, sql } from '../../../platform/db/index.js'

const rowsPerFetch = 200

/** Rows of a statement, two hundred at a time. One after the other: there is one cursor. */
export async function* fetched<T extends object>(tx: Db, statement: Sql): AsyncGenerator<T> {
  await tx.run(sql`declare listed no scroll cursor for ${statement}`)
  for (;;) {
    const rows = await tx.rows<T>(sql`fetch 200 from listed`)
    yield* rows
    if (rows.length < rowsPerFetch) break
  }
  await tx.run(sql`close listed`)
}
