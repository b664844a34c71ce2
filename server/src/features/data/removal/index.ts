// Records go and come back: deleting one or many, for a while or for good, the trash, and restoring.
export { deleteRoutes } from './delete.routes.js'
export { dataSettings } from './removal.settings.js'
export { restoreRoutes } from './restore.routes.js'
export { deletedView, isOfDeleted, sendDeleted } from './trash.js'
