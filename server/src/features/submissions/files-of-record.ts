// Which of a submission's files its record shows: for every name that an answer gives, one file.
import type { Db } from '../../platform/db/index.js'
import {
  hideAttachments,
  listStored,
  type StoredAttachment,
  showAttachments,
  updateRecordFiles,
} from './attachments.queries.js'

/** Of several files with one name: the one that is shown already, or the newest, which an edit brought. */
type Preference = 'shown' | 'newest'

const chosen = (files: readonly StoredAttachment[], preference: Preference): StoredAttachment | undefined =>
  (preference === 'shown' ? files.find(({ isShown }) => isShown) : undefined) ?? files.at(-1)

/** Call it under the lock of the submission, after files were added or answers changed. */
export const settleFiles = async (
  tx: Db,
  formId: number,
  submissionId: number,
  media: ReadonlyMap<string, string>,
  { preference, now }: { preference: Preference; now: Date },
): Promise<void> => {
  const stored = await listStored(tx, formId, submissionId)
  const shown = [...media].flatMap(([name, question]) => {
    const file = chosen(
      stored.filter((one) => one.name === name),
      preference,
    )
    return file === undefined ? [] : [{ ...file, question }]
  })
  const shownIds = new Set(shown.map(({ id }) => id))
  const hidden = stored.filter(({ id, isShown }) => isShown && !shownIds.has(id)).map(({ id }) => id)
  // First hidden, then shown: of one name only one may be shown at a time.
  await hideAttachments(tx, formId, hidden, now)
  await showAttachments(tx, formId, shown)
  await updateRecordFiles(
    tx,
    formId,
    submissionId,
    shown.sort((a, b) => a.id - b.id),
    media.size,
  )
}
