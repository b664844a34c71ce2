// Finding, changing and deleting reviews. Read by whoever may read the record; the rest is for those who manage the form.
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, forbidden, notFound, throwFaults } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { recordFormEvent } from '../messaging/index.js'
import { deleteNote, insertNotes, reviewField, updateNote } from '../notes/index.js'
import { sightOf } from '../sight/index.js'
import { commentOf, rejectionFaults } from './create-reviews.js'
import {
  copyReviews,
  findLiveReview,
  findReview,
  hideReview,
  lockLiveRecords,
  type Review,
  updateReview,
} from './reviews.queries.js'
import type { ReviewChanges } from './reviews.schemas.js'

const find = async (db: Db, caller: Caller, pk: string) => {
  const sight = await sightOf(db, caller)
  const review = /^\d{1,15}$/.test(pk) ? await findReview(db, sight, Number(pk)) : undefined
  if (review === undefined) throw notFound()
  return { review, mayManage: sight.may(review.formId, 'manage') }
}

export const visibleReview = async (db: Db, caller: Caller, pk: string): Promise<Review> =>
  (await find(db, caller, pk)).review

/** Under the record's lock, as the review is then; the record follows. */
const underRecordLock = async <T>(
  { db, clock }: Deps,
  caller: Caller,
  pk: string,
  work: (tx: Db, review: Review, now: Date) => Promise<T>,
): Promise<T> => {
  const { review, mayManage } = await find(db, caller, pk)
  if (!mayManage) throw forbidden()
  const { formId, submissionId, id } = review
  return db.transaction(async (tx) => {
    const locked = await lockLiveRecords(tx, formId, [submissionId])
    const present = locked.size === 0 ? undefined : await findLiveReview(tx, formId, id)
    if (present === undefined) throw notFound()
    const now = clock.now()
    const result = await work(tx, present, now)
    await copyReviews(tx, formId, [submissionId], now)
    return result
  })
}

/** The comment as it is to be; answers the id of its note. */
const settleComment = async (
  tx: Db,
  { formId, submissionId, noteId }: Review,
  note: string | null,
  by: { createdBy: number; now: Date },
): Promise<number | null> => {
  if (note === null) {
    if (noteId !== null) await deleteNote(tx, formId, noteId)
    return null
  }
  if (noteId !== null && (await updateNote(tx, formId, noteId, { note }, by.now))) return noteId
  const [id = null] = await insertNotes(tx, formId, [{ submissionId, note, instanceField: reviewField }], by)
  return id
}

export const changeReview = (
  deps: Deps,
  caller: Caller,
  pk: string,
  changes: Static<typeof ReviewChanges>,
): Promise<Review> =>
  underRecordLock(deps, caller, pk, async (tx, review, now) => {
    const { formId, submissionId, id } = review
    const status = changes.status ?? review.status
    const note = changes.note === undefined ? review.note : commentOf(changes.note)
    throwFaults(rejectionFaults(status, note))
    const noteId = await settleComment(tx, review, note, { createdBy: caller.id, now })
    await updateReview(tx, formId, id, { status, noteId }, now)
    await recordFormEvent(tx, { formId, verb: 'submission_reviewed', ids: [submissionId], userId: caller.id, now })
    return { ...review, status, note, noteId, modifiedAt: now }
  })

/** The record says again what the review before it said. */
export const removeReview = (deps: Deps, caller: Caller, pk: string): Promise<void> =>
  underRecordLock(deps, caller, pk, async (tx, { formId, id, noteId }, now) => {
    if (noteId !== null) await deleteNote(tx, formId, noteId)
    await hideReview(tx, formId, id, now)
  })
