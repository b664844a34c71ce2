import type { Room } from '../../platform/deps.js'
import { monthlySubmissionRoutes } from './monthly-submissions.routes.js'
import { profileRoutes } from './profiles.routes.js'
import { verificationRoutes } from './verification.routes.js'

export { metadataFault } from './metadata.js'
export { splitName } from './names.js'
export { insertProfile, type Metadata, type Profile, profileColumns, updateProfile } from './profiles.queries.js'
export { getOwnProfile } from './profiles.routes.js'
export { contactFields, ProfileParams, ProfileView } from './profiles.schemas.js'
export { profileSettings } from './profiles.settings.js'
export { avatarAddress, fullName, profileAddress, publicView, userAddress, type ViewContext } from './profiles.views.js'
export { registerFirst, registerFromTerminal, registerPerson } from './registration.js'
export { type Arrival, arrivalOf } from './verification.js'

export const profiles: Room = async (app, deps) => {
  await profileRoutes(app, deps)
  await verificationRoutes(app, deps)
  await monthlySubmissionRoutes(app, deps)
}
