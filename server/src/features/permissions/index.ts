export {
  type Access,
  formAccess,
  type Grant,
  mayGiveFormRole,
  mayGiveRole,
  organizationAccess,
  projectAccess,
} from './access.js'
export {
  haveCommonGround,
  listFormsWithout,
  listProjectGrants,
  listProjectOwners,
  lockProject,
  manageOwnProjects,
  type ProjectShare,
  projectRoleRows,
  removeFormRoles,
  removeProjectRoles,
  removeRolesInOrganization,
  removeTeamRole,
  removeTeamRoles,
  setFormRoles,
  setMembersDefault,
  setProjectRoles,
  setTeamRole,
} from './grants.queries.js'
export { type Actor, type Lapsed, lossOf } from './lapsed.js'
export { couldStillGive, stillManages, stillMay } from './mandates.queries.js'
export {
  type FormAction,
  highestRole,
  isSharedRole,
  type OrganizationAction,
  organizationRoles,
  type ProjectAction,
  parseRestriction,
  projectActions,
  projectRolesThatMay,
  type RoleName,
  rolesThatMay,
} from './roles.js'
