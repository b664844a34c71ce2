// What is wanted of large forms is counted in the background, and what is asked for often is brought forward every minute, so that
// nobody waits for what has come in an hour.
import { type ChartField, chartFieldsOf } from '../../formats/charts/index.js'
import type { Database } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { defineJob } from '../../platform/jobs/index.js'
import { shapeOfForm } from '../data/index.js'
import { tallyJob } from './kept-tallies.js'
import { bringForward, type Counted, countedOf } from './tallies.js'
import { type About, emptyDiverse, forget, listStale, listUsed, listWanted } from './tallies.queries.js'
import { build } from './tally-building.js'

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

/** Everything of a form that waits. */
export const countWanted = async (db: Database, formId: number, signal?: AbortSignal): Promise<void> => {
  const wanted = await listWanted(db, formId)
  const known = await foundAgain(db, formId, wanted)
  const ids = new Set(known.map(({ id }) => id))
  await forget(
    db,
    formId,
    wanted.flatMap(({ id }) => (ids.has(id) ? [] : [id])),
  )
  if (known.length > 0) await build(db, formId, known, signal)
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
