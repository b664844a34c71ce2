import type { Room } from '../../platform/deps.js'
import { monthlySubmissionRoutes } from './monthly-submissions.routes.js'
import { profileRoutes } from './profiles.routes.js'
import { verificationRoutes } from './verification.routes.js'

export { type Profile, profileColumns } from './profiles.queries.js'
export { getOwnProfile } from './profiles.routes.js'
export { ProfileParams } from './profiles.schemas.js'
export { profileSettings } from './profiles.settings.js'
export { avatarAddress, fullName, profileAddress, userAddress } from './profiles.views.js'
export { registerFromTerminal } from './registration.js'

export const profiles: Room = async (app, deps) => {
  await profileRoutes(app, deps)
  await verificationRoutes(app, deps)
  await monthlySubmissionRoutes(app, deps)
}
