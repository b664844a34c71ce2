// What acts for a person stops with their right: whoever uses it asks, in the same statement. Here is what follows from it,
// within a minute: it stays stopped until somebody confirms it, and the owners are told, once.
import { budgets } from '../../budgets.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { defineJob } from '../../platform/jobs/index.js'
import { revokeLapsedInvitations } from '../invitations/index.js'
import { stopLapsedDeviceKeys } from '../keys/index.js'
import { stopLapsedLinks } from '../linked-data/index.js'
import type { Lapsed } from '../permissions/index.js'
import { pauseLapsedServices } from '../rest-services/index.js'
import { stopLapsedKeys } from '../widgets/index.js'
import { tellOwners } from './telling.js'

const lookJob = defineJob<object>('mandates.look', { maxAttempts: 1 })

type Stop = (tx: Db, now: Date, most: number) => Promise<Lapsed[]>

const kinds: readonly Stop[] = [
  pauseLapsedServices,
  stopLapsedKeys,
  revokeLapsedInvitations,
  stopLapsedLinks,
  stopLapsedDeviceKeys,
]

/** Answers whether there may be more. */
const look = ({ db, clock }: Deps): Promise<boolean> =>
  db.transaction(async (tx) => {
    const most = budgets.mandates.thingsAtOnce
    const now = clock.now()
    const lapsed: Lapsed[] = []
    let isFull = false
    for (const stop of kinds) {
      const stopped = await stop(tx, now, most)
      isFull ||= stopped.length >= most
      lapsed.push(...stopped)
    }
    if (lapsed.length > 0) await tellOwners(tx, lapsed, now)
    return isFull
  })

export const mandates = (deps: Deps): void => {
  deps.jobs.handle(lookJob, async () => {
    while (await look(deps));
  })
  deps.jobs.schedule(lookJob, '* * * * *')
}
