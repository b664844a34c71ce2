export { definitionTree } from './definition-tree.js'
export { readModelText } from './model-text.js'
export { type Definition, FormModels, formModels } from './models.js'
export {
  deleteStandIns,
  findSource,
  findVersionNumber,
  findXml,
  insertStandIn,
  insertVersion,
  listVersions,
  updateVersionXml,
} from './versions.queries.js'
