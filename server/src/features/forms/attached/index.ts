export {
  type Dataview,
  type DataviewItem,
  type DataviewRow,
  dataviewColumns,
  findDataview,
  listDataviewsOf,
} from './dataviews.queries.js'
export { DataviewSummary, dataviewSummary, dataviewsOf } from './dataviews.views.js'
export { type Link, linkIn } from './media-links.js'
export {
  deleteFormMetadata,
  deleteFormMetadataOfType,
  deleteMetadata,
  findMetadata,
  insertMetadata,
  listMetadata,
  type Metadata,
  metadataGone,
  removedDocuments,
  stopLinks,
  updateFormMetadata,
} from './metadata.queries.js'
export { MetadataView, metadataView } from './metadata.views.js'
export { isPublicType, isSecretType } from './metadata-types.js'
export { missingFiles } from './named-files.js'
