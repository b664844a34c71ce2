import type { Room } from '../../platform/deps.js'
import type { Compilers, GoneWithForms } from '../forms/index.js'
import { draftContentRoutes } from './draft-contents.routes.js'
import { draftFileRoutes } from './draft-files.routes.js'
import { draftJobs } from './drafts.jobs.js'
import { draftRoutes } from './drafts.routes.js'

export { type DraftMedia, findDraftMedia, listDraftMedia } from './draft-media.queries.js'
export { noDraft } from './drafts.errors.js'
export { type DeviceDraft, findDraft, findDraftOfKey, getDraftTexts } from './drafts.queries.js'
export { testName } from './keep-draft.js'
export { modelIn } from './model-in.js'
export { DraftReceiving } from './receive-draft.js'

export const drafts =
  (compilers: Compilers, dataviews: GoneWithForms): Room =>
  async (app, deps) => {
    draftJobs(deps)
    await draftRoutes(app, deps, compilers, dataviews)
    await draftContentRoutes(app, deps)
    await draftFileRoutes(app, deps)
  }
