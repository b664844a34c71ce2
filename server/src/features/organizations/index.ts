import type { Room } from '../../platform/deps.js'
import { memberRoutes } from './members.routes.js'
import { organizationRoutes } from './organizations.routes.js'

export { findMemberRole, findOrganization, lockOrganization, type Organization } from './organizations.queries.js'
export { giveRole, personToAdd, removeMember } from './organizations.service.js'

export const organizations: Room = async (app, deps) => {
  await organizationRoutes(app, deps)
  await memberRoutes(app, deps)
}
