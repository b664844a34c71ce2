// What somebody may do, with the reasons: the union over every grant. There is no second way to find it out.
import {
  type FormAction,
  formPermissions,
  highestRole,
  isSharedRole,
  type OrganizationAction,
  organizationPermissions,
  type ProjectAction,
  projectPermissions,
  type RoleName,
} from './roles.js'

/** One reason for a role: the owning account, a direct share, a team, owning the organization, or a share of the form
 * alone. */
export interface Grant {
  readonly role: RoleName
  readonly source: 'owner' | 'direct' | 'team' | 'organization' | 'form'
  /** The team or the organization that it comes through. */
  readonly through: string | null
}

export interface Access<Action extends string> {
  /** The highest of the granted roles; `member` when there is none. */
  readonly role: RoleName
  readonly grants: readonly Grant[]
  readonly allowed: ReadonlySet<Action>
  may(action: Action): boolean
}

const accessBy = <Action extends string>(
  table: Readonly<Record<RoleName, readonly Action[]>>,
  grants: readonly Grant[],
): Access<Action> => {
  const allowed = new Set(grants.flatMap(({ role }) => table[role]))
  return {
    role: highestRole(grants.map(({ role }) => role)),
    grants,
    allowed,
    may: (action) => allowed.has(action),
  }
}

export const formAccess = (grants: readonly Grant[]): Access<FormAction> => accessBy(formPermissions, grants)

export const projectAccess = (grants: readonly Grant[]): Access<ProjectAction> => accessBy(projectPermissions, grants)

/** Whether somebody with this access may give a role on the project away: only owners make owners. */
export const mayGiveRole = (access: Access<ProjectAction>, role: string): role is RoleName =>
  isSharedRole(role) && (role !== 'owner' || access.may('grant_owner'))

/** A form's managers share it; only its owners make owners. */
export const mayGiveFormRole = (access: Access<FormAction>, role: string): role is RoleName =>
  isSharedRole(role) && (role !== 'owner' || access.may('transfer'))

/** `undefined`: not a member at all. */
export const organizationAccess = (role: RoleName | undefined): Access<OrganizationAction> =>
  accessBy(organizationPermissions, role === undefined ? [] : [{ role, source: 'organization', through: null }])
