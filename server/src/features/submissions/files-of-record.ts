// Which of their files records show: for every name that an answer gives, one file.
import type { Db } from '../../platform/db/index.js'
import {
  type FileOfRecord,
  hideAttachments,
  listFilesOf,
  showAttachments,
  updateRecordFiles,
} from './attachments.queries.js'

/** Of several files with one name: the one that is shown already, or the newest, which an edit brought. */
export type Preference = 'shown' | 'newest'

interface RecordMedia {
  readonly id: number
  /** File names that answers give, each with the key of the question. */
  readonly media: ReadonlyMap<string, string>
}

interface Settling {
  readonly preference: Preference
  readonly now: Date
}

/** By record and name. A record may name as many files as it has: looked for one by one, 20,000 names among 5,000 files took
 * 1.5 seconds. */
const chosenFiles = (files: readonly FileOfRecord[], preference: Preference): FileOfRecord[] => {
  const chosen = new Map<string, FileOfRecord>()
  for (const file of files) {
    const key = `${file.submissionId}/${file.name}`
    if (preference === 'shown' && chosen.get(key)?.isShown === true) continue
    chosen.set(key, file)
  }
  return [...chosen.values()]
}

/** Answers what the records show from now on; their copies of it are for the caller to write. Call it under the lock of the
 * records, after files were added or answers changed. */
export const settleFiles = async (
  tx: Db,
  formId: number,
  records: readonly RecordMedia[],
  { preference, now }: Settling,
): Promise<FileOfRecord[]> => {
  const ids = records.map(({ id }) => id)
  const stored = await listFilesOf(tx, formId, ids)
  const media = new Map(records.map((record) => [record.id, record.media]))
  const shown = chosenFiles(stored, preference).flatMap((file) => {
    const question = media.get(file.submissionId)?.get(file.name)
    return question === undefined ? [] : [{ ...file, question }]
  })
  const shownIds = new Set(shown.map(({ id }) => id))
  const hidden = stored.filter(({ id, isShown }) => isShown && !shownIds.has(id)).map(({ id }) => id)
  // First hidden, then shown: of one name only one may be shown at a time.
  if (hidden.length > 0) await hideAttachments(tx, formId, hidden, now)
  if (shown.length > 0) await showAttachments(tx, formId, shown)
  return shown
}

/** The same, and the copies in the records. */
export const settleRecordFiles = async (
  tx: Db,
  formId: number,
  records: readonly RecordMedia[],
  settling: Settling,
): Promise<void> => {
  if (records.length === 0) return
  const shown = await settleFiles(tx, formId, records, settling)
  const totals = records.map(({ id, media }) => ({ id, mediaTotal: media.size }))
  await updateRecordFiles(tx, formId, totals, shown)
}
