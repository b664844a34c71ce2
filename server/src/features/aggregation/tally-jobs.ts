// What is wanted of large forms is counted in the background, and what is asked for often is brought forward every minute, so that
// nobody waits for what has come in an hour.
import { type ChartField, chartFieldsOf } from '../../formats/charts/index.js'
import type { Database } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { defineJob } from '../../platform/jobs/index.js'
import { changeBound, findShift, refreshBlocks, shapeOfForm } from '../data/index.js'
import { bringForward, type Counted, countedOf, recounted, tallyJob } from './tallies.js'
import {
  type About,
  begin,
  blocksBetween,
  emptyDiverse,
  finish,
  forget,
  idsOf,
  listStale,
  listUsed,
  lockTallies,
  withoutWaiting,
} from './tallies.queries.js'

/** A block of a tally has twice the width of one of the form (1,024 records, about): less is kept, and it is counted anew in some
 * milliseconds. */
const wider = 1
/** So many are counted by one statement: long enough to be worth it, short enough to give way. */
const blocksPerRun = 16

/** As the form is now; without those that it no longer asks so. */
const foundAgain = async (
  db: Database,
  formId: number,
  kept: readonly { readonly id: string; readonly about: About }[],
): Promise<Counted[]> => {
  const { findColumn } = chartFieldsOf(await shapeOfForm(db, formId))
  return kept.flatMap(({ id, about }) => {
    const field = findColumn(about.path)
    const groups = about.groups.flatMap(({ path, period }): ChartField[] => {
      const group = findColumn(path)
      if (group === undefined) return []
      return [period === null ? group : { ...group, period }]
    })
    if (field === undefined || groups.length < about.groups.length) return []
    const counted = countedOf({ field, groups })
    return counted.id === id ? [counted] : []
  })
}

const shiftFor = async (db: Database, formId: number): Promise<number> => {
  if ((await findShift(db, formId)) === undefined) await refreshBlocks(db, formId)
  return ((await findShift(db, formId)) ?? 10) + wider
}

/** Those of the same form that are counted in one pass. */
const together = 40

/** From the first record to the last. Whatever changes meanwhile is brought forward later. Two who do the same at once do
 * each block one after the other, and find nothing to change. */
const countThrough = async (
  db: Database,
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

/** Everything of a form that waits. */
export const countWanted = async (db: Database, formId: number, signal?: AbortSignal): Promise<void> => {
  const shift = await shiftFor(db, formId)
  const bound = await changeBound(db)
  const wanted = await db.transaction(async (tx) => {
    const locked = await lockTallies(tx, formId, 'wanted', undefined)
    const known = await foundAgain(db, formId, locked)
    const ids = new Set(known.map(({ id }) => id))
    await forget(
      tx,
      formId,
      locked.flatMap(({ id }) => (ids.has(id) ? [] : [id])),
    )
    await begin(tx, formId, [...ids], shift)
    return known
  })
  for (let from = 0; from < wanted.length; from += together) {
    await countThrough(db, formId, wanted.slice(from, from + together), { shift, bound, signal })
  }
}

/** What was asked for within a day is as of now; what waited while its job was lost is counted. */
export const tend = async (db: Database, signal?: AbortSignal): Promise<void> => {
  for (const { formId, ids } of await listStale(db)) await forget(db, formId, ids)
  await emptyDiverse(db)
  for (const { formId, behind, isWanted } of await listUsed(db)) {
    signal?.throwIfAborted()
    if (isWanted) await countWanted(db, formId, signal)
    const known = await foundAgain(db, formId, behind)
    if (known.length > 0) await bringForward(db, formId, known)
  }
}

const tendJob = defineJob<object>('aggregation.tend', { maxAttempts: 1, seconds: 3600 })

export const tallyJobs = ({ jobs, db }: Deps): void => {
  jobs.handle(tallyJob, ({ formId }, { signal }) => countWanted(db.background, formId, signal))
  jobs.handle(tendJob, (_nothing, { signal }) => tend(db.background, signal))
  jobs.schedule(tendJob, '* * * * *')
}
