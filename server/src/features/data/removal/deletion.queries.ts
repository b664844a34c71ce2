// What hangs on records goes with them when they are removed for good: each part is the text of the room that owns it.
import { type Db, sql } from '../../../platform/db/index.js'
import { thumbnailEndings } from '../../attachments/index.js'
import { removedDocuments } from '../../forms/index.js'
import { removedNotes } from '../../notes/index.js'
import { removedReviews } from '../../reviews/index.js'
import { type Deletion, type RemovedWithRecords, removeRecords } from '../../submissions/index.js'
import { abandonedFiles } from '../../uploads/index.js'

/** Files are left to the purge of files that belong to nothing. */
const hanging =
  ({ formId }: Deletion): RemovedWithRecords =>
  ({ records, files }) => {
    const keys = sql`
      select file_key || ending as file_key from ${files} cross join unnest(${['', ...thumbnailEndings]}::text[]) as ending
      where ending = '' or mimetype like 'image/%'`
    const documentKeys = sql`select file_key from documents where file_key is not null`
    return sql`
      abandoned as (${abandonedFiles({ keys, isKept: true })}),
      notes as (${removedNotes(formId, records)}),
      reviews as (${removedReviews(formId, records)}),
      documents as (${removedDocuments(formId, records)}),
      abandoned_documents as (${abandonedFiles({ keys: documentKeys, isKept: true })})`
  }

export const removeRecordsForGood = (db: Db, deletion: Deletion): Promise<number[]> =>
  removeRecords(db, deletion, hanging(deletion))
