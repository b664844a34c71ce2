// Which records are counted.
import type { TypedCondition } from '../../formats/query/index.js'
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { compiled, countLive, type Filter, filtered, type SeenForm, visible } from '../data/index.js'

export interface Population {
  readonly seen: SeenForm
  /** What else must hold, for a dataview its own condition. */
  readonly condition: TypedCondition
  /** And what parameters of the address ask for. */
  readonly filters?: readonly Filter[]
  /** Whether the form is large: what is asked of all of it is kept then, and not counted twice. */
  isLarge?(): Promise<boolean>
}

/** All records that the caller sees. */
export const everyRecord: TypedCondition = { kind: 'and', conditions: [] }

/** Counted in 30 ms. */
const fewRecords = 10_000

/** Of the records that somebody sees, those for which a condition holds. */
export const populationOf = (db: Db, seen: SeenForm, condition: TypedCondition = everyRecord): Population => {
  let live: Promise<number> | undefined
  const countOnce = () => {
    live ??= countLive(db, seen.form.id)
    return live
  }
  return { seen, condition, isLarge: async () => (await countOnce()) >= fewRecords }
}

/** What everybody sees who sees all records: nothing but a change of a record changes it. */
export const isWhole = ({ seen, condition, filters = [] }: Population): boolean =>
  seen.sight === 'all' && condition === everyRecord && filters.length === 0

/** A condition on `submissions`. */
export const counted = ({ seen, condition, filters = [] }: Population): Sql => {
  const matching =
    condition === everyRecord ? visible(seen) : sql`${visible(seen)} and ${compiled(condition, seen.form)}`
  return filters.length === 0 ? matching : sql`${matching} and ${filtered(filters)}`
}
