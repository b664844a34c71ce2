// Adding, changing and deleting notes. Whoever has a role that shows them the record may add; a note is its author's.
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, forbidden, invalid, notFound } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { formModels } from '../forms/index.js'
import { findRecord, type SeenRecord, type Sight, sightOf, unknownRecord } from '../sight/index.js'
import { lockRecord, updateRecordNotes } from '../submissions/index.js'
import { notAQuestion, noteOfReview, otherRecord, tooManyNotes } from './notes.errors.js'
import {
  countNotesOfRecord,
  deleteNote,
  findNote,
  insertNotes,
  type Note,
  notesOfRecord,
  updateNote,
} from './notes.queries.js'
import type { NoteBody, NoteChanges } from './notes.schemas.js'

/** In place of a question: the note is the comment of a review, and changes with it. */
export const reviewField = '_review_status'

/** They stand in the record, which is written anew with each. */
const mostNotes = 1000

export const visibleNote = async (db: Db, caller: Caller, pk: string): Promise<{ note: Note; sight: Sight }> => {
  const sight = await sightOf(db, caller)
  const note = /^\d{1,15}$/.test(pk) ? await findNote(db, sight, Number(pk)) : undefined
  if (note === undefined) throw notFound()
  return { note, sight }
}

/** A question of the definition that the record was read by, or of another one that the form has had. */
const checkQuestion = async (deps: Deps, record: SeenRecord, key: string | null): Promise<void> => {
  if (key === null) return
  const models = formModels(deps.db)
  const own = await models.get(deps.db, record.formId, record.modelNumber)
  if (own.fields.byKey.has(key)) return
  const all = await models.all(deps.db, record.formId)
  if (!all.some(({ fields }) => fields.byKey.has(key))) throw notAQuestion()
}

/** Under the record's lock, with the copy in the record following. A record that went meanwhile is missing. */
const underRecordLock = <T>(
  { db, clock }: Deps,
  { formId, id }: { formId: number; id: number },
  work: (tx: Db, now: Date) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    const record = await lockRecord(tx, formId, id)
    if (record === undefined || record.isDeleted) throw notFound()
    const now = clock.now()
    const result = await work(tx, now)
    await updateRecordNotes(tx, formId, id, notesOfRecord(formId), now)
    return result
  })

/** That the data are public lets everybody read, not write. */
const refuseReader = (sight: Sight, record: SeenRecord): void => {
  if (!sight.mayWith(record, 'view_data')) throw forbidden()
}

export const addNote = async (deps: Deps, caller: Caller, body: Static<typeof NoteBody>): Promise<Note> => {
  const sight = await sightOf(deps.db, caller)
  const record = await findRecord(deps.db, sight, body.instance)
  if (record === undefined) throw invalid({ instance: [unknownRecord(body.instance)] })
  refuseReader(sight, record)
  const instanceField = body.instance_field || null
  await checkQuestion(deps, record, instanceField)
  const { formId, id: submissionId } = record
  return underRecordLock(deps, record, async (tx, now) => {
    if ((await countNotesOfRecord(tx, formId, submissionId)) >= mostNotes) throw tooManyNotes(mostNotes)
    const new_ = { submissionId, note: body.note, instanceField }
    const [id] = await insertNotes(tx, formId, [new_], { createdBy: caller.id, now })
    const author = { createdBy: caller.id, owner: caller.username }
    return { ...new_, ...author, id: id as number, formId, createdAt: now, modifiedAt: now }
  })
}

const refuseReviewComment = ({ instanceField }: Note): void => {
  if (instanceField === reviewField) throw noteOfReview()
}

const recordOf = async (db: Db, sight: Sight, { formId, submissionId }: Note): Promise<SeenRecord> => {
  const record = await findRecord(db, { ...sight, formIds: [formId] }, submissionId)
  if (record === undefined) throw notFound()
  return record
}

export const changeNote = async (
  deps: Deps,
  caller: Caller,
  pk: string,
  body: Static<typeof NoteChanges>,
): Promise<Note> => {
  const { note, sight } = await visibleNote(deps.db, caller, pk)
  if (note.createdBy !== caller.id) throw forbidden()
  const record = await recordOf(deps.db, sight, note)
  refuseReader(sight, record)
  refuseReviewComment(note)
  if (body.instance !== undefined && body.instance !== note.submissionId) throw otherRecord()
  const instanceField = body.instance_field === undefined ? undefined : body.instance_field || null
  await checkQuestion(deps, record, instanceField ?? null)
  await underRecordLock(deps, record, async (tx, now) => {
    if (!(await updateNote(tx, note.formId, note.id, { note: body.note, instanceField }, now))) throw notFound()
  })
  return (await visibleNote(deps.db, caller, pk)).note
}

/** The author's own; those who manage the form may delete any. */
export const removeNote = async (deps: Deps, caller: Caller, pk: string): Promise<void> => {
  const { note, sight } = await visibleNote(deps.db, caller, pk)
  if (note.createdBy !== caller.id && !sight.may(note.formId, 'manage')) throw forbidden()
  refuseReader(sight, await recordOf(deps.db, sight, note))
  refuseReviewComment(note)
  await underRecordLock(deps, { formId: note.formId, id: note.submissionId }, async (tx) => {
    if (!(await deleteNote(tx, note.formId, note.id))) throw notFound()
  })
}
