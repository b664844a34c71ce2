// Editing many records in one transaction: what an edit by a device does to one, done to all of them together.
import type { Db } from '../../platform/db/index.js'
import { recordDeliveries } from '../deliveries/index.js'
import { hideAttachments, showAttachments } from './attachments.queries.js'
import {
  archiveVersions,
  type BulkTarget,
  type CountChange,
  changeCounts,
  claimInstanceIds,
  type FileOfRecord,
  listFilesOf,
  type RecordEdit,
  updateRecords,
} from './bulk-edit.queries.js'

export interface BulkEdit extends RecordEdit {
  readonly target: BulkTarget
}

interface Context {
  readonly formId: number
  readonly editedBy: number
  readonly status: string
  readonly slot: number
  readonly now: Date
}

/** The targets are locked, live and each there once; the instance ids are new. Events are for the caller to record. */
export const editRecords = async (tx: Db, context: Context, edits: readonly BulkEdit[]): Promise<void> => {
  if (edits.length === 0) return
  const { formId, slot, now } = context
  const ids = edits.map(({ submissionId }) => submissionId)
  await claimInstanceIds(tx, formId, edits)
  await archiveVersions(tx, formId, ids, now)
  const files = await settleFilesOf(tx, formId, edits, now)
  await updateRecords(tx, { ...context, files }, edits)
  await changeCounts(tx, formId, slot, countChanges(edits))
  await recordDeliveries(tx, { formId, submissionIds: ids, change: 'edited', now })
}

/** An edit brings no files here: of several with one name, the one that is shown stays. */
const settleFilesOf = async (
  tx: Db,
  formId: number,
  edits: readonly BulkEdit[],
  now: Date,
): Promise<FileOfRecord[]> => {
  const stored = await listFilesOf(
    tx,
    formId,
    edits.map(({ submissionId }) => submissionId),
  )
  if (stored.length === 0) return []
  const media = new Map(edits.map((edit) => [edit.submissionId, edit.media]))
  const shown = [...chosenOf(stored).values()].flatMap((file) => {
    const question = media.get(file.submissionId)?.get(file.name)
    return question === undefined ? [] : [{ ...file, question }]
  })
  const shownIds = new Set(shown.map(({ id }) => id))
  const hidden = stored.filter(({ id, isShown }) => isShown && !shownIds.has(id)).map(({ id }) => id)
  await hideAttachments(tx, formId, hidden, now)
  await showAttachments(tx, formId, shown)
  return shown
}

const chosenOf = (files: readonly FileOfRecord[]): Map<string, FileOfRecord> => {
  const chosen = new Map<string, FileOfRecord>()
  for (const file of files) {
    const key = `${file.submissionId}/${file.name}`
    if (chosen.get(key)?.isShown !== true) chosen.set(key, file)
  }
  return chosen
}

const countChanges = (edits: readonly BulkEdit[]): CountChange[] => {
  const changes = new Map<string, { more: number; hasPlaces: boolean }>()
  const of = (version: string) => {
    const change = changes.get(version) ?? { more: 0, hasPlaces: false }
    changes.set(version, change)
    return change
  }
  for (const { target, version, latitude } of edits) {
    of(target.version).more -= 1
    of(version).more += 1
    if (latitude !== null) of(version).hasPlaces = true
  }
  return [...changes].map(([version, change]) => ({ version, ...change }))
}
