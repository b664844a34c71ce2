// The ten roles, least first, and what each allows. These tables are the one place where a role name means something;
// every other room asks them.

export const roleNames = [
  'member',
  'readonly-no-download',
  'readonly',
  'dataentry-only',
  'dataentry-minor',
  'dataentry',
  'editor-minor',
  'editor',
  'manager',
  'owner',
] as const

export type RoleName = (typeof roleNames)[number]

const isRoleName = (name: string): name is RoleName => (roleNames as readonly string[]).includes(name)

/** The later in the list, the higher. */
export const highestRole = (roles: readonly RoleName[]): RoleName =>
  roleNames.findLast((name) => roles.includes(name)) ?? 'member'

const formActions = [
  'view', // sees the form
  'view_all', // sees every submission
  'view_data', // sees submissions; without view_all only those of one's own
  'export',
  'submit',
  'change', // edits submissions and the form's words
  'delete_submission',
  'manage', // replaces the definition, shares, reviews
  'delete',
  'move',
  'transfer',
] as const

export type FormAction = (typeof formActions)[number]

export const projectActions = [
  'view',
  'view_all',
  'view_data',
  'export',
  'submit',
  'change_data', // edits the data of its forms
  'manage', // changes the project, its labels, its forms, whom it is shared with, its invitations
  'grant_owner', // makes others owners
  'delete',
  'transfer',
] as const

export type ProjectAction = (typeof projectActions)[number]

const organizationActions = [
  'view',
  'view_metadata',
  'create_projects',
  'change', // the organization, its members and its teams
] as const

export type OrganizationAction = (typeof organizationActions)[number]

type Table<Action extends string> = Readonly<Record<RoleName, readonly Action[]>>

const seeAll = ['view', 'view_all', 'view_data'] as const
const enterOwn = ['view', 'view_data', 'export', 'submit'] as const
const editOwn = [...enterOwn, 'change', 'delete_submission'] as const
const editAll = [...editOwn, 'view_all'] as const

export const formPermissions: Table<FormAction> = {
  member: [],
  'readonly-no-download': seeAll,
  readonly: [...seeAll, 'export'],
  'dataentry-only': ['view', 'submit'],
  'dataentry-minor': enterOwn,
  dataentry: [...enterOwn, 'view_all'],
  'editor-minor': editOwn,
  editor: editAll,
  manager: [...editAll, 'manage', 'delete'],
  owner: formActions,
}

const enterIntoProject = ['view', 'view_data', 'export', 'submit'] as const

export const projectPermissions: Table<ProjectAction> = {
  member: [],
  'readonly-no-download': ['view', 'view_all'],
  readonly: ['view', 'view_all', 'export'],
  'dataentry-only': ['view', 'submit'],
  'dataentry-minor': enterIntoProject,
  dataentry: [...enterIntoProject, 'view_all'],
  'editor-minor': [...enterIntoProject, 'change_data'],
  editor: [...enterIntoProject, 'view_all', 'change_data'],
  manager: [...enterIntoProject, 'view_all', 'change_data', 'manage'],
  owner: projectActions,
}

/** Every member sees the organization; that is what membership is. */
export const organizationPermissions: Table<OrganizationAction> = {
  member: ['view'],
  'readonly-no-download': ['view'],
  readonly: ['view'],
  'dataentry-only': ['view'],
  'dataentry-minor': ['view'],
  dataentry: ['view'],
  'editor-minor': ['view'],
  editor: ['view'],
  manager: ['view', 'view_metadata', 'create_projects'],
  owner: organizationActions,
}

/** Roles that a project can be shared with: all but `member`, which is none. `owner` is given by owners only. */
export const isSharedRole = (name: string): name is RoleName => isRoleName(name) && name !== 'member'

/** Roles that a member of an organization can be given; without one they are a plain member. */
export const organizationRoles = ['owner', 'manager', 'editor', 'dataentry', 'readonly'] as const

/** For statements that look for forms by what somebody may do with them. */
export const rolesThatMay = (action: FormAction): readonly RoleName[] =>
  roleNames.filter((role) => formPermissions[role].includes(action))

export const projectRolesThatMay = (action: ProjectAction): readonly RoleName[] =>
  roleNames.filter((role) => projectPermissions[role].includes(action))

/** What a form can make of the project's editors, of people who enter data, and of readers. */
const restrictions = [
  ['editor', 'editor-minor'],
  ['dataentry', 'dataentry-minor', 'dataentry-only'],
  ['readonly', 'readonly-no-download'],
] as const

/** `editor-minor|dataentry|readonly` as three roles; undefined for anything else. */
export const parseRestriction = (text: string): [editor: string, dataentry: string, readonly: string] | undefined => {
  const parts = text.split('|').map((part) => part.trim())
  const isKnown = parts.every((part, place) => (restrictions[place] as readonly string[] | undefined)?.includes(part))
  return parts.length === 3 && isKnown ? (parts as [string, string, string]) : undefined
}
