// Cells of a record with its repeats side by side. Large answers are unpacked once a record, and each list of entries is
// taken out of them once: looked up from the top for every entry, a repeat of 2,500 entries took 15 seconds a record,
// because every look copies the whole list.
import type { Column } from '../../../formats/columns/index.js'
import { join, type Sql, sql } from '../../../platform/db/index.js'
import { addressInShort, type CellSource, hasShortFiles, pointIn, storedValue } from './cells.queries.js'

/** Entries from this one on are far: few records have them, and those that have none do without their lists. Finding one
 * of some thousand lists takes longer than what is in it. */
const farFrom = 16

/** The entries of a repeat within certain entries of the repeats around it. */
interface List {
  readonly chain: readonly string[]
  readonly outer: readonly number[]
}

const keyOf = ({ chain, outer }: List): string => JSON.stringify([chain, outer])
const isFar = ({ outer }: List): boolean => outer.some((entry) => entry >= farFrom)

/** Lists of one kind, outer ones first. */
class Lists {
  readonly #places = new Map<string, number>()
  readonly #byDepth: List[][] = []

  add(list: List): void {
    const depth = list.chain.length
    this.#byDepth[depth] ??= []
    this.#byDepth[depth]?.push(list)
  }

  /** Once all of them are known. */
  number(): void {
    for (const lists of this.#byDepth) {
      for (const list of lists ?? []) this.#places.set(keyOf(list), this.#places.size + 1)
    }
  }

  at(depth: number): readonly List[] {
    return this.#byDepth[depth] ?? []
  }

  before(depth: number): number {
    return this.#byDepth.slice(0, depth).reduce((sum, lists) => sum + (lists?.length ?? 0), 0)
  }

  placeOf(list: List): number {
    return this.#places.get(keyOf(list)) ?? 0
  }
}

const arrayOf = (items: readonly Sql[], type: Sql): Sql =>
  items.length === 0 ? sql`'{}'::${type}[]` : sql`array[${join([...items], ', ')}]::${type}[]`

/** Addresses of a record's files by name where they are many, made once: looked for in the list by every cell, a record of
 * 4,900 files and as many questions for them took 47 seconds. */
const received = sql`
  cross join lateral (
    select case when not ${hasShortFiles} then (
      select jsonb_object_agg(file ->> 'name', file ->> 'download_url')
      from jsonb_array_elements(submissions.attachments) file where file ->> 'name' is not null) end as addresses
    offset 0) received`

export class UnpackedRecord implements CellSource {
  readonly #near = new Lists()
  readonly #far = new Lists()
  readonly #depth: number
  readonly #points = new Map<string, { index: number; from: Sql }>()
  #hasFiles = false
  readonly answers: Sql = sql`unpacked.answers`

  constructor(columns: readonly Column[]) {
    const added = new Set<string>()
    for (const { slot, entries } of columns) {
      for (const depth of entries.keys()) {
        const list = { chain: slot.repeats.slice(0, depth + 1), outer: entries.slice(0, depth) }
        if (added.has(keyOf(list))) continue
        added.add(keyOf(list))
        this.#listsWith(list).add(list)
      }
    }
    this.#near.number()
    this.#far.number()
    this.#depth = columns.reduce((most, { entries }) => Math.max(most, entries.length), 0)
  }

  #listsWith(list: List): Lists {
    return isFar(list) ? this.#far : this.#near
  }

  /** `entries` is never empty. */
  #entryIn(record: Sql, chain: readonly string[], entries: readonly number[]): Sql {
    const list = { chain, outer: entries.slice(0, -1) }
    const place = sql`${this.#listsWith(list).placeOf(list)}::int`
    const found = isFar(list) ? sql`${record}.far[${place}]` : sql`${record}.near[${place}]`
    return sql`(${found} -> ${entries.at(-1)}::int)`
  }

  entry({ slot, entries }: Column): Sql {
    return entries.length === 0 ? this.answers : this.#entryIn(sql`unpacked`, slot.repeats, entries)
  }

  point(column: Column): Sql {
    const { slot, entries } = column
    // Those in repeats may be thousands, and most records have none of them.
    if (entries.length > 0) return pointIn(storedValue(column, this.entry(column)))
    const from = pointIn(storedValue(column, sql`whole.answers`))
    const point = this.#points.get(slot.key) ?? { index: this.#points.size + 1, from }
    this.#points.set(slot.key, point)
    return sql`unpacked.points[${point.index}::int]`
  }

  readonly isAddressLater = false

  address(name: Sql): Sql {
    this.#hasFiles = true
    return sql`coalesce(received.addresses ->> ${name}, ${addressInShort(name)})`
  }

  #list({ chain, outer }: List): Sql {
    const around = outer.length === 0 ? sql`around.answers` : this.#entryIn(sql`around`, chain.slice(0, -1), outer)
    return sql`${around} -> ${chain.at(-1)}::text`
  }

  /** The far lists of a depth, null while no record is that long. */
  #farAt(depth: number): Sql {
    const lists = this.#far.at(depth)
    if (lists.length === 0) return sql`around.far`
    const before = sql`array_fill(null::jsonb, array[${this.#far.before(depth)}::int])`
    return sql`
      case when exists (
        select from unnest(around.near || around.far) list
        where case when jsonb_typeof(list) = 'array' then jsonb_array_length(list) end > ${farFrom}::int)
      then coalesce(around.far, ${before}) || ${arrayOf(
        lists.map((list) => this.#list(list)),
        sql`jsonb`,
      )} end`
  }

  #level(depth: number): Sql {
    if (depth === 0) {
      const points = [...this.#points.values()].map(({ from }) => from)
      return sql`
        select whole.answers, ${arrayOf(points, sql`text`)} as points, '{}'::jsonb[] as near, null::jsonb[] as far
        from (select submissions.answers || '{}'::jsonb as answers offset 0) whole offset 0`
    }
    const near = this.#near.at(depth).map((list) => this.#list(list))
    return sql`
      select around.answers, around.points, around.near || ${arrayOf(near, sql`jsonb`)} as near,
        ${this.#farAt(depth)} as far
      from (${this.#level(depth - 1)}) around offset 0`
  }

  /** Belongs behind `from submissions`, once all cells are made. */
  get joins(): Sql {
    const unpacked = sql`cross join lateral (${this.#level(this.#depth)}) unpacked`
    return this.#hasFiles ? sql`${unpacked} ${received}` : unpacked
  }
}
