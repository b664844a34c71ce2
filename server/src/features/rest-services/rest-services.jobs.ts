import type { Deps } from '../../platform/deps.js'
import { defineJob } from '../../platform/jobs/index.js'
import { clearDeliveries, clearPushes } from '../deliveries/index.js'
import { restServiceSettings } from './rest-services.settings.js'

const clear = defineJob<object>('rest_services.clear', { maxAttempts: 1 })
/** A statement that removes more than this holds its locks for too long. */
const batch = 5000

export const restServiceJobs = ({ db, jobs, clock, config }: Deps): void => {
  jobs.handle(clear, async () => {
    const before = new Date(clock.now().getTime() - config.of(restServiceSettings).logDays * 86_400_000)
    while (!(await clearDeliveries(db, before, batch)));
    await clearPushes(db, before)
  })
  jobs.schedule(clear, '43 * * * *')
}
