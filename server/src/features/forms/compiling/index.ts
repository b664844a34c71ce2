export { refuseWide } from './all-versions.js'
export { type Compilers, openCompilers } from './compilers.js'
export { formRefused } from './compiling.errors.js'
export { FormRefusal } from './compiling.schemas.js'
export {
  type Draft,
  type FinalForm,
  finalize,
  longestId,
  newUuid,
  readDraft,
  type Source,
  titleFault,
  versionAt,
  versionFault,
} from './definition.js'
export { isSpreadsheet, largestFormBytes } from './file-kinds.js'
export { hasSource, sourceOf } from './source.js'
