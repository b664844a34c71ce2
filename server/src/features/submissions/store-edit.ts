// What every edit of one record does, whoever sends it: the record, its history, its files, counts, events and deliveries.
import type { Db } from '../../platform/db/index.js'
import { recordDeliveries } from '../deliveries/index.js'
import { recordFormEvent } from '../messaging/index.js'
import { archiveVersion, claimInstanceId, type Edit, moveCount, updateSubmission } from './edit.queries.js'
import { settleFiles } from './files-of-record.js'
import { staleEdit } from './submissions.errors.js'

export interface StoredEdit {
  readonly formId: number
  readonly submissionId: number
  readonly versionBefore: string
  readonly edit: Edit & { readonly editedBy: number }
  /** Of several files with one name, which is shown: see `settleFiles`. */
  readonly files: 'shown' | 'newest'
  readonly now: Date
}

/** The record is locked and live, and what is edited is what it was when it was read. Files that came are stored. */
export const storeEdit = async (
  tx: Db,
  { formId, submissionId, versionBefore, edit, files, now }: StoredEdit,
): Promise<void> => {
  if (!(await claimInstanceId(tx, formId, edit.uuid, submissionId))) throw staleEdit()
  await archiveVersion(tx, formId, submissionId, now)
  await updateSubmission(tx, formId, submissionId, edit, now)
  await moveCount(tx, formId, versionBefore, edit.version, edit.latitude !== null)
  await settleFiles(tx, formId, submissionId, edit.media, { preference: files, now })
  await recordFormEvent(tx, { formId, verb: 'submission_edited', ids: [submissionId], userId: edit.editedBy, now })
  await recordDeliveries(tx, { formId, submissionIds: [submissionId], change: 'edited', now })
}
