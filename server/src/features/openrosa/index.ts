import type { Deps, Room } from '../../platform/deps.js'
import type { App } from '../../platform/http/index.js'
import type { Submissions } from '../submissions/index.js'
import { apiSubmissionRoutes } from './api-submissions.routes.js'
import { formListRoutes } from './form-list.routes.js'
import { keyDoorRoutes } from './key-door.routes.js'
import { submissionRoutes } from './submission.routes.js'

export { openRosaSettings } from './openrosa.settings.js'
export { plainMessage, xmlErrors } from './openrosa-xml.js'
export { findScope } from './scope.js'
export { openRosaHeaders, PlaceParams, places, sendXml } from './submission.routes.js'

/** At the root of the server, where devices look for it. */
export const openRosa =
  (submissions: Submissions, receiving: Deps): Room =>
  async (app, deps) => {
    await formListRoutes(app, deps)
    await submissionRoutes(app, receiving, submissions)
    await app.register(async (scope: App) => keyDoorRoutes(scope, { deps, receiving, submissions }))
  }

/** /api/v1/submissions: the same as XML, and JSON. */
export const apiSubmissions =
  (submissions: Submissions): Room =>
  (app, deps) =>
    apiSubmissionRoutes(app, deps, submissions)
