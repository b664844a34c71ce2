// What has no column of its own in a file, as JSON in the last column: nothing that was sent is missing from a file, however
// much a sender sends.
import type { FormShape, Slot } from '../../../formats/columns/index.js'
import { join, pgArray, type Sql, sql } from '../../../platform/db/index.js'
import { chainsOf, knownKeys } from './extents.js'
import { numbered } from './extents.queries.js'

const noAnswers = sql`'{}'::jsonb`

const asObject = (entry: Sql): Sql => sql`case when jsonb_typeof(${entry}) = 'object' then ${entry} else '{}' end`

/** What a record or an entry holds that is not among `shown`. By its pairs: taking away names one by one is slower by far. */
export const othersOfEntry = (entry: Sql, shown: readonly string[]): Sql => sql`(
  select jsonb_object_agg(pair.key, pair.value)::text from jsonb_each(${asObject(entry)}) pair
  where pair.key <> all(${pgArray(shown)}::text[]))`

export interface Shown {
  readonly shape: FormShape
  /** What has columns, names that no version knows included. */
  readonly slots: readonly Slot[]
  /** So many entries of each repeat have columns. */
  readonly entries: number
  /** Repeats that have as many somewhere, or more; the others have nothing beyond. */
  readonly longRepeats: ReadonlySet<string>
  /** There are names that no version knows and that have no column; only where whole records are shown. */
  readonly hasMore: boolean
}

/** A chain of repeats, and what of its entries has columns. */
interface Level {
  readonly chain: readonly string[]
  readonly keys: readonly string[]
}

/** Repeats in which something may have no column: not all of them, a form may have hundreds. */
const levelsOf = ({ shape, slots, longRepeats, hasMore }: Shown): Level[] => {
  const keys = new Map<string, string[]>()
  for (const { repeats, key } of slots) {
    const chain = JSON.stringify(repeats)
    const same = keys.get(chain)
    if (same === undefined) keys.set(chain, [key])
    else same.push(key)
  }
  return chainsOf(shape)
    .filter((chain) => chain.length > 0 && (hasMore || chain.some((repeat) => longRepeats.has(repeat))))
    .map((chain) => ({ chain, keys: keys.get(JSON.stringify(chain)) ?? [] }))
}

/** `kids[2]/toys[1]` in front of the rest of a key, from the numbers of the entries. */
const headingIn = (chain: readonly string[], numbers: Sql, key: Sql): Sql => {
  const parts = chain.map((repeat, depth) => {
    const start = repeat.slice(chain[depth - 1]?.length ?? 0)
    return sql`${start}::text || '[' || ((${numbers} ->> ${depth}::int)::int + 1) || ']'`
  })
  const last = [...(chain.at(-1) ?? '')].length
  return sql`${join(parts, ' || ')} || substr(${key}, ${last + 1}::int)`
}

const othersInRepeat = ({ shape, entries, hasMore }: Shown, { chain, keys }: Level, answers: Sql): Sql => {
  const { from, entry, numbers } = numbered(chain, answers)
  const isBeyond = chain.map(
    (_, depth) => sql`(placed.numbers ->> ${depth}::int)::int >= ${Math.min(entries, 2_147_483_647)}::int`,
  )
  const conditions = [
    sql`((${join(isBeyond, ' or ')}) and pair.key = any(${pgArray(keys)}::text[]))`,
    ...(hasMore ? [sql`pair.key <> all(${pgArray([...knownKeys(shape, chain), ...keys])}::text[])`] : []),
  ]
  return sql`(
    select coalesce(jsonb_object_agg(${headingIn(chain, sql`placed.numbers`, sql`pair.key`)}, pair.value), ${noAnswers})
    from (select ${entry} as entry, ${numbers} as numbers from ${from}) placed
    cross join lateral jsonb_each(${asObject(sql`placed.entry`)}) pair
    where ${join(conditions, ' or ')})`
}

/** What has no column in a table of repeats side by side, by the headings that its columns would have; null for nothing. */
export const othersOfRecord = (shown: Shown, answers: Sql): Sql => {
  const { shape, slots, hasMore } = shown
  const own = slots.filter(({ repeats }) => repeats.length === 0).map(({ key }) => key)
  const ofRecord = sql`(
    select coalesce(jsonb_object_agg(pair.key, pair.value), ${noAnswers}) from jsonb_each(${answers}) pair
    where pair.key <> all(${pgArray([...knownKeys(shape, []), ...own])}::text[]))`
  const inRepeats = levelsOf(shown).map((level) => othersInRepeat(shown, level, answers))
  const parts = [...(hasMore ? [ofRecord] : []), ...inRepeats]
  return sql`nullif(${parts.length === 0 ? noAnswers : join(parts, ' || ')}, ${noAnswers})::text`
}
