export { dropUploads, storeUpload, type Upload, uploadJobs } from './uploads.js'
export { takeFiles } from './uploads.queries.js'
