export { type Access, type Grant, mayGiveRole, organizationAccess, projectAccess } from './access.js'
export {
  listProjectGrants,
  listProjectOwners,
  lockProject,
  manageOwnProjects,
  removeProjectRoles,
  removeRolesInOrganization,
  removeTeamRole,
  removeTeamRoles,
  setMembersDefault,
  setProjectRoles,
  setTeamRole,
} from './grants.queries.js'
export {
  highestRole,
  isSharedRole,
  type OrganizationAction,
  organizationRoles,
  type ProjectAction,
  projectActions,
  type RoleName,
} from './roles.js'
