import type { Room } from '../../platform/deps.js'
import { changingRoutes, type GoneWithForms } from './changing/index.js'
import type { Compilers } from './compiling/index.js'
import { formFileRoutes, formLabelRoutes, formRoutes } from './form/index.js'
import { cloneRoutes, publishRoutes, replaceRoutes } from './publishing/index.js'

export {
  type Dataview,
  type DataviewItem,
  type DataviewRow,
  DataviewSummary,
  dataviewColumns,
  dataviewSummary,
  dataviewsOf,
  deleteFormMetadata,
  deleteMetadata,
  findDataview,
  findMetadata,
  insertMetadata,
  isPublicType,
  isSecretType,
  type Link,
  linkIn,
  listDataviewsOf,
  listMetadata,
  type Metadata,
  MetadataView,
  metadataView,
  missingFiles,
  removedDocuments,
  stopLinks,
} from './attached/index.js'
export {
  deleteForms,
  type GoneWithForms,
  liftRestriction,
  projectForms,
  projectIdIn,
  restrictForm,
  restrictionType,
  underProjectAndFormLock,
} from './changing/index.js'
export {
  type Compilers,
  type Draft,
  type FinalForm,
  FormRefusal,
  finalize,
  largestFormBytes,
  openCompilers,
  readDraft,
  refuseWide,
  sourceOf,
  versionAt,
  versionFault,
} from './compiling/index.js'
export {
  asFormManager,
  type CollectableForm,
  type Collecting,
  type CollectingAccount,
  countForms,
  countPublicForms,
  type DataSight,
  DefinitionTree,
  dataSight,
  definitionFor,
  type Form,
  type FormFilter,
  FormParams,
  FormView,
  type FoundForm,
  findAccountOf,
  findCollectingAccount,
  findForm,
  findIsTaking,
  findVisibleDefinition,
  findVisibleForm,
  formDetail,
  formFor,
  idKey,
  isDownloadable,
  isInReach,
  isStillTarget,
  isTaking,
  isUnchanged,
  listCollectable,
  listCollectableBy,
  listForms,
  listFormsBy,
  listFormsByIdString,
  listFormsByUuid,
  listFormsOfIds,
  listFormUsers,
  listPublicForms,
  presentForm,
  type SubmissionScope,
  type SubmittingBy,
  sendDefinitionTree,
  sendSource,
  sendXForm,
  takesRecords,
  updateForm,
  visibleDefinition,
  visibleForm,
  withAccess,
} from './form/index.js'
export {
  FormSource,
  FormUpload,
  insertDefinition,
  isPublicIn,
  type KeepDraft,
  keepingFiles,
  type MadeForm,
  type Pushed,
  publishForm,
  pushForm,
  type Replacement,
  readReplacement,
  refuseDraft,
  refuseReplacement,
} from './publishing/index.js'
export {
  type Definition,
  deleteStandIns,
  FormModels,
  findXml,
  formModels,
  freeVersion,
  listVersions,
  putStandIn,
  readModelText,
} from './versions/index.js'

export const forms =
  (compilers: Compilers, dataviews: GoneWithForms): Room =>
  async (app, deps) => {
    await publishRoutes(app, deps, compilers)
    await formRoutes(app, deps)
    await replaceRoutes(app, deps, compilers)
    await formFileRoutes(app, deps)
    await changingRoutes(app, deps, dataviews)
    await cloneRoutes(app, deps, compilers)
    await formLabelRoutes(app, deps)
  }
