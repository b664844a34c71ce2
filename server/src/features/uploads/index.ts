export { extensionOf, hasDoubleExtension } from './file-names.js'
export { dropUploads, storeUpload, type Upload, uploadJobs } from './uploads.js'
export {
  abandonedAfterMs,
  abandonedFiles,
  filesHeldKey,
  insertPendingFiles,
  renewPendingFiles,
  takeFiles,
  takenFiles,
} from './uploads.queries.js'
