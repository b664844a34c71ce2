// sheaf db distribute: records on several machines, by Citus.
import { type Distributed, distribute, type Step } from '../features/distribution/index.js'
import { migrationsFolder } from '../paths.js'
import { currentVersion, newestMigration } from '../platform/db/index.js'
import { databaseSettings } from '../platform/settings.js'
import { CommandError, print, readConfig, withDatabase } from './command.js'

interface DistributeOptions {
  dryRun?: boolean
  shards?: string
}

/** Citus takes more; nobody has that many machines, and each shard costs every statement over all of them. */
const mostShards = 1024

const shardsIn = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const shards = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (shards >= 1 && shards <= mostShards) return shards
  throw new CommandError(`--shards ${text}: give a number from 1 to ${mostShards}, such as 32.`)
}

const number = (value: number): string => value.toLocaleString('en')

export const stepText = ({ table, state, rows }: Step): string =>
  `${table.padEnd(24)} ${state}${rows === undefined ? '' : `: ${number(rows)} ${rows === 1 ? 'row' : 'rows'}`}\n`

export const endText = ({ version, workers, freed, functions, others }: Distributed, isDryRun: boolean): string => {
  const place = `Citus ${version} with ${number(workers)} ${workers === 1 ? 'worker' : 'workers'}`
  const stay = `The ${number(others)} other tables stay on the coordinator.\n`
  if (isDryRun) return `${stay}${place}. Nothing was changed.\n`
  const left =
    freed.length === 0 ? '' : `Removed from the coordinator's disk what is on the workers now: ${freed.join(', ')}.\n`
  return `${left}Workers know the functions ${functions.join(', ')}.\n${stay}${place}.\n`
}

export const distributeCommand = async ({ dryRun = false, shards: given }: DistributeOptions): Promise<void> => {
  const shards = shardsIn(given)
  if (readConfig().of(databaseSettings).databaseUrl === undefined) {
    throw new CommandError(
      `The built-in PostgreSQL is one machine and has no Citus. Nothing was changed.
Back it up, restore the backup into the coordinator of a Citus cluster (DATABASE_URL), then distribute: docs/citus.md.`,
    )
  }
  await withDatabase(async (db) => {
    if ((await currentVersion(db.pool)) !== (await newestMigration(migrationsFolder))) {
      throw new CommandError('The database is not of this version: run `sheaf migrate`, then distribute.')
    }
    const result = await distribute(db, { isDryRun: dryRun, shards, onStep: (step) => print(stepText(step)) })
    print(endText(result, dryRun))
  })
}
