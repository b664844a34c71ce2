// Columns are known before somebody asks for a file: every minute what has changed in large forms is measured. Else the first
// file of a million records would wait 20 seconds for its header.
import type { Database } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { defineJob } from '../../../platform/jobs/index.js'
import { refreshBlocks, shapeOfForm } from '../selection/index.js'
import { extentOfForm } from './extents.queries.js'
import { listUnmeasured } from './measuring.queries.js'

/** Of forms with at least so many records: of smaller ones it is measured in no time when it is asked for. */
export const measureChanged = async (db: Database, fewest: number): Promise<void> => {
  for (const id of await listUnmeasured(db, fewest)) {
    await refreshBlocks(db, id)
    await extentOfForm(db, id, await shapeOfForm(db, id))
  }
}

/** Measured in 50 ms. */
const fewRecords = 2000

const measureJob = defineJob<object>('data.measure', { maxAttempts: 1 })

export const measuringJobs = ({ jobs, db }: Deps): void => {
  jobs.handle(measureJob, () => measureChanged(db, fewRecords))
  jobs.schedule(measureJob, '* * * * *')
}
