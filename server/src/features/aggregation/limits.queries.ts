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
  /** Of these, how many have no answer. */
  readonly unanswered: number
}

export interface CountsRow {
  readonly rows: ValueCount[]
  readonly others: number
  readonly othersCount: number | null
  readonly total: number | null
  readonly unanswered?: number | null
}

export const countsOf = ({ rows, others, othersCount, total, unanswered }: CountsRow): Counts => ({
  rows,
  others: { values: others, count: othersCount ?? 0 },
  total: total ?? 0,
  unanswered: unanswered ?? 0,
})

/** Whether a row is within the limit of bytes, over the window `ranked` from the most frequent to the rarest. What fills a
 * quarter by itself is left out by itself: one essay would push out everything behind it. */
const isWithin = (bytes: Sql, limits: Limits): Sql => {
  const size = sql`coalesce(${bytes}, 0)`
  const isShort = sql`${size} <= ${Math.floor(limits.bytes / 4)}::bigint`
  return sql`(${isShort} and sum(${size} + 20) filter (where ${isShort}) over ranked <= ${limits.bytes}::bigint)`
}

const counted = sql`select count(*) as values, sum(count) as count from named`

/** The most frequent of `named`, as the relation `listed`; `whole` is all of them. Sorted with a limit: over 100,000 different values
 * numbering all of them took twice as long. */
export const ranked = (order: Sql, bytes: Sql, limits: Limits, whole = counted): Sql => sql`
  top as (select * from named order by count desc, ${order} limit ${limits.rows}::int),
  listed as (
    select top.*, ${isWithin(bytes, limits)} as kept from top
    window ranked as (order by count desc, ${order} rows unbounded preceding)
  ),
  whole as (${whole})`

/** Over `listed`: how much of the whole it does not hold. */
export const leftOut: Sql = sql`
  (select values from whole) - count(*) filter (where kept) as others,
  (select coalesce(count, 0) from whole) - coalesce(sum(listed.count) filter (where kept), 0) as "othersCount"`

/** Of each field by itself. */
export const isKept = (bytes: Sql, limits: Limits): Sql => sql`
  (row_number() over ranked <= ${limits.rows}::int and ${isWithin(bytes, limits)})`
