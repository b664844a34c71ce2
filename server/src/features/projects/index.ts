import type { Room } from '../../platform/deps.js'
import { invitationTokenRoutes } from './invitation-tokens.routes.js'
import { invitationRoutes } from './invitations.routes.js'
import { labelRoutes } from './labels.routes.js'
import type { ProjectForms } from './project-forms.js'
import { projectRoutes } from './projects.routes.js'
import type { DataviewsOf } from './projects.views.js'
import { sharingRoutes } from './sharing.routes.js'
import { starRoutes } from './stars.routes.js'

export type { ProjectForms } from './project-forms.js'
export { findFirstProject, findProject, touchProject } from './projects.queries.js'
export { ProjectParams } from './projects.schemas.js'
export {
  createProject,
  type FoundProject,
  findVisibleProject,
  mayOwn,
  projectFor,
  underProjectLock,
  visibleProject,
} from './projects.service.js'
export { projectSettings } from './projects.settings.js'

export const projects =
  (dataviewsOf: DataviewsOf, forms: ProjectForms): Room =>
  async (app, deps) => {
    await projectRoutes(app, deps, dataviewsOf, forms)
    await sharingRoutes(app, deps)
    await labelRoutes(app, deps)
    await starRoutes(app, deps, dataviewsOf)
    await invitationRoutes(app, deps)
    await invitationTokenRoutes(app, deps)
  }
