// Counting what is wanted of a form, from its first record to its last.
import type { Db } from '../../platform/db/index.js'
import { changeBound, findShift, refreshBlocks } from '../data/index.js'
import { type Counted, recounted } from './tallies.js'
import { begin, blocksBetween, finish, idsOf, lockTallies, withoutWaiting } from './tallies.queries.js'

/** A block of a tally has twice the width of one of the form (1,024 records, about): less is kept, and it is counted anew in some
 * milliseconds. */
const wider = 1
/** So many are counted by one statement: long enough to be worth it, short enough to give way. */
const blocksPerRun = 16

const shiftFor = async (db: Db, formId: number): Promise<number> => {
  if ((await findShift(db, formId)) === undefined) await refreshBlocks(db, formId)
  return ((await findShift(db, formId)) ?? 10) + wider
}

/** Those of the same form that are counted in one pass. */
const together = 40

/** From the first record to the last. Whatever changes meanwhile is brought forward later. Two who do the same at once do
 * each block one after the other, and find nothing to change. */
const countThrough = async (
  db: Db,
  formId: number,
  wanted: readonly Counted[],
  { shift, bound, signal }: { shift: number; bound: number; signal: AbortSignal | undefined },
): Promise<void> => {
  const range = await idsOf(db, formId)
  if (range === undefined) return
  // Not by shifting: JavaScript shifts 32 bits.
  const blockOf = (id: number): number => Math.floor(id / 2 ** shift)
  const end = blockOf(range.to) + 1
  let waiting = wanted
  for (let from = blockOf(range.from); from < end && waiting.length > 0; from += blocksPerRun) {
    signal?.throwIfAborted()
    const blocks = blocksBetween(from, Math.min(end, from + blocksPerRun))
    waiting = await withoutWaiting(db, async (tx) => {
      const locked = await lockTallies(
        tx,
        formId,
        'wanted',
        waiting.map(({ id }) => id),
      )
      const still = new Set(locked.filter((one) => one.shift === shift).map(({ id }) => id))
      const present = waiting.filter(({ id }) => still.has(id))
      return present.length === 0 ? [] : recounted(tx, formId, present, { blocks, shift, bound: 0 })
    })
  }
  await finish(
    db,
    formId,
    waiting.map(({ id }) => id),
    bound,
  )
}

/** Tallies that are wanted. Each statement is short, whatever the form has; what was counted before somebody gave up stays. */
export const build = async (
  db: Db,
  formId: number,
  wanted: readonly Counted[],
  signal?: AbortSignal,
): Promise<void> => {
  const shift = await shiftFor(db, formId)
  const bound = await changeBound(db)
  await begin(
    db,
    formId,
    wanted.map(({ id }) => id),
    shift,
  )
  for (let from = 0; from < wanted.length; from += together) {
    await countThrough(db, formId, wanted.slice(from, from + together), { shift, bound, signal })
  }
}
