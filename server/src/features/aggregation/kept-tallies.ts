// What is counted of all records of a large form is kept. The first who asks has it counted as ever, and a job counts it once more to
// keep it; only whoever asks for many things at once waits for that.
import type { Db } from '../../platform/db/index.js'
import { defineJob, enqueue } from '../../platform/jobs/index.js'
import type { Asked, Tally } from './found.queries.js'
import { isWhole, type Population } from './population.queries.js'
import { bringForward, type Counted, countedOf } from './tallies.js'
import { askFor, listTallies } from './tallies.queries.js'
import { build } from './tally-building.js'

/** Counts what is wanted of a form. */
export const tallyJob = defineJob<{ readonly formId: number }>('aggregation.tally', {
  maxAttempts: 3,
  kind: 'long',
  seconds: 3600,
})

/** There are columns for so many. */
const mostKeptGroups = 2

/** So many are counted one by one, in less time than it takes to keep them. One statement that counts more of them takes a minute in a
 * form of a million records, which is longer than a statement may take. */
const fewTallies = 4

/** Those that are kept, as of now, and are to be read where they are written. Others are asked for. */
const presentTallies = async ({ current: db }: Db, formId: number, wanted: readonly Counted[]): Promise<string[]> => {
  const ids = wanted.map(({ id }) => id)
  const listed = async () => new Map((await listTallies(db, formId, ids)).map((one) => [one.id, one]))
  let found = await listed()
  const waiting = wanted.filter(({ id }) => (found.get(id)?.state ?? 'wanted') === 'wanted')
  const isMany = waiting.length > fewTallies
  const unsaid = wanted.filter(({ id }) => found.get(id)?.isUnsaid !== false)
  // Whoever waits for them counts them here: a job beside it would count every block once more.
  if (unsaid.length > 0 && (await askFor(db, formId, unsaid)) && !isMany)
    await enqueue(db, tallyJob, { formId }, { key: `${tallyJob.name} ${formId}` })
  if (isMany) {
    await build(db, formId, waiting)
    found = await listed()
  }
  const behind = wanted.filter(({ id }) => found.get(id)?.isBehind === true)
  if (behind.length > 0) await bringForward(db, formId, behind)
  return ids.filter((id) => found.get(id)?.state === 'kept')
}

/** Of each that is asked for, what is kept as of now; undefined where it has to be counted. */
export const talliesOf = async (
  db: Db,
  population: Population,
  asked: readonly Asked[],
): Promise<(Tally | undefined)[]> => {
  const isKept = isWhole(population) && (await population.isLarge?.()) === true
  const wanted = asked.map((one) =>
    isKept && (one.groups?.length ?? 0) <= mostKeptGroups ? countedOf(one) : undefined,
  )
  const different = [...new Map(wanted.flatMap((one) => (one === undefined ? [] : [[one.id, one] as const]))).values()]
  if (different.length === 0) return asked.map(() => undefined)
  const formId = population.seen.form.id
  const kept = new Set(await presentTallies(db, formId, different))
  return wanted.map((one) => (one !== undefined && kept.has(one.id) ? { formId, id: one.id } : undefined))
}

/** What is kept is read where it is written: it was brought forward a moment ago. */
export const whereKept = (db: Db, tally: Tally | undefined): Db => (tally === undefined ? db : db.current)

export const tallyOf = async (db: Db, population: Population, asked: Asked): Promise<Tally | undefined> =>
  (await talliesOf(db, population, [asked]))[0]
