export { extensionOf, hasDoubleExtension } from './file-names.js'
export { filesGone } from './uploads.errors.js'
export { dropUploads, storeUpload, type Upload, uploadJobs } from './uploads.js'
export {
  abandonedFiles,
  filesHeldKey,
  insertPendingFiles,
  orFilesGone,
  renewPendingFiles,
  takeFiles,
  takenFiles,
} from './uploads.queries.js'
