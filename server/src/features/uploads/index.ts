export { extensionOf, hasDoubleExtension } from './file-names.js'
export { dropUploads, storeUpload, type Upload, uploadJobs } from './uploads.js'
export { insertPendingFiles, takeFiles } from './uploads.queries.js'
