import type { Deps } from '../../../platform/deps.js'
import { defineJob } from '../../../platform/jobs/index.js'
import { deleteSpentGrants } from '../approvals/index.js'
import { rotateKeys } from './keys.js'
import { deleteDeadTokens } from './tokens.queries.js'

const purge = defineJob('oauth.purge', { maxAttempts: 3 })
const rotate = defineJob('oauth.rotate_keys', { maxAttempts: 3 })

/** Expired rows do not count; the purge only keeps the tables small. */
export const oauthJobs = (deps: Deps): void => {
  const { jobs, db, clock } = deps
  jobs.handle(purge, async () => {
    await deleteDeadTokens(db, clock.now())
    await deleteSpentGrants(db, clock.now())
  })
  jobs.schedule(purge, '27 * * * *')
  jobs.handle(rotate, () => rotateKeys(deps))
  jobs.schedule(rotate, '37 3 * * *')
}
