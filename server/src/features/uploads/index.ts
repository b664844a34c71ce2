export { extensionOf, hasDoubleExtension } from './file-names.js'
export { dropUploads, storeUpload, type Upload, uploadJobs } from './uploads.js'
export {
  abandonedAfterMs,
  abandonedFiles,
  filesHeldKey,
  insertPendingFiles,
  takeFiles,
  takenFiles,
} from './uploads.queries.js'
