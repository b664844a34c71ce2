export { addressOf, type FormPlace } from './attachment-names.js'
export { type ChangeRecord, recordChanger } from './change-record.js'
export {
  type Deletion,
  hideRecords,
  type RemovedWithRecords,
  removeRecords,
  restoreRecords,
} from './deletion.queries.js'
export {
  correctionSlot,
  type EditTarget,
  listContents,
  lockByInstanceIds,
  lockRecord,
  moveCounts,
  type RecordContent,
} from './edit.queries.js'
export { entriesIn, textsAt, valuesAt } from './entries.queries.js'
export { settleRecordFiles } from './files-of-record.js'
export { fileName, storeFile } from './incoming-files.js'
export {
  addTags,
  addTagsToMany,
  type ManyTags,
  removeTag,
  removeTagsFromMany,
  type TagChange,
  updateRecordNotes,
  updateRecordReviews,
} from './kept-on-records.queries.js'
export type { Submitter } from './premises.js'
export { insertSubmissions } from './receive.queries.js'
export type { Outcome } from './receiving.js'
export {
  builtinFields,
  type RecordForm,
  recordFields,
  recordJoins,
  recordText,
  showsDevices,
} from './record.queries.js'
export { repairRecords, repairVersions } from './repair.queries.js'
export { editRecords } from './store-edit.js'
export {
  type Arrival,
  arrivalOf,
  type Derived,
  type Device,
  derive,
  largeXmlBytes,
  type ReceivedFile,
} from './submission.js'
export * from './submissions.errors.js'
export { thumbnailJob } from './submissions.jobs.js'
export { countRefusals } from './submissions.metrics.js'
export { arrivalIn, readArrival, Submissions, type Submitted } from './submit.js'
export { checkEncryption, type TargetScope } from './target.js'
