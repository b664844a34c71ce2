// How many records of a large form match what a list asks for, and where the page lies. They are counted once, per range of
// ids, and kept for a while: whoever asks again has only those ranges counted in which something has changed since, so the
// number is exact and a page costs no look at every record. Measured with 1,000,000 records: 1.2 s for the first count, 15 ms for
// any page after it.
import { createHash } from 'node:crypto'
import { budgets } from '../../../budgets.js'
import type { Database, Sql } from '../../../platform/db/index.js'
import { countLive, refreshBlocks } from './blocks.queries.js'
import { changeBound } from './change-bound.queries.js'
import type { ListRequest } from './list-request.js'
import { type BlockCount, countBlocks, findShift, listBlocks, recountChanged } from './matches.queries.js'
import { type IdRange, matching } from './slices.queries.js'

/** More changes than this are not counted along: it is counted anew. */
const mostChanges = 2000
/** So many are counted along each time; then the count is said to be of now. */
const fewChanges = 50

/** Where a run of matches lies: it begins at this id, and so many are skipped. */
export interface Span {
  readonly fromId: number
  readonly skip: number
  /** The ranges that hold all of it, where they are few: what lies between them is not looked at. */
  readonly ranges: readonly IdRange[] | undefined
}

/** Looked up one by one. A run that lies in more of them is dense enough to be read through. */
const mostRanges = 500

/** What was counted of one question. */
class Counted {
  readonly shift: number
  readonly blocks = new Map<number, number>()
  /** Every change up to it is in the counts. */
  changeNo: number
  /** Counted up to this block; null: all. */
  upTo: number | null = 0
  countedAt = 0

  constructor(shift: number, changeNo: number) {
    this.shift = shift
    this.changeNo = changeNo
  }

  take(counts: readonly BlockCount[]): void {
    for (const { block, count } of counts) {
      if (count === 0) this.blocks.delete(block)
      // What is not counted yet is counted with the rest of its run.
      else if (this.upTo === null || block < this.upTo) this.blocks.set(block, count)
    }
  }

  get total(): number {
    let sum = 0
    for (const count of this.blocks.values()) sum += count
    return sum
  }

  spanOf(offset: number, limit: number): Span | undefined {
    // Not by shifting: JavaScript shifts 32 bits.
    const width = 2 ** this.shift
    let before = 0
    let skip = 0
    const ranges: IdRange[] = []
    for (const block of [...this.blocks.keys()].sort((a, b) => a - b)) {
      if (ranges.length > mostRanges || (ranges.length > 0 && before >= offset + limit)) break
      const count = this.blocks.get(block) ?? 0
      if (before + count > offset) {
        if (ranges.length === 0) skip = offset - before
        ranges.push({ from: block * width, to: (block + 1) * width })
      }
      before += count
    }
    const [first] = ranges
    if (first === undefined) return undefined
    return { fromId: first.from, skip, ranges: ranges.length > mostRanges ? undefined : ranges }
  }
}

/** What a count weighs without its ranges: of what matches nothing there are no more than a thousand. */
const rangesOfAny = 200

/** The counts of one process, the last used last. */
class Kept {
  readonly #counts = new Map<string, Counted>()

  find(key: string, now: number): Counted | undefined {
    const found = this.#counts.get(key)
    const isFresh = found !== undefined && now - found.countedAt < budgets.counts.keptMs
    this.#counts.delete(key)
    if (isFresh) this.#counts.set(key, found)
    return isFresh ? found : undefined
  }

  keep(key: string, counted: Counted, now: number): void {
    counted.countedAt = now
    this.#counts.delete(key)
    this.#counts.set(key, counted)
    let ranges = 0
    for (const [other, { blocks }] of [...this.#counts].reverse()) {
      ranges += blocks.size + rangesOfAny
      if (ranges > budgets.counts.ranges) this.#counts.delete(other)
    }
  }

  forget(key: string): void {
    this.#counts.delete(key)
  }
}

const keptOf = new WeakMap<Database, Kept>()

const keptIn = (db: Database): Kept => {
  const kept = keptOf.get(db.reserved) ?? new Kept()
  keptOf.set(db.reserved, kept)
  return kept
}

const keyOf = ({ strings, values }: Sql): string =>
  createHash('sha256')
    .update(JSON.stringify([strings, values]))
    .digest('base64url')

/** The same clock for all: only differences count. */
const nowMs = (): number => performance.now()

const begin = async (db: Database, formId: number): Promise<Counted> => {
  // Whoever writes while it is counted has a higher number.
  const changeNo = await changeBound(db)
  const shift = await findShift(db, formId)
  if (shift !== undefined) return new Counted(shift, changeNo)
  await refreshBlocks(db, formId)
  return new Counted((await findShift(db.current, formId)) ?? 10, changeNo)
}

/** Counts along what has changed; false when that is too much. */
const bringUpToDate = async (db: Database, formId: number, where: Sql, counted: Counted): Promise<boolean> => {
  const { shift, changeNo: since } = counted
  const changed = () => recountChanged(db, formId, where, { shift, since, most: mostChanges })
  let found = await changed()
  let bound = since
  if (found.changes > fewChanges && found.changes < mostChanges) {
    bound = await changeBound(db)
    found = await changed()
  }
  if (found.changes >= mostChanges) return false
  // Somebody else has brought it further meanwhile: what was counted here may be older.
  if (counted.changeNo !== since) return bringUpToDate(db, formId, where, counted)
  counted.take(found.blocks)
  counted.changeNo = bound
  return true
}

/** What is known of it, as of now. */
const presentCount = async (db: Database, formId: number, where: Sql, key: string): Promise<Counted | undefined> => {
  const kept = keptIn(db)
  const counted = kept.find(key, nowMs())
  if (counted === undefined) return undefined
  if (await bringUpToDate(db, formId, where, counted)) return counted
  kept.forget(key)
  return undefined
}

export interface Matches {
  readonly total: number
  spanOf(offset: number, limit: number): Span | undefined
}

/** Where it is known already: nothing is counted for it but what has changed. */
export const knownMatches = async (db: Database, request: ListRequest): Promise<Matches | undefined> => {
  const where = matching(request)
  const found = await presentCount(db, request.seen.form.id, where, keyOf(where))
  return found?.upTo === null ? found : undefined
}

/** Counted to the end, in one look at every record where it is not known. */
export const allMatches = async (db: Database, request: ListRequest): Promise<Matches> => {
  const where = matching(request)
  const key = keyOf(where)
  const { id } = request.seen.form
  const present = await presentCount(db, id, where, key)
  if (present?.upTo === null) return present
  const counted = await begin(db, id)
  counted.upTo = null
  counted.take(await countBlocks(db, where, counted.shift, { from: null, to: null }))
  keptIn(db).keep(key, counted, nowMs())
  return counted
}

export interface Total {
  readonly count: number
  readonly isExact: boolean
}

interface Pace {
  readonly milliseconds: number
  /** Runs of about so many records are counted by one statement each. */
  readonly recordsPerRun: number
}

const usualPace: Pace = { milliseconds: budgets.counts.milliseconds, recordsPerRun: 100_000 }

const sumOf = (blocks: readonly BlockCount[]): number => blocks.reduce((sum, { count }) => sum + count, 0)

/** The summary may be older than most of the records: runs by it would have no end. */
const presentBlocks = async (db: Database, formId: number, recordsPerRun: number): Promise<BlockCount[]> => {
  const blocks = await listBlocks(db, formId)
  if (Math.abs((await countLive(db, formId)) - sumOf(blocks)) <= recordsPerRun) return blocks
  await refreshBlocks(db, formId)
  return listBlocks(db.current, formId)
}

/** The blocks that runs end before, and how many records lie before each; the last run is open. */
const runsFrom = (blocks: readonly BlockCount[], from: number, recordsPerRun: number) => {
  const ends: { end: number | null; before: number }[] = []
  let [inRun, before] = [0, 0]
  for (const { block, count } of blocks) {
    before += count
    if (block < from) continue
    inRun += count
    if (inRun < recordsPerRun) continue
    ends.push({ end: block + 1, before })
    inRun = 0
  }
  return [...ends, { end: null, before }]
}

/** Counted for so long at most, and from there on when it is asked for again; until the end it is estimated from the part that
 * was looked at. */
export const totalWithin = async (
  db: Database,
  request: ListRequest,
  { milliseconds, recordsPerRun }: Pace = usualPace,
): Promise<Total> => {
  const deadline = nowMs() + milliseconds
  const where = matching(request)
  const key = keyOf(where)
  const { id } = request.seen.form
  const present = await presentCount(db, id, where, key)
  if (present?.upTo === null) return { count: present.total, isExact: true }
  const blocks = await presentBlocks(db, id, recordsPerRun)
  // Ranges may have become wider meanwhile, and those of another width say nothing.
  const isOfNow = present !== undefined && present.shift === (await findShift(db, id))
  const counted = isOfNow ? present : await begin(db, id)
  const records = sumOf(blocks)
  for (const { end, before } of runsFrom(blocks, counted.upTo ?? 0, recordsPerRun)) {
    const { upTo: from, changeNo } = counted
    const found = await countBlocks(db, where, counted.shift, { from, to: end })
    // Somebody else counts the same, and was faster.
    if (counted.upTo !== from || counted.changeNo !== changeNo)
      return totalWithin(db, request, { milliseconds: Math.max(0, deadline - nowMs()), recordsPerRun })
    counted.upTo = end
    counted.take(found)
    keptIn(db).keep(key, counted, nowMs())
    if (end === null) break
    if (nowMs() < deadline) continue
    return { count: Math.round((counted.total * records) / Math.max(before, 1)), isExact: false }
  }
  return { count: counted.total, isExact: true }
}
