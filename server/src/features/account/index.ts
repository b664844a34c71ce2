import type { Room } from '../../platform/deps.js'
import { accountRoutes } from './account.routes.js'
import { devicePasswordRoutes } from './device-password.routes.js'
import { resetRoutes } from './reset.routes.js'
import { sessionListRoutes } from './sessions.routes.js'
import { tokenRoutes } from './tokens.routes.js'

export { accountSettings } from './account.settings.js'
export { requestReset } from './reset.js'

export const account: Room = async (app, deps) => {
  await accountRoutes(app, deps)
  await tokenRoutes(app, deps)
  await devicePasswordRoutes(app, deps)
  await sessionListRoutes(app, deps)
  await resetRoutes(app, deps)
}
