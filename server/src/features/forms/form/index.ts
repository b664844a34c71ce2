export {
  type CollectableForm,
  type Collecting,
  type CollectingAccount,
  findAccountOf,
  findCollectingAccount,
  isInReach,
  listCollectable,
  listCollectableBy,
} from './collecting.queries.js'
export { formDetail } from './detail.js'
export { listFormUsers, listVersionCounts } from './details.queries.js'
export { formFileRoutes, sendDefinitionTree } from './files.routes.js'
export {
  countForms,
  countPublicForms,
  type Form,
  type FormFilter,
  findForm,
  idKey,
  insertForm,
  listForms,
  listFormsBy,
  listFormsByIdString,
  listFormsByUuid,
  listFormsOfIds,
  listIdsLike,
  listPublicForms,
  lockForm,
  type SubmissionScope,
  setFormPlace,
  setRestriction,
  updateForm,
} from './form.queries.js'
export { formRoutes } from './form.routes.js'
export { DefinitionTree, FormParams, FormView, State } from './form.schemas.js'
export {
  asFormManager,
  type DataSight,
  dataSight,
  definitionFor,
  type FoundForm,
  findVisibleDefinition,
  findVisibleForm,
  formFor,
  underFormLock,
  visibleDefinition,
  visibleForm,
  withAccess,
} from './form.service.js'
export { submissionsOf } from './form.views.js'
export { formLabelRoutes } from './labels.routes.js'
export { isDownloadable, sendSource, sendXForm } from './source-file.js'
export { type FormState, type NextState, nextState, stateAt, takesRecords } from './states.js'
export { findIsTaking, isTaking } from './states.queries.js'
export { isStillTarget, isUnchanged, presentForm, type SubmittingBy } from './unchanged.queries.js'
