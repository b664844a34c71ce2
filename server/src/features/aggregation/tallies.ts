// What is counted of all records of a large form, by what it is, and how it is brought forward by what has changed (ADR 0039).
import { createHash } from 'node:crypto'
import type { Db, Sql } from '../../platform/db/index.js'
import { changeBound } from '../data/index.js'
import type { Asked } from './found.queries.js'
import { type About, blocksChanged, giveUp, lockTallies, recount, withoutWaiting } from './tallies.queries.js'
import { type FieldRows, fieldRows } from './values.queries.js'

/** More different values than this are not kept. Numbers and places of a survey are fewer; names of people are not. */
const mostValues = 20_000
const mostBytes = 1_000_000
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
