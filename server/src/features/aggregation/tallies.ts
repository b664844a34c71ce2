// What is counted of all records of a large form is kept, and brought forward by what has changed (ADR 0039). The first who asks
// has it counted as ever, and a job counts it once more to keep it.
import { createHash } from 'node:crypto'
import type { Db, Sql } from '../../platform/db/index.js'
import { defineJob, enqueue } from '../../platform/jobs/index.js'
import { changeBound } from '../data/index.js'
import type { Asked, Tally } from './found.queries.js'
import { isWhole, type Population } from './population.queries.js'
import {
  type About,
  askFor,
  blocksChanged,
  giveUp,
  listTallies,
  lockTallies,
  recount,
  withoutWaiting,
} from './tallies.queries.js'
import { type FieldRows, fieldRows } from './values.queries.js'

/** Counts what is wanted of a form. */
export const tallyJob = defineJob<{ readonly formId: number }>('aggregation.tally', { maxAttempts: 3, seconds: 3600 })

/** More different values than this are not kept. Numbers and places of a survey are fewer; names of people are not. */
const mostValues = 20_000
const mostBytes = 1_000_000
/** There are columns for so many. */
const mostKeptGroups = 2

export interface Counted {
  readonly id: string
  readonly about: About
  readonly rows: FieldRows
}

const wordsOf = ({ strings, values }: Sql): unknown => [strings, values]

/** By what is counted, word for word: where a new version asks elsewhere, it is another tally. */
export const countedOf = ({ field, groups = [] }: Asked): Counted => {
  const rows = fieldRows(field, groups)
  const words = [rows.value, ...rows.groups, rows.joins].map(wordsOf)
  const hash = createHash('sha256').update(JSON.stringify(words)).digest('hex')
  const about = {
    path: field.path,
    groups: groups.map(({ path, period = null }) => ({ path, period })),
  }
  return {
    id: `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20, 32)}`,
    about,
    rows,
  }
}

/** Those that have become too diverse are given up. Answers those that are still kept. */
export const recounted = async (
  tx: Db,
  formId: number,
  tallies: readonly Counted[],
  which: Parameters<typeof recount>[3],
): Promise<Counted[]> => {
  const sizes = await recount(tx, formId, tallies, which)
  const diverse = sizes.filter(({ values, bytes }) => values > mostValues || bytes > mostBytes).map(({ id }) => id)
  if (diverse.length > 0) await giveUp(tx, formId, diverse)
  return tallies.filter(({ id }) => !diverse.includes(id))
}

/** Tallies of one width of blocks go together: their records are read once. */
export const bringForward = (db: Db, formId: number, tallies: readonly Counted[]): Promise<void> =>
  withoutWaiting(db, async (tx) => {
    const ids = tallies.map(({ id }) => id)
    const locked = await lockTallies(tx, formId, 'kept', ids)
    const bound = await changeBound(tx)
    for (const shift of new Set(locked.map((one) => one.shift))) {
      const together = locked.filter((one) => one.shift === shift)
      const since = Math.min(...together.map(({ changeNo }) => changeNo))
      const counted = tallies.filter(({ id }) => together.some((one) => one.id === id))
      await recounted(tx, formId, counted, { blocks: blocksChanged(formId, since, shift), shift, bound })
    }
  })

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
  const found = new Map(
    (
      await listTallies(
        db,
        formId,
        different.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  )
  const unsaid = different.filter(({ id }) => found.get(id)?.isUnsaid !== false)
  if (unsaid.length > 0 && (await askFor(db, formId, unsaid)))
    await enqueue(db, tallyJob, { formId }, { key: `${tallyJob.name} ${formId}` })
  const behind = different.filter(({ id }) => found.get(id)?.isBehind === true)
  if (behind.length > 0) await bringForward(db, formId, behind)
  return wanted.map((one) =>
    one !== undefined && found.get(one.id)?.state === 'kept' ? { formId, id: one.id } : undefined,
  )
}

export const tallyOf = async (db: Db, population: Population, asked: Asked): Promise<Tally | undefined> =>
  (await talliesOf(db, population, [asked]))[0]
