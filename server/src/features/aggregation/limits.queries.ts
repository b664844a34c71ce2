// How much one answer holds. Of a text question every answer may be another one: beyond these limits the rarest values
// are left out and only counted, so that neither memory nor the event loop depends on what people write.
import { type Sql, sql } from '../../platform/db/index.js'

export interface Limits {
  readonly rows: number
  readonly bytes: number
}

export const usualLimits: Limits = { rows: 10_000, bytes: 2_000_000 }

/** What was left out: how many values or combinations, and how many answers these are. */
export interface Others {
  readonly values: number
  readonly count: number
}

/** Something counted, and how often it was there; null is no answer. */
export type ValueCount = readonly [value: string | null, count: number]

export interface Counts {
  /** From the rarest to the most frequent, equal ones by value. */
  readonly rows: readonly ValueCount[]
  readonly others: Others
  /** Records, or entries of the repeat that the field stands in. */
  readonly total: number
}

export interface CountsRow {
  readonly rows: ValueCount[]
  readonly others: number
  readonly othersCount: number | null
  readonly total: number | null
}

export const countsOf = ({ rows, others, othersCount, total }: CountsRow): Counts => ({
  rows,
  others: { values: others, count: othersCount ?? 0 },
  total: total ?? 0,
})

/** Whether a row is within the limits, over the window `ranked` from the most frequent to the rarest. */
export const kept = (bytes: Sql, limits: Limits): Sql => sql`
  (row_number() over ranked <= ${limits.rows}::int
    and coalesce(sum(coalesce(${bytes}, 0) + 20) over ranked, 0) <= ${limits.bytes}::bigint)`
