// Whether everything that requests need can be reached.
import { type Fit, fitOfDatabase } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { StoreFull } from '../../platform/files/index.js'

/** Beyond: newer nodes have taken away what this one needs; it is to be replaced. */
const inWords: Record<Fit, string> = { fits: 'ok', behind: 'pending', beyond: 'too new' }

export const readiness = async ({ db, files, log }: Deps, migrationsFolder: string) => {
  const worded = (what: string, check: Promise<unknown>) =>
    check.then(
      () => 'ok',
      (error: unknown) => {
        log.warn({ err: error }, `${what} is not ready`)
        return error instanceof StoreFull ? 'full' : 'unreachable'
      },
    )
  // Through the connections of receiving, which heavy readers leave free.
  const fit = fitOfDatabase(db.reserved.pool, migrationsFolder)
  const [database, storage, migrations] = await Promise.all([
    worded('the database', fit),
    worded('the file store', files.check()),
    fit.then(
      (one) => inWords[one],
      () => 'unknown',
    ),
  ])
  return { database, migrations, files: storage }
}

/** A full store takes no files, and everything else goes on: proxies that leave out this node would keep all from it. */
export const isReady = (parts: Awaited<ReturnType<typeof readiness>>): boolean =>
  Object.entries(parts).every(([part, state]) => state === 'ok' || (part === 'files' && state === 'full'))
