import type { Room } from '../../platform/deps.js'
import type { Compilers } from './compilers.js'
import type { GoneWithForms } from './deletion.queries.js'
import { formFileRoutes } from './form-files.routes.js'
import { formLabelRoutes } from './form-labels.routes.js'
import { formSharingRoutes } from './form-sharing.routes.js'
import { formRoutes } from './forms.routes.js'
import { publishRoutes } from './publish.routes.js'

export {
  type CollectableForm,
  type Collecting,
  type CollectingAccount,
  findAccountOf,
  findCollectingAccount,
  isInReach,
  listCollectable,
} from './collecting.queries.js'
export { type Compilers, openCompilers } from './compilers.js'
export {
  type Dataview,
  type DataviewItem,
  type DataviewRow,
  dataviewColumns,
  findDataview,
  listDataviewsOf,
} from './dataviews.queries.js'
export { DataviewSummary, dataviewSummary, dataviewsOf } from './dataviews.views.js'
export type { GoneWithForms } from './deletion.queries.js'
export { largestFormBytes } from './file-kinds.js'
export { formDetail } from './form-detail.js'
export { listFormUsers } from './form-details.queries.js'
export { sendDefinitionTree } from './form-files.routes.js'
export { findXml } from './form-versions.queries.js'
export {
  countForms,
  countPublicForms,
  type Form,
  type FormFilter,
  findForm,
  listForms,
  listFormsByIdString,
  listFormsByUuid,
  listFormsOfIds,
  listPublicForms,
  type SubmissionScope,
} from './forms.queries.js'
export { DefinitionTree, FormParams, FormRefusal, FormUpload, FormView, MetadataView } from './forms.schemas.js'
export {
  type DataSight,
  dataSight,
  type FoundForm,
  findVisibleDefinition,
  findVisibleForm,
  formFor,
  underFormLock,
  visibleDefinition,
  visibleForm,
  withAccess,
} from './forms.service.js'
export { metadataView } from './forms.views.js'
export { type Link, linkIn } from './media-links.js'
export {
  deleteMetadata,
  findMetadata,
  insertMetadata,
  listMetadata,
  type Metadata,
  removedDocuments,
  stopLinks,
} from './metadata.queries.js'
export { isPublicType, isSecretType } from './metadata-types.js'
export { type Definition, FormModels, formModels } from './models.js'
export { projectForms } from './project-forms.queries.js'
export { refuseReplacement } from './replace.js'
export { type Replacement, readReplacement } from './replacement.js'
export { liftRestriction, restrictForm, restrictionType } from './restriction.js'
export { projectIdIn } from './target.js'

export const forms =
  (compilers: Compilers, dataviews: GoneWithForms): Room =>
  async (app, deps) => {
    await publishRoutes(app, deps, compilers)
    await formRoutes(app, deps, compilers, dataviews)
    await formFileRoutes(app, deps)
    await formSharingRoutes(app, deps, compilers)
    await formLabelRoutes(app, deps)
  }
