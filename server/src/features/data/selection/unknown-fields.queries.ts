import { type Db, scan, sql } from '../../../platform/db/index.js'
import type { SeenForm } from './access.js'
import { visible } from './access.queries.js'

/** Whether a record that the caller sees has an answer of this key. */
export const isHeld = async (db: Db, seen: SeenForm, key: string): Promise<boolean> =>
  (
    await db.one<{ held: boolean }>(
      scan(sql`select exists (
        select from submissions where ${visible(seen)} and submissions.answers ? ${key}::text) as held`),
    )
  ).held
