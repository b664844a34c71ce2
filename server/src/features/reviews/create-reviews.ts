// New reviews: one, or a list that is stored as a whole or not at all.
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { AppError, type Caller, type FieldErrors, forbidden, invalid, readBody } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { recordFormEvent } from '../messaging/index.js'
import { insertNotes, reviewField } from '../notes/index.js'
import { findRecords, type SeenRecord, sightOf, unknownRecord } from '../sight/index.js'
import { invalidItems, noComment } from './reviews.errors.js'
import { copyReviews, insertReviews, lockLiveRecords, type Review } from './reviews.queries.js'
import { mostReviews, ReviewBody } from './reviews.schemas.js'

interface Asked {
  readonly submissionId: number
  readonly status: string
  readonly note: string | null
}

interface Item {
  readonly asked: Asked
  readonly faults: Record<string, string | readonly string[]>
}

/** A comment of blanks is none. */
export const commentOf = (note: string | null | undefined): string | null => note?.trim() || null

const rejected = '2'
const pending = '3'

export const rejectionFaults = (status: string, note: string | null): FieldErrors =>
  status === rejected && note === null ? { note: [noComment] } : {}

const readReview = readBody(ReviewBody)

const read = (given: unknown): Item => {
  try {
    const { instance, status = pending, note } = readReview(given)
    const asked = { submissionId: instance, status, note: commentOf(note) }
    return { asked, faults: { ...rejectionFaults(asked.status, asked.note) } }
  } catch (error) {
    if (!(error instanceof AppError) || error.fields === undefined) throw error
    const { instance } = (given ?? {}) as Partial<Static<typeof ReviewBody>>
    // Which record is meant decides whether the caller hears of their faults or that they may not review.
    const submissionId = typeof instance === 'number' ? instance : 0
    return { asked: { submissionId, status: pending, note: null }, faults: { ...error.fields } }
  }
}

const itemsOf = (body: unknown): Item[] => {
  if (!Array.isArray(body)) return [read(body)]
  if (body.length === 0) throw invalid({ non_field_errors: ['This list may not be empty.'] })
  if (body.length > mostReviews) {
    throw invalid({ non_field_errors: [`At most ${mostReviews} records can be reviewed at once.`] })
  }
  return body.map(read)
}

const throwItemFaults = (items: readonly Item[], isList: boolean): void => {
  const faults = items.map((item) => item.faults)
  if (faults.every((one) => Object.keys(one).length === 0)) return
  throw isList ? invalidItems(faults) : invalid(faults[0] ?? {})
}

const nameMissing = (items: readonly Item[], isThere: (id: number) => boolean): void => {
  for (const { asked, faults } of items) {
    if (!isThere(asked.submissionId)) faults.instance ??= [unknownRecord(asked.submissionId)]
  }
}

/** What the caller asks for, when they may have it. */
const allowed = async (db: Db, caller: Caller, items: readonly Item[], isList: boolean): Promise<SeenRecord[]> => {
  const sight = await sightOf(db, caller)
  const ids = [...new Set(items.map(({ asked }) => asked.submissionId))]
  const records = await findRecords(db, sight, ids)
  for (const { formId } of records.values()) if (!sight.may(formId, 'manage')) throw forbidden()
  nameMissing(items, (id) => records.has(id))
  throwItemFaults(items, isList)
  return [...records.values()]
}

const byForm = (records: readonly SeenRecord[]): Map<number, number[]> => {
  const ids = new Map<number, number[]>()
  for (const { formId, id } of [...records].sort((a, b) => a.formId - b.formId || a.id - b.id)) {
    ids.set(formId, [...(ids.get(formId) ?? []), id])
  }
  return ids
}

interface Form {
  readonly formId: number
  readonly ids: readonly number[]
}

const store = async (tx: Db, { formId, ids }: Form, all: readonly Asked[], by: { createdBy: number; now: Date }) => {
  const ofForm = new Set(ids)
  const asked = all.filter(({ submissionId }) => ofForm.has(submissionId))
  const commented = asked.flatMap(({ submissionId, note }) =>
    note === null ? [] : [{ submissionId, note, instanceField: reviewField }],
  )
  const noteIds = await insertNotes(tx, formId, commented, by)
  const rows = asked.map((one) => ({ ...one, noteId: one.note === null ? null : (noteIds.shift() ?? null) }))
  const reviewIds = await insertReviews(tx, formId, rows, by)
  await copyReviews(tx, formId, ids, by.now)
  const { createdBy, now } = by
  await recordFormEvent(tx, { formId, verb: 'submission_reviewed', ids, userId: createdBy, now })
  return rows.map((one, place): [Asked, Review] => [
    asked[place] as Asked,
    { ...one, id: reviewIds[place] as number, formId, createdBy, createdAt: now, modifiedAt: now },
  ])
}

/** In the order given. */
export const createReviews = async (deps: Deps, caller: Caller, body: unknown): Promise<Review[]> => {
  const isList = Array.isArray(body)
  const items = itemsOf(body)
  const forms = byForm(await allowed(deps.db, caller, items, isList))
  const asked = items.map((item) => item.asked)
  const made = await deps.db.transaction(async (tx) => {
    const live = new Set<number>()
    for (const [formId, ids] of forms) for (const id of await lockLiveRecords(tx, formId, ids)) live.add(id)
    // Some may have been deleted since they were looked for.
    nameMissing(items, (id) => live.has(id))
    throwItemFaults(items, isList)
    // Only now: of two reviews at once, the one that comes second is the newer one.
    const by = { createdBy: caller.id, now: deps.clock.now() }
    const stored = new Map<Asked, Review>()
    for (const [formId, ids] of forms) {
      for (const [one, review] of await store(tx, { formId, ids }, asked, by)) stored.set(one, review)
    }
    return stored
  })
  return asked.map((one) => made.get(one) as Review)
}
