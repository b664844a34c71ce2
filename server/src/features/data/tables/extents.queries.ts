// Measures records before a file is made of them: how often repeats occur, and which names are there that no version knows.
// Every record is looked at for it, so what is found is kept with the blocks of the form.
import { budgets } from '../../../budgets.js'
import type { FormShape } from '../../../formats/columns/index.js'
import { type Db, join, pgArray, type Sql, scan, sql } from '../../../platform/db/index.js'
import { entriesIn, valuesAt } from '../../submissions/index.js'
import { chainsOf, countKey, type Extent, ExtentSum, knownKeys, otherSlots } from './extents.js'

const { unknown: mostOthers, repeated: mostRepeated } = budgets.columns

/** How much is remembered: as many counts at every depth as entries can have columns. */
const boundsOf = ({ repeats }: FormShape) => ({
  others: mostOthers,
  counts: (mostRepeated + 1) * Math.max(1, ...repeats.map((repeat) => repeat.repeats.length + 1)),
})

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, depth) => key === b[depth])

/** The record itself, or all entries of a chain of repeats. */
const entriesAt = (chain: readonly string[]): Sql => {
  const path = `$${chain.map((repeat) => `.${JSON.stringify(repeat)}[*]`).join('')}`
  return valuesAt(sql`records.answers`, sql`${path}::jsonpath`)
}

const lengthOf = (answers: Sql, repeat: string): Sql => sql`
  case when jsonb_typeof(${answers} -> ${repeat}::text) = 'array' then jsonb_array_length(${answers} -> ${repeat}::text) end`

/** Whether a record holds keys beyond these at one level. */
const hasOthers = (chain: readonly string[], known: Iterable<string>): Sql =>
  chain.length === 0
    ? sql`records.answers - ${pgArray([...known])}::text[] <> '{}'`
    : sql`exists (
        select from (select ${entriesAt(chain)} as entry) entries
        where case when jsonb_typeof(entry) = 'object' then entry - ${pgArray([...known])}::text[] <> '{}' end)`

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
export const numbered = (chain: readonly string[], answers: Sql): { from: Sql; entry: Sql; numbers: Sql } => {
  const [first = '', ...rest] = chain
  const start = sql`
    ${entriesIn(answers, first)} with ordinality as e0 (entry, number)`
  if (rest.length === 0) return { from: start, entry: sql`e0.entry`, numbers: sql`jsonb_build_array(e0.number - 1)` }
  // Aliases are fixed: a level is a subquery over the one around it.
  const around = numbered(chain.slice(0, -1), answers)
  const last = chain.at(-1) ?? ''
  return {
    from: sql`lateral (
      select inner_entries.entry, around.numbers || jsonb_build_array(inner_entries.number - 1) as numbers
      from (select ${around.entry} as entry, ${around.numbers} as numbers from ${around.from}) around
      cross join lateral ${entriesIn(sql`around.entry`, last)} with ordinality
        as inner_entries (entry, number)) level`,
    entry: sql`level.entry`,
    numbers: sql`level.numbers`,
  }
}

/** For a repeat within repeats: how many entries it has at most within each entry around it, the first entries first. */
const innerCounts = (repeat: FormShape['repeats'][number], records: Sql): Sql => {
  const { from, entry, numbers } = numbered(repeat.repeats, sql`records.answers`)
  return sql`
    select numbers, most from (
      select ${numbers} as numbers, max(${lengthOf(entry, repeat.key)}) as most from (${records}) records, ${from}
      group by 1) counted
    where most > 0
    order by (select max(number::int) from jsonb_array_elements_text(numbers) places (number)), numbers
    limit ${mostRepeated + 1}::int`
}

/** Names that no version knows. Of one record, or entry, only as many as a file may have columns: it may hold 100,000. */
const listOthers = async (db: Db, chain: readonly string[], known: ReadonlySet<string>, records: Sql) => {
  const rows = await db.rows<{ key: string; count: number }>(
    scan(sql`
    select keys.key, count(*) from (${records}) records,
      ${entriesAt(chain)} entry,
      lateral (
        select name as key from jsonb_object_keys(case when jsonb_typeof(entry) = 'object' then entry else '{}' end) name
        where name <> all(${pgArray([...known])}::text[]) limit ${mostOthers + 1}::int) keys
    group by keys.key order by count(*) desc, keys.key collate "C" limit ${mostOthers + 1}::int`),
  )
  return rows.map(({ key, count }) => ({ path: [...chain, key], count }))
}

/** Looks at every record of a relation with the column `answers`. */
export const measure = async (db: Db, shape: FormShape, records: Sql): Promise<Extent> => {
  const { most, others } = await countOuter(db, shape, records)
  const sum = new ExtentSum(boundsOf(shape))
  const addCount = (key: string, count: number) => sum.add({ counts: { [key]: count }, others: [], hasMore: false })
  for (const [index, { key }] of shape.repeats.filter(({ repeats }) => repeats.length === 0).entries()) {
    if ((most[index] ?? 0) > 0) addCount(countKey(key, []), most[index] as number)
  }
  for (const repeat of shape.repeats.filter(({ repeats }) => repeats.length > 0)) {
    const rows = await db.rows<{ numbers: number[]; most: number }>(scan(innerCounts(repeat, records)))
    for (const row of rows) addCount(countKey(repeat.key, row.numbers), row.most)
  }
  for (const [index, chain] of chainsOf(shape).entries()) {
    if (others[index] !== true) continue
    sum.add({ counts: {}, others: await listOthers(db, chain, knownKeys(shape, chain), records), hasMore: false })
  }
  return sum.extent
}

/** Brings what was measured forward by what has changed since: a part of the form, where it was all of it. */
export const broughtForward = async (
  db: Db,
  formId: number,
  shape: FormShape,
  { extent, changeNo }: ExtentAt,
): Promise<Extent> => {
  const sum = new ExtentSum(boundsOf(shape))
  sum.add(extent)
  sum.add(await measure(db, shape, liveSince(formId, changeNo)))
  return sum.extent
}

/** Whether any record of a relation holds more than an extent says, of which so many entries are shown. */
export const exceeds = (shape: FormShape, extent: Extent, entriesShown: number, records: Sql): Sql => {
  const counts = JSON.stringify(extent.counts)
  // What is beyond the shown entries is in one column, however much it is.
  const last = sql`${Math.min(entriesShown, 2_147_483_647)}::int`
  const beyond = (key: Sql, length: Sql) =>
    sql`(${length} > coalesce((${counts}::jsonb ->> ${key})::int, 0) and coalesce((${counts}::jsonb ->> ${key})::int, 0) < ${last})`
  const slots = otherSlots(extent, shape)
  const levels = (extent.hasMore ? [] : chainsOf(shape)).map((chain) => {
    const others = slots.filter(({ repeats }) => isSame(repeats, chain)).map(({ key }) => key)
    return hasOthers(chain, [...knownKeys(shape, chain), ...others])
  })
  const repeats = shape.repeats.map(({ key, repeats: chain }) => {
    if (chain.length === 0) return beyond(sql`${countKey(key, [])}::text`, lengthOf(sql`records.answers`, key))
    const { from, entry, numbers } = numbered(chain, sql`records.answers`)
    const name = sql`replace((jsonb_build_array(${key}::text) || ${numbers})::text, ', ', ',')`
    const isShown = chain.map((_, depth) => sql`(${numbers} ->> ${depth}::int)::int < ${last}`)
    return sql`exists (select from ${from} where ${join(isShown, ' and ')} and ${beyond(name, lengthOf(entry, key))})`
  })
  const conditions = [...levels, ...repeats]
  if (conditions.length === 0) return sql`false`
  return sql`exists (select from (${records}) records where ${join(conditions, ' or ')})`
}

/** The answers of records that came or changed after a change. */
export const liveSince = (formId: number, changeNo: number): Sql => sql`
  select answers from submissions
  where form_id = ${formId}::int and change_no > ${changeNo}::bigint and deleted_at is null`

interface Block {
  readonly block: number
  readonly from: number
  readonly to: number
  /** Every change up to it is in the blocks. */
  readonly changeNo: number
}

const listBlocks = (db: Db, formId: number) =>
  db.rows<Block>(sql`
    select block, block << shift::int as from, (block + 1) << shift::int as to, change_no as "changeNo"
    from submission_block_states states join submission_blocks using (form_id)
    where form_id = ${formId} order by block`)

/** Extents are up to 100 KB each where senders use many names: some at a time. */
const blocksAtOnce = 64

/** What is kept with these blocks. A block that nobody has measured since it last changed has none. */
const listExtents = async (db: Db, formId: number, blocks: readonly Block[]): Promise<Map<number, Extent>> => {
  const numbers = blocks.map(({ block }) => block)
  const rows = await db.rows<{ block: number; shape: Extent }>(sql`
    select block, shape from submission_blocks
    where form_id = ${formId} and block = any(${numbers}::bigint[]) and shape is not null`)
  return new Map(rows.map(({ block, shape }) => [block, shape]))
}

const liveAnswers = (formId: number, { from, to }: Block): Sql => sql`
  select answers from submissions
  where form_id = ${formId} and id >= ${from} and id < ${to} and deleted_at is null`

/** Keeps what was measured, unless the block has changed in the meantime. */
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

/** The extent of all live records. Refresh the blocks before. */
export const extentOfForm = async (db: Db, formId: number, shape: FormShape): Promise<ExtentAt> => {
  const blocks = await listBlocks(db, formId)
  const sum = new ExtentSum(boundsOf(shape))
  for (let from = 0; from < blocks.length; from += blocksAtOnce) {
    const batch = blocks.slice(from, from + blocksAtOnce)
    const kept = await listExtents(db, formId, batch)
    for (const block of batch) {
      const extent = kept.get(block.block) ?? (await measure(db, shape, liveAnswers(formId, block)))
      if (!kept.has(block.block)) await keepShape(db, formId, block, extent)
      sum.add(extent)
    }
  }
  return { extent: sum.extent, changeNo: blocks[0]?.changeNo ?? 0 }
}
