// How numbers are spread: the values where there are few, else ranges of equal and round width; and what sums them up.
import type { ChartField } from '../../formats/charts/index.js'
import { type Db, scan, sql } from '../../platform/db/index.js'
import { foundRows } from './found.queries.js'
import { tallyOf, whereKept } from './kept-tallies.js'
import type { Population } from './population.queries.js'
import { numberOf } from './values.queries.js'

export interface Spread {
  /** Width of the ranges; null where each value stands for itself. */
  readonly step: number | null
  /** Every number is whole, so that a range ends with the last whole number in it. */
  readonly isWhole: boolean
  /** The value, or where the range begins, and how often; in order, without empty ranges. */
  readonly ranges: readonly (readonly [from: number, count: number])[]
  readonly mean: number | null
  readonly median: number | null
  readonly min: number | null
  readonly max: number | null
  /** Answers that are numbers, answers that are none, and no answers. */
  readonly numbers: number
  readonly texts: number
  readonly unanswered: number
}

/** So many different values are shown one by one. */
const fewValues = 25
/** Ranges at most. */
const mostRanges = 20

/** The step is 1, 2 or 5 times a power of ten; whole numbers are not split. */
export const spreadOf = async (db: Db, population: Population, field: ChartField): Promise<Spread> => {
  const tally = await tallyOf(db, population, { field })
  return whereKept(db, tally).one<Spread>(
    scan(sql`
    with found as (${foundRows(population, { field }, tally)}),
    numbers as (
      select number, sum(count) as count from (select ${numberOf(field, sql`found.value`)} as number, count from found) each
      where number is not null group by number
    ),
    ordered as (select *, sum(count) over (order by number) as upto, sum(count) over () as total from numbers),
    summed as (
      select coalesce(sum(count), 0) as numbers, sum(number * count) / sum(count) as mean, min(number) as min,
        max(number) as max,
        (min(number) filter (where upto * 2 >= total) + min(number) filter (where upto * 2 > total)) / 2 as median,
        case when count(*) > ${fewValues}::int then (max(number) - min(number)) / ${mostRanges}::int end as raw,
        bool_and(number = trunc(number)) as is_whole
      from ordered
    ),
    scaled as (select *, power(10::numeric, floor(log(raw))) as unit from summed),
    stepped as (
      select *, greatest(case when is_whole then 1 end, unit * case
        when raw <= unit then 1 when raw <= 2 * unit then 2 when raw <= 5 * unit then 5 else 10 end) as step
      from scaled
    ),
    ranges as (
      select case when raw is null then number else floor(number / step) * step end as start, sum(numbers.count) as count
      from numbers cross join stepped group by 1
    )
    select case when raw is not null then step end as step, coalesce(is_whole, true) as "isWhole", mean, median, min, max, numbers,
      (select coalesce(sum(count), 0) from found where value is not null) - numbers as texts,
      (select coalesce(sum(count), 0) from found where value is null) as unanswered,
      (select coalesce(json_agg(json_build_array(start, count) order by start), '[]') from ranges) as ranges
    from stepped`),
  )
}
