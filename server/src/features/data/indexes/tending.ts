// Indexes that make themselves. Every minute one process looks at what was asked for: it makes what is asked for often, and drops
// what nobody asks for, what no longer fits the form, and what a process that was killed has left half made.
import { budgets } from '../../../budgets.js'
import type { FormShape } from '../../../formats/columns/index.js'
import { targetOf } from '../../../formats/query/index.js'
import type { Database, Session } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { defineJob, enqueue } from '../../../platform/jobs/index.js'
import { type IndexKind, kindsOf } from '../answers/index.js'
import { answersIn, shapeOfForm } from '../selection/index.js'
import { chosenOf, type IndexBounds, isOver } from './choosing.js'
import { forgetIndexes, listTended, setBack, setState, type TendedIndex } from './indexes.queries.js'
import {
  commonShare,
  dropIndex,
  listFound,
  lockTending,
  makeIndex,
  refreshStatistics,
  unlockTending,
} from './making.queries.js'

/** For the largest table on a slow machine. */
const jobSeconds = 7200
/** Of the records looked at, so many with the same answer: an index would not tell them apart. */
const mostCommon = 0.2
const sampled = 2000

const kindsIn = (shape: FormShape, key: string): readonly IndexKind[] =>
  shape.slotsOf(key).length === 0 ? [] : kindsOf(targetOf(key, answersIn(shape)))

/** What the answers to a question may be indexed as. */
export const kindsFor = async (db: Database, formId: number, key: string): Promise<readonly IndexKind[]> =>
  kindsIn(await shapeOfForm(db, formId), key)

/** Those that stay; the others are forgotten. An edited form may ask something else by the same name. */
const remaining = async (db: Database, now: Date): Promise<TendedIndex[]> => {
  const shapes = new Map<number, FormShape>()
  const staying: TendedIndex[] = []
  const gone: number[] = []
  for (const index of await listTended(db)) {
    const { id, formId, key, kind } = index
    const shape = shapes.get(formId) ?? (await shapeOfForm(db, formId))
    shapes.set(formId, shape)
    if (!isOver(index, now) && kindsIn(shape, key).includes(kind)) staying.push(index)
    else gone.push(id)
  }
  if (gone.length > 0) await forgetIndexes(db, gone)
  return staying
}

/** Equality finds a fifth of a form no faster by an index. What is wanted, sorted or of an order is another matter. */
const pays = async (db: Database, index: TendedIndex, { lookedThrough }: IndexBounds): Promise<boolean> =>
  index.state !== 'asked' ||
  index.kind !== 'text' ||
  index.sorted * index.records >= lookedThrough ||
  (await commonShare(db, index, sampled)) < mostCommon

interface Tending {
  readonly deps: Pick<Deps, 'db' | 'log'>
  readonly session: Session
  readonly bounds: IndexBounds
  readonly signal: AbortSignal
}

/** Whether it is there then. */
const make = async ({ deps, session, bounds, signal }: Tending, index: TendedIndex): Promise<boolean> => {
  const { db, log } = deps
  if (!(await pays(db.background, index, bounds))) {
    await setState(db, index, 'useless')
    return false
  }
  try {
    await makeIndex(session, index)
    await setState(db, index, 'made')
    return true
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ err: error, form: index.formId, kind: index.kind }, 'an index of answers could not be made')
    // What cannot be dropped now is found the next time.
    await dropIndex(session, index.id).catch(() => undefined)
    await setState(db, index, 'failed')
    return false
  }
}

const tend = async (tending: Tending, now: Date): Promise<void> => {
  const { deps, session, bounds } = tending
  const indexes = await remaining(deps.db.background, now)
  const chosen = chosenOf(indexes, now, bounds)
  const wanted = new Set(chosen.map(({ id }) => id))
  const there = new Set<number>()
  for (const { id, isValid } of await listFound(session)) {
    if (isValid && wanted.has(id)) there.add(id)
    else await dropIndex(session, id)
  }
  for (const { id, state } of indexes) if (state === 'made' && !wanted.has(id)) await setBack(deps.db, id)
  let made = 0
  for (const index of chosen) {
    if (there.has(index.id)) made += await setState(deps.db, index, 'made')
    else if (await make(tending, index)) made += 1
  }
  if (made > 0) await refreshStatistics(session)
}

/** Nothing where somebody else is at it. */
export const tendIndexes = (
  deps: Pick<Deps, 'db' | 'log'>,
  now: Date,
  signal: AbortSignal,
  bounds: IndexBounds = budgets.indexes,
): Promise<void> =>
  deps.db.background.session(async (session) => {
    if (!(await lockTending(session))) return
    await tend({ deps, session, bounds, signal }, now)
    await unlockTending(session)
  }, signal)

const tendJob = defineJob<object>('data.tend_indexes', { maxAttempts: 1, kind: 'long', seconds: jobSeconds })

/** Soon, and once, however many ask for it. */
export const tendSoon = (db: Database): Promise<void> => enqueue(db, tendJob, {}, { key: tendJob.name })

export const indexJobs = (deps: Deps): void => {
  const { jobs, clock } = deps
  jobs.handle(tendJob, (_, { signal }) => tendIndexes(deps, clock.now(), signal))
  jobs.schedule(tendJob, '* * * * *')
}
