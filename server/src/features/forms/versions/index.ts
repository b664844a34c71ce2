export { definitionTree } from './definition-tree.js'
export { freeVersion, nextVersion } from './free-version.js'
export { readModelText } from './model-text.js'
export { type Definition, FormModels, formModels } from './models.js'
export {
  deleteStandIns,
  findSource,
  findVersionNumber,
  findXml,
  insertVersion,
  listVersions,
  putStandIn,
} from './versions.queries.js'
