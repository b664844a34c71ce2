// What statements of a few milliseconds tell of the installation.
import type { Deps } from '../../platform/deps.js'
import {
  countEverything,
  countJobRunners,
  databaseVersion,
  findUpkeep,
  listFailingJobs,
  listFailingServices,
  listLargestTables,
  readMailQueue,
} from './operations.queries.js'

const mostListed = 50
const mostTables = 12

/** What statements of a few milliseconds tell; sizes and sums are read by themselves, see `readInstallation`. */
export const readQuick = async (deps: Deps) => {
  const db = deps.db.background
  const [counts, version, tables, failing, mails, runners, services, verified, backedUp] = await Promise.all([
    countEverything(db),
    databaseVersion(db),
    listLargestTables(db, mostTables),
    listFailingJobs(db, mostListed),
    readMailQueue(db),
    countJobRunners(db),
    listFailingServices(db, mostListed),
    findUpkeep(db, 'verify'),
    findUpkeep(db, 'backup'),
  ])
  return { counts, version, tables, failing, mails, runners, services, verified, backedUp, at: deps.clock.now() }
}

export type Quick = Awaited<ReturnType<typeof readQuick>>
