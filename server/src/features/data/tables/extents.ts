// What records hold that the form does not say: how often repeats occur, and names that no version knows. Senders decide it, so
// it is bounded wherever it is kept: only as much as files have columns for.
import {
  type EntryCounts,
  type FormShape,
  headingOf,
  otherSlot,
  plainHeadings,
  type Slot,
  serverKeys,
  tableColumns,
} from '../../../formats/columns/index.js'
import { builtinNames } from '../../../formats/form/index.js'

/** The column for whatever has none of its own. */
export const othersName = '_other_answers'

/** The columns by which rows of one table are found from those of another. */
export const linkNames = { place: '_index', table: '_parent_table_name', parent: '_parent_index' } as const

export interface Extent {
  /** Repeat and the entries around it, as JSON, → how often it occurs there at most. Those of the first entries. */
  readonly counts: Readonly<Record<string, number>>
  /** Names that no version of the form knows, those first that most records hold. */
  readonly others: readonly Other[]
  /** There are more of them than these. */
  readonly hasMore: boolean
}

interface Other {
  /** The repeats around it, then the key. */
  readonly path: readonly string[]
  /** Records, or entries, that hold it. */
  readonly count: number
}

export interface ExtentBounds {
  readonly others: number
  readonly counts: number
}

export const countKey = (repeat: string, entries: readonly number[]): string => JSON.stringify([repeat, ...entries])

export const countsIn =
  ({ counts }: Extent): EntryCounts =>
  (repeat, entries) =>
    counts[countKey(repeat, entries)] ?? 0

/** How often anything occurs at most. */
export const longestIn = ({ counts }: Extent): number =>
  Object.values(counts).reduce((longest, count) => Math.max(longest, count), 0)

/** Repeats that occur so often somewhere, or more often. */
export const repeatsFrom = ({ counts }: Extent, least: number): ReadonlySet<string> => {
  const long = Object.entries(counts).filter(([, count]) => count >= least)
  return new Set(long.map(([key]) => (JSON.parse(key) as [string])[0]))
}

/** Many extents as one, in memory that does not grow with their number. */
export class ExtentSum {
  readonly #bounds: ExtentBounds
  #counts = new Map<string, number>()
  #others = new Map<string, Other>()
  #hasMore = false

  constructor(bounds: ExtentBounds) {
    this.#bounds = bounds
  }

  add({ counts, others, hasMore }: Extent): void {
    for (const [key, count] of Object.entries(counts)) {
      this.#counts.set(key, Math.max(this.#counts.get(key) ?? 0, count))
    }
    for (const { path, count } of others) {
      const key = JSON.stringify(path)
      this.#others.set(key, { path, count: count + (this.#others.get(key)?.count ?? 0) })
    }
    this.#hasMore ||= hasMore
    // What is rare so far may still turn out to be frequent: four times as many are remembered.
    if (this.#others.size > 8 * this.#bounds.others) this.#keepOthers(4 * this.#bounds.others)
    if (this.#counts.size > 4 * this.#bounds.counts) this.#keepCounts()
  }

  #keepOthers(most: number): void {
    this.#hasMore ||= this.#others.size > most
    this.#others = new Map([...this.#others.entries()].sort(moreFirst).slice(0, most))
  }

  /** Keeps those of the first entries: columns are cut at one number for all. */
  #keepCounts(): void {
    const placed = [...this.#counts.entries()].map(([key, count]) => ({ key, count, place: placeOf(key) }))
    const first = placed.sort((a, b) => a.place - b.place || (a.key < b.key ? -1 : 1)).slice(0, this.#bounds.counts)
    this.#counts = new Map(first.map(({ key, count }) => [key, count]))
  }

  get extent(): Extent {
    this.#keepOthers(this.#bounds.others)
    if (this.#counts.size > this.#bounds.counts) this.#keepCounts()
    return {
      counts: Object.fromEntries(this.#counts),
      others: [...this.#others.values()],
      hasMore: this.#hasMore,
    }
  }
}

const moreFirst = ([keyA, a]: [string, Other], [keyB, b]: [string, Other]): number =>
  b.count - a.count || (keyA < keyB ? -1 : 1)

const placeOf = (key: string): number => Math.max(0, ...(JSON.parse(key) as [string, ...number[]]).slice(1).map(Number))

export const chainsOf = ({ repeats }: FormShape): string[][] => [
  [],
  ...repeats.map((repeat) => [...repeat.repeats, repeat.key]),
]

const keysOfShapes = new WeakMap<FormShape, Map<string, Set<string>>>()

/** What a record, or an entry of a chain of repeats, may hold. */
export const knownKeys = (shape: FormShape, chain: readonly string[]): ReadonlySet<string> => {
  const byChain = keysOfShapes.get(shape) ?? keysByChain(shape)
  keysOfShapes.set(shape, byChain)
  return byChain.get(JSON.stringify(chain)) ?? new Set()
}

const keysByChain = (shape: FormShape): Map<string, Set<string>> => {
  const byChain = new Map([[JSON.stringify([]), new Set(serverKeys)]])
  for (const { repeats, key } of [...shape.questions, ...shape.meta, ...shape.repeats]) {
    const chain = JSON.stringify(repeats)
    byChain.set(chain, (byChain.get(chain) ?? new Set()).add(key))
  }
  return byChain
}

const namesOfShapes = new WeakMap<FormShape, ReadonlySet<string>>()

/** The names of the form's and the server's columns that are no keys of questions. */
const takenNames = (shape: FormShape): ReadonlySet<string> => {
  const found = namesOfShapes.get(shape)
  if (found !== undefined) return found
  const names = new Set<string>([...builtinNames, ...Object.values(linkNames), othersName])
  for (const column of tableColumns(shape.questions, { choices: 'beside' })) {
    if (column.kind !== 'answer') names.add(headingOf(column, plainHeadings))
  }
  namesOfShapes.set(shape, names)
  return names
}

/** Two columns of one name would keep a file from being read again. A name of a sender that is also the name of one of the
 * form's columns has no column, and stands with the rest. */
export const withoutNamesakes = (extent: Extent, shape: FormShape): Extent => {
  const names = takenNames(shape)
  const others = extent.others.filter(({ path }) => !names.has(path.at(-1) ?? ''))
  return others.length === extent.others.length ? extent : { ...extent, others, hasMore: true }
}

/** Names that have columns, in a stable order. Those that a later version of the form knows have theirs there. */
export const otherSlots = ({ others }: Extent, shape: FormShape): Slot[] => {
  // Once for each chain of repeats: senders choose how many names there are.
  const keysOfChains = new Map<string, ReadonlySet<string>>()
  const isKnown = ({ key, repeats }: Slot): boolean => {
    const chain = JSON.stringify(repeats)
    const keys = keysOfChains.get(chain) ?? knownKeys(shape, repeats)
    keysOfChains.set(chain, keys)
    return keys.has(key)
  }
  return others
    .map(({ path }) => ({ order: JSON.stringify(path), slot: otherSlot(path.at(-1) ?? '', path.slice(0, -1)) }))
    .filter(({ slot }) => !isKnown(slot))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ slot }) => slot)
}
