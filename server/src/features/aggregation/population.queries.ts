// Which records are counted.
import type { TypedCondition } from '../../formats/query/index.js'
import { type Sql, sql } from '../../platform/db/index.js'
import { compiled, type SeenForm, visible } from '../data/index.js'

export interface Population {
  readonly seen: SeenForm
  /** What else must hold, for a dataview its own condition. */
  readonly condition: TypedCondition
}

/** All records that the caller sees. */
export const everyRecord: TypedCondition = { kind: 'and', conditions: [] }

/** A condition on `submissions`. */
export const counted = ({ seen, condition }: Population): Sql =>
  condition === everyRecord ? visible(seen) : sql`${visible(seen)} and ${compiled(condition, seen.form)}`
