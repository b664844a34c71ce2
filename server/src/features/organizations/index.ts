import type { Room } from '../../platform/deps.js'
import { memberRoutes } from './members.routes.js'
import type { OrganizationTeams } from './organization-teams.js'
import { organizationRoutes } from './organizations.routes.js'

export type { OrganizationTeams } from './organization-teams.js'
export { findMemberRole, findOrganization, lockOrganization, type Organization } from './organizations.queries.js'
export { OrganizationParams } from './organizations.schemas.js'
export { giveRole, organizationFor, personToAdd, removeMember } from './organizations.service.js'

export const organizations =
  (teams: OrganizationTeams): Room =>
  async (app, deps) => {
    await organizationRoutes(app, deps, teams)
    await memberRoutes(app, deps, teams)
  }
