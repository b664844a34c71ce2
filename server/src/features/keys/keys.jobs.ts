import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { defineJob } from '../../platform/jobs/index.js'
import { deleteDevicesBefore } from './sightings.queries.js'

const forgetJob = defineJob<object>('keys.forget_devices', { maxAttempts: 1 })

const dayMs = 86_400_000

export const keyJobs = ({ jobs, db, clock }: Deps): void => {
  jobs.handle(forgetJob, async () => {
    await deleteDevicesBefore(db, new Date(clock.now().getTime() - budgets.keys.devicesDays * dayMs))
  })
  jobs.schedule(forgetJob, '23 3 * * *')
}
