// What every edit of records does, whoever sends it and however many they are: the records, their histories, their files,
// counts and deliveries.
import type { Db } from '../../platform/db/index.js'
import { recordDeliveries } from '../deliveries/index.js'
import { recordFormEvent } from '../messaging/index.js'
import {
  archiveVersions,
  claimInstanceIds,
  correctionSlot,
  moveCounts,
  type RecordEdit,
  updateRecords,
} from './edit.queries.js'
import { type Preference, settleFiles } from './files-of-record.js'
import { staleEdit } from './submissions.errors.js'

interface EditContext {
  readonly formId: number
  /** Null: somebody who did not sign in. */
  readonly editedBy: number | null
  /** null: it stays as it is. */
  readonly status: string | null
  /** Of the counter's rows, one that nobody else waits for. */
  readonly slot: number
  /** Of several files with one name, which is shown. */
  readonly preference: Preference
  readonly now: Date
}

/** The records are locked, live and each there once, and what is edited is what they were when they were read. Files that came
 * are stored. Events are for the caller to record. */
export const editRecords = async (tx: Db, context: EditContext, edits: readonly RecordEdit[]): Promise<void> => {
  if (edits.length === 0) return
  const { formId, slot, preference, now } = context
  const ids = edits.map(({ target }) => target.id)
  if ((await claimInstanceIds(tx, formId, edits)) < edits.length) throw staleEdit()
  await archiveVersions(tx, formId, ids, now)
  const records = edits.map(({ target, media }) => ({ id: target.id, media }))
  const files = await settleFiles(tx, formId, records, { preference, now })
  await updateRecords(tx, { ...context, files }, edits)
  const moves = edits.map(({ target, version, latitude }) => ({
    from: target.version,
    to: version,
    hasPlace: latitude !== null,
  }))
  await moveCounts(tx, formId, slot, moves)
  await recordDeliveries(tx, { formId, submissionIds: ids, change: 'edited', now })
}

/** One record, and that it happened. */
export const storeEdit = async (
  tx: Db,
  context: Omit<EditContext, 'status' | 'slot'> & { readonly deviceKey?: string | null },
  edit: RecordEdit,
): Promise<void> => {
  const { formId, editedBy: userId, deviceKey = null, now } = context
  await editRecords(tx, { ...context, status: null, slot: correctionSlot }, [edit])
  await recordFormEvent(tx, { formId, verb: 'submission_edited', ids: [edit.target.id], userId, deviceKey, now })
}
