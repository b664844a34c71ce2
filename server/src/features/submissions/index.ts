export { addressOf, type FormPlace } from './attachment-names.js'
export { editRecords } from './bulk-edit.js'
export {
  type BulkTarget,
  changeCounts,
  listContents,
  lockByInstanceIds,
  type RecordContent,
} from './bulk-edit.queries.js'
export { type ChangeRecord, recordChanger } from './change-record.js'
export { lockRecord } from './edit.queries.js'
export { entriesIn, textsAt, valuesAt } from './entries.queries.js'
export { settleFiles } from './files-of-record.js'
export { fileName, storeFile } from './incoming-files.js'
export { insertSubmissions } from './receive.queries.js'
export type { Outcome } from './receiving.js'
export { builtinFields, type RecordForm, recordFields, recordJoins, recordText } from './record.queries.js'
export { type Arrival, arrivalOf, type Derived, derive, largeXmlBytes, type ReceivedFile } from './submission.js'
export * from './submissions.errors.js'
export { thumbnailJob } from './submissions.jobs.js'
export { countRefusals } from './submissions.metrics.js'
export { readArrival, Submissions, type Submitted } from './submit.js'
export type { FindTarget } from './target.js'
