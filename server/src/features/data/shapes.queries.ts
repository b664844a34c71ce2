// What records hold that the form alone does not tell: how often repeats occur, and keys that no version knows. The
// columns of a file depend on it, and every record is looked at for it, so it is kept with the blocks of the form.
import { type FormShape, formIdKey, otherSlot, type Slot } from '../../formats/columns/index.js'
import { type Db, join, type Sql, scan, sql } from '../../platform/db/index.js'
import { pgArray } from './arrays.js'

export interface Extent {
  /** Repeat and the entries around it, as JSON, → how often it occurs there at most. */
  readonly counts: Readonly<Record<string, number>>
  /** Keys that no version of the form knows: the repeats around it, then the key. */
  readonly others: readonly (readonly string[])[]
}

export const countKey = (repeat: string, entries: readonly number[]): string => JSON.stringify([repeat, ...entries])

const merged = (extents: readonly Extent[]): Extent => {
  const counts: Record<string, number> = {}
  const others = new Map<string, readonly string[]>()
  for (const extent of extents) {
    for (const [key, count] of Object.entries(extent.counts)) counts[key] = Math.max(counts[key] ?? 0, count)
    for (const path of extent.others) others.set(JSON.stringify(path), path)
  }
  return { counts, others: [...others.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path) }
}

/** Keys that a later version of the form knows have their columns there. */
export const otherSlots = ({ others }: Extent, shape: FormShape): Slot[] => {
  // Once for each chain of repeats: senders choose how many keys there are.
  const known = new Map<string, ReadonlySet<string>>()
  const isKnown = ({ key, repeats }: Slot): boolean => {
    const chain = JSON.stringify(repeats)
    const keys = known.get(chain) ?? new Set(knownKeys(shape, repeats))
    known.set(chain, keys)
    return keys.has(key)
  }
  return others.map((path) => otherSlot(path.at(-1) ?? '', path.slice(0, -1))).filter((slot) => !isKnown(slot))
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, depth) => key === b[depth])

/** What a record, or an entry of a chain of repeats, may hold. */
const knownKeys = (shape: FormShape, chain: readonly string[]): string[] => [
  ...[...shape.questions, ...shape.meta].filter(({ repeats }) => isSame(repeats, chain)).map(({ key }) => key),
  ...shape.repeats.filter(({ repeats }) => isSame(repeats, chain)).map(({ key }) => key),
  ...(chain.length === 0 ? [formIdKey] : []),
]

const chainsOf = (shape: FormShape): string[][] => [[], ...shape.repeats.map(({ repeats, key }) => [...repeats, key])]

const entriesPath = (chain: readonly string[]): string =>
  `$${chain.map((repeat) => `.${JSON.stringify(repeat)}[*]`).join('')}`

const lengthOf = (answers: Sql, repeat: string): Sql => sql`
  case when jsonb_typeof(${answers} -> ${repeat}::text) = 'array' then jsonb_array_length(${answers} -> ${repeat}::text) end`

/** Whether a record holds keys beyond these at one level. */
const hasOthers = (chain: readonly string[], known: readonly string[]): Sql =>
  chain.length === 0
    ? sql`records.answers - ${pgArray(known)}::text[] <> '{}'`
    : sql`exists (
        select from jsonb_path_query(records.answers, ${entriesPath(chain)}::jsonpath) entry
        where case when jsonb_typeof(entry) = 'object' then entry - ${pgArray(known)}::text[] <> '{}' end)`

const countOuter = async (
  db: Db,
  shape: FormShape,
  records: Sql,
): Promise<{ most: (number | null)[]; others: boolean[] }> => {
  const outer = shape.repeats.filter(({ repeats }) => repeats.length === 0)
  const most = outer.map(({ key }) => sql`max(${lengthOf(sql`records.answers`, key)})`)
  const others = chainsOf(shape).map((chain) => sql`bool_or(${hasOthers(chain, knownKeys(shape, chain))})`)
  return db.one(
    scan(sql`
    select array[${most.length === 0 ? sql`null` : join(most, ', ')}]::int[] as most,
      array[${join(others, ', ')}]::boolean[] as others
    from (${records}) records`),
  )
}

/** The entries of a chain of repeats, with the number of each from 0: `entry` and `numbers`. */
const numbered = (chain: readonly string[]): { from: Sql; entry: Sql; numbers: Sql } => {
  const [first = '', ...rest] = chain
  const start = sql`
    jsonb_path_query(records.answers, ${entriesPath([first])}::jsonpath) with ordinality as e0 (entry, number)`
  if (rest.length === 0) return { from: start, entry: sql`e0.entry`, numbers: sql`jsonb_build_array(e0.number - 1)` }
  // Aliases are fixed: a level is a subquery over the one around it.
  const around = numbered(chain.slice(0, -1))
  const last = chain.at(-1) ?? ''
  return {
    from: sql`lateral (
      select inner_entries.entry, around.numbers || jsonb_build_array(inner_entries.number - 1) as numbers
      from (select ${around.entry} as entry, ${around.numbers} as numbers from ${around.from}) around
      cross join lateral jsonb_path_query(around.entry, ${entriesPath([last])}::jsonpath) with ordinality
        as inner_entries (entry, number)) level`,
    entry: sql`level.entry`,
    numbers: sql`level.numbers`,
  }
}

/** For a repeat within repeats: each combination of outer entries with the most inner ones. */
const innerCounts = (repeat: FormShape['repeats'][number], records: Sql): Sql => {
  const { from, entry, numbers } = numbered(repeat.repeats)
  return sql`
    select ${numbers} as numbers, max(${lengthOf(entry, repeat.key)}) as most from (${records}) records, ${from}
    group by 1 having max(${lengthOf(entry, repeat.key)}) > 0`
}

const listOthers = async (db: Db, chain: readonly string[], known: readonly string[], records: Sql) => {
  const rows = await db.rows<{ key: string }>(
    scan(sql`
    select distinct keys.key from (${records}) records,
      jsonb_path_query(records.answers, ${entriesPath(chain)}::jsonpath) entry,
      jsonb_object_keys(case when jsonb_typeof(entry) = 'object' then entry else '{}' end) keys (key)
    where keys.key <> all(${pgArray(known)}::text[])`),
  )
  return rows.map(({ key }) => [...chain, key])
}

/** Looks at every record of a relation with the column `answers`. */
export const measure = async (db: Db, shape: FormShape, records: Sql): Promise<Extent> => {
  const { most, others } = await countOuter(db, shape, records)
  const counts: Record<string, number> = {}
  for (const [index, { key }] of shape.repeats.filter(({ repeats }) => repeats.length === 0).entries()) {
    if ((most[index] ?? 0) > 0) counts[countKey(key, [])] = most[index] as number
  }
  for (const repeat of shape.repeats.filter(({ repeats }) => repeats.length > 0)) {
    const rows = await db.rows<{ numbers: number[]; most: number }>(scan(innerCounts(repeat, records)))
    for (const row of rows) counts[countKey(repeat.key, row.numbers)] = row.most
  }
  const found: string[][] = []
  for (const [index, chain] of chainsOf(shape).entries()) {
    if (others[index] === true) found.push(...(await listOthers(db, chain, knownKeys(shape, chain), records)))
  }
  return { counts, others: found }
}

/** Whether any record of a relation holds more than an extent says. */
export const exceeds = (shape: FormShape, extent: Extent, records: Sql): Sql => {
  const counts = JSON.stringify(extent.counts)
  const beyond = (key: Sql, length: Sql) => sql`${length} > coalesce((${counts}::jsonb ->> ${key})::int, 0)`
  const slots = otherSlots(extent, shape)
  const levels = chainsOf(shape).map((chain) => {
    const others = slots.filter(({ repeats }) => isSame(repeats, chain)).map(({ key }) => key)
    return hasOthers(chain, [...knownKeys(shape, chain), ...others])
  })
  const repeats = shape.repeats.map(({ key, repeats: chain }) => {
    if (chain.length === 0) return beyond(sql`${countKey(key, [])}::text`, lengthOf(sql`records.answers`, key))
    const { from, entry, numbers } = numbered(chain)
    const name = sql`replace((jsonb_build_array(${key}::text) || ${numbers})::text, ', ', ',')`
    return sql`exists (select from ${from} where ${beyond(name, lengthOf(entry, key))})`
  })
  return sql`exists (select from (${records}) records where ${join([...levels, ...repeats], ' or ')})`
}

interface Block {
  readonly block: number
  readonly from: number
  readonly to: number
  /** null: nobody has looked at it since it last changed. */
  readonly shape: Extent | null
  /** Every change up to it is in the blocks. */
  readonly changeNo: number
}

const listBlocks = (db: Db, formId: number) =>
  db.rows<Block>(sql`
    select block, block << shift::int as from, (block + 1) << shift::int as to, shape, change_no as "changeNo"
    from submission_block_states states join submission_blocks using (form_id)
    where form_id = ${formId} order by block`)

const liveAnswers = (formId: number, { from, to }: Block): Sql => sql`
  select answers from submissions
  where form_id = ${formId} and id >= ${from} and id < ${to} and deleted_at is null`

/** Unless it has changed in the meantime. */
const keepShape = (db: Db, formId: number, { block, changeNo }: Block, extent: Extent) =>
  db.run(sql`
    update submission_blocks set shape = ${JSON.stringify(extent)}::jsonb
    where form_id = ${formId} and block = ${block}
      and exists (select from submission_block_states where form_id = ${formId} and change_no = ${changeNo})`)

export interface ExtentAt {
  readonly extent: Extent
  /** Records that have changed since may hold more. */
  readonly changeNo: number
}

/** Of all live records. Refresh the blocks before. */
export const extentOfForm = async (db: Db, formId: number, shape: FormShape): Promise<ExtentAt> => {
  const blocks = await listBlocks(db, formId)
  const extents: Extent[] = []
  for (const block of blocks) {
    const extent = block.shape ?? (await measure(db, shape, liveAnswers(formId, block)))
    if (block.shape === null) await keepShape(db, formId, block, extent)
    extents.push(extent)
  }
  return { extent: merged(extents), changeNo: blocks[0]?.changeNo ?? 0 }
}
