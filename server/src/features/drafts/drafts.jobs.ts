import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { defineJob } from '../../platform/jobs/index.js'
import { deleteOldDraftRecords } from './draft-records.queries.js'
import { deleteOrphanedDrafts } from './drafts.queries.js'

const purge = defineJob<object>('drafts.purge', { maxAttempts: 3 })

const dayMs = 24 * 60 * 60 * 1000

export const draftJobs = ({ db, clock, jobs }: Deps): void => {
  jobs.handle(purge, async () => {
    const now = clock.now()
    await deleteOldDraftRecords(db, new Date(now.getTime() - budgets.drafts.days * dayMs))
    await deleteOrphanedDrafts(db)
  })
  jobs.schedule(purge, '47 * * * *')
}
