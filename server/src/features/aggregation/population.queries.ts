// Which records are counted.
import type { TypedCondition } from '../../formats/query/index.js'
import { type Sql, sql } from '../../platform/db/index.js'
import { compiled, type Filter, filtered, type SeenForm, visible } from '../data/index.js'

export interface Population {
  readonly seen: SeenForm
  /** What else must hold, for a dataview its own condition. */
  readonly condition: TypedCondition
  /** And what parameters of the address ask for. */
  readonly filters?: readonly Filter[]
}

/** All records that the caller sees. */
export const everyRecord: TypedCondition = { kind: 'and', conditions: [] }

/** A condition on `submissions`. */
export const counted = ({ seen, condition, filters = [] }: Population): Sql => {
  const matching =
    condition === everyRecord ? visible(seen) : sql`${visible(seen)} and ${compiled(condition, seen.form)}`
  return filters.length === 0 ? matching : sql`${matching} and ${filtered(filters)}`
}
