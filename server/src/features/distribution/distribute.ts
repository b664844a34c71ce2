// sheaf db distribute: from tables of one PostgreSQL to tables that lie in parts on several. All of them in one transaction:
// statements over several tables never meet some that are distributed and some that are not, and whoever is killed leaves
// nothing half.
import type { Database, Db } from '../../platform/db/index.js'
import {
  countRows,
  countTables,
  distributeBeside,
  distributeFirst,
  distributeFunctions,
  dropLeftovers,
  type Extension,
  findCluster,
  findExtension,
  type KnownTable,
  listKnownTables,
  listLeftovers,
  listObstacles,
  lockTables,
  prepare,
} from './distribution.queries.js'
import { growingTables } from './growing-tables.js'

/** Something that whoever runs the database has to see to first. */
class DistributionRefused extends Error {}

export interface DistributeOptions {
  /** Only says what it would do. */
  readonly isDryRun?: boolean
  /** As many as the database is set up for, when left out. */
  readonly shards?: number | undefined
  /** Told of each table as it is done, and of the end of the transaction. */
  readonly onStep?: (step: Step) => void
}

export interface Step {
  readonly table: string
  readonly state: 'distributed' | 'would be distributed' | 'was distributed before'
  /** Of what was or would be moved. */
  readonly rows?: number
}

export interface Distributed {
  readonly version: string
  readonly workers: number
  readonly steps: readonly Step[]
  /** Tables whose former rows were removed from the coordinator's disk. */
  readonly freed: readonly string[]
  /** Functions that workers have too. */
  readonly functions: readonly string[]
  /** How many tables stay where they are. */
  readonly others: number
}

const [first] = growingTables
const growing: ReadonlySet<string> = new Set(growingTables)

const missing = ({ isAvailable }: Extension): DistributionRefused =>
  new DistributionRefused(
    isAvailable
      ? `Citus is installed on the database's machine, but not in this database. Nothing was changed.
As a superuser, on the coordinator and on every worker, in this database: create extension citus;
Then name the workers on the coordinator: select citus_add_node('worker-1', 5432);`
      : `The database has no Citus, so there is nothing to distribute to. Nothing was changed.
Install it on the coordinator and on every worker, with shared_preload_libraries = 'citus'; docs/citus.md says how.
Without it everything stays in one PostgreSQL, and works.`,
  )

/** Citus looks after it in another way than this would. */
const strangeIn = (known: readonly KnownTable[]): string[] => {
  const group = known.find(({ name }) => name === first)?.group
  return known.flatMap(({ name, column, group: own }) => {
    if (!growing.has(name)) {
      return `${name} is ${column === null ? 'a reference table, or one that Citus looks after' : 'distributed'}: it belongs on the coordinator alone`
    }
    if (column === null)
      return `${name} is a reference table, or one that Citus looks after: it belongs distributed by form_id`
    if (column !== 'form_id') return `${name} is distributed by ${column}, and not by form_id`
    if (own !== group) return `${name} does not lie beside ${first}`
    return []
  })
}

const refuse = (reasons: readonly string[], what: string): void => {
  if (reasons.length === 0) return
  throw new DistributionRefused(
    `The tables cannot be distributed as they are. Nothing was changed.\n${reasons.map((one) => `  ${one}\n`).join('')}${what}`,
  )
}

interface Plan {
  readonly version: string
  readonly workers: number
  /** Not distributed yet, in the order of `growingTables`. */
  readonly waiting: readonly string[]
}

const planFor = async (db: Db): Promise<Plan> => {
  const extension = await findExtension(db)
  if (extension.version === null) throw missing(extension)
  const { isCoordinator, workers } = await findCluster(db)
  if (!isCoordinator) {
    throw new DistributionRefused('DATABASE_URL names a worker. Give the coordinator. Nothing was changed.')
  }
  if (workers === 0) {
    throw new DistributionRefused(`No worker takes shards. Nothing was changed.
Name them on the coordinator: select citus_add_node('worker-1', 5432);`)
  }
  const known = await listKnownTables(db)
  refuse(strangeIn(known), "What Citus has made of a table it takes back by: select undistribute_table('name');")
  const names = new Set(known.map(({ name }) => name))
  const waiting = growingTables.filter((name) => !names.has(name))
  const obstacles = await listObstacles(db, waiting)
  refuse(
    obstacles.map(({ table, what }) => `${table} has ${what}`),
    'Whoever added them drops them first.',
  )
  return { version: extension.version, workers, waiting }
}

const move = async (tx: Db, table: string, shards: number | undefined): Promise<number> => {
  const before = await countRows(tx, table)
  if (table === first) await distributeFirst(tx, table, shards)
  else await distributeBeside(tx, table, first)
  const after = await countRows(tx, table)
  if (after !== before) {
    throw new DistributionRefused(`${table} had ${before} rows and has ${after} on the workers.`)
  }
  return after
}

/** Whoever has read that tables were distributed has to read this too. */
const takenBack = (error: Error): never => {
  throw new DistributionRefused(`${error.message}\nAll of it was taken back: nothing was changed.`, { cause: error })
}

/** Idempotent. What is there is looked at again under the lock: two of them at once do not get into each other's way. */
export const distribute = async (
  database: Database,
  { isDryRun = false, shards, onStep = () => undefined }: DistributeOptions = {},
): Promise<Distributed> => {
  const db = database.background
  const steps: Step[] = []
  const add = (step: Step) => {
    steps.push(step)
    onStep(step)
  }
  const { version, workers, waiting } = await planFor(db)
  const before = growingTables.filter((name) => !waiting.includes(name))
  for (const table of before) add({ table, state: 'was distributed before' })
  const others = (await countTables(db)) - growingTables.length
  if (isDryRun) {
    for (const table of waiting) add({ table, state: 'would be distributed', rows: await countRows(db, table) })
    return { version, workers, steps, freed: [], functions: [], others }
  }
  const functions = await db
    .transaction(async (tx) => {
      await prepare(tx)
      if (waiting.length > 0) await lockTables(tx, waiting)
      const now = await planFor(tx)
      const made = await distributeFunctions(tx)
      for (const table of now.waiting) add({ table, state: 'distributed', rows: await move(tx, table, shards) })
      for (const table of waiting) if (!now.waiting.includes(table)) add({ table, state: 'was distributed before' })
      return made.map(({ name }) => name)
    })
    .catch(takenBack)
  // Only once the rows are safe elsewhere. A run that was killed before it came here is followed by one that does it.
  const freed = await listLeftovers(db, growingTables)
  for (const table of freed) await dropLeftovers(db, table)
  return { version, workers, steps, freed, functions, others }
}

/** Whether records lie on several machines: then there is no one moment that all of them are read at. */
export const isDistributed = async (db: Db): Promise<boolean> => {
  const { version } = await findExtension(db)
  return version !== null && (await listKnownTables(db)).some(({ name }) => name === first)
}
