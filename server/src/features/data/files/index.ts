// Files to take away: which formats there are, what a file is called, what is in it; all media of a form as one zip.
export {
  auditFileOf,
  auditNameOf,
  checkFile,
  type FileFormat,
  type FileRequest,
  fileNameOf,
  fileOf,
  fileTypeOf,
  isFileFormat,
} from './files.js'
