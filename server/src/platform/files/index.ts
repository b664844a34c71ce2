// The bytes of files, in a folder or in S3.
export {
  FileKeyRefused,
  FileMissing,
  FileRangeRefused,
  FilesUrlRefused,
  FileTooLarge,
  StoreFull,
  StoreUnavailable,
} from './errors.js'
export type { ByteRange, ByteSource, FileContent, Files, ListedFile, StoredFile } from './files.js'
export { type FolderLocation, type Location, parseFilesUrl } from './location.js'
export { Meter } from './meter.js'
export { openFiles } from './open.js'
export { overlap } from './overlap.js'
export { readWhole } from './read-whole.js'
