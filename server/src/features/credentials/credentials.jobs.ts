import type { Deps } from '../../platform/deps.js'
import { defineJob } from '../../platform/jobs/index.js'
import { deleteExpiredAttempts } from './attempts.queries.js'
import { deleteExpiredDigestUses } from './device-passwords.queries.js'
import { deleteExpiredResets } from './password-resets.queries.js'

const purge = defineJob('credentials.purge', { maxAttempts: 3 })

/** Unknown names leave a row each, so the rows must go; hourly is often enough, since expired ones do not count. */
export const credentialJobs = ({ jobs, db, clock }: Deps): void => {
  jobs.handle(purge, async () => {
    await deleteExpiredAttempts(db, clock.now())
    await deleteExpiredResets(db, clock.now())
    await deleteExpiredDigestUses(db, clock.now())
  })
  jobs.schedule(purge, '17 * * * *')
}
