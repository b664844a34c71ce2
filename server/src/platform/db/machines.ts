import type { Db } from './db.js'
import { sql } from './sql.js'

/** Somebody may distribute the database while the process runs. */
const rememberedMs = 60_000

const hasNoCitus = async (db: Db): Promise<boolean> =>
  (
    await db.one<{ isOne: boolean }>(sql`
    select not exists (select from pg_extension where extname = 'citus') as "isOne"`)
  ).isOne

/** Whether all records are on one machine, as was found within the last minute: Citus lays them on several. */
export const oneMachine = (db: Db): (() => Promise<boolean>) => {
  let known: { readonly until: number; readonly answer: Promise<boolean> } | undefined
  return () => {
    const now = performance.now()
    if (known !== undefined && now < known.until) return known.answer
    const asked = { until: now + rememberedMs, answer: hasNoCitus(db) }
    known = asked
    asked.answer.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.answer
  }
}
