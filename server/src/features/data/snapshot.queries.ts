// Several statements that see the same moment, read row by row.

import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type Database, type Db, type Sql, sql } from '../../platform/db/index.js'

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

/** A stream that is made of one snapshot, which is held until the stream has ended or was given up. */
export async function* ofOneSnapshot(db: Database, make: (tx: Db) => Promise<Readable>): AsyncGenerator<Buffer> {
  let began: (stream: Readable) => void = () => undefined
  const beginning = new Promise<Readable>((resolve) => {
    began = resolve
  })
  const work = db.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`)
    const stream = await make(tx)
    const end = finished(stream, { writable: false })
    began(stream)
    await end
  })
  const stream = await Promise.race([beginning, work.then(() => undefined)])
  if (stream === undefined) return
  try {
    for await (const chunk of stream) yield chunk as Buffer
    await work
  } finally {
    // Whoever stops reading ends the snapshot too; that it was cut short is no news then.
    stream.destroy()
    await work.catch(() => undefined)
  }
}
