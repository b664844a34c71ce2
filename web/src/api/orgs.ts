// Organizations, their members and their teams.
import { api, got, type Schemas } from './client'
import { conflictError } from './errors'

export type Organization = Schemas['Organization']
export type OrganizationMember = NonNullable<Organization['users']>[number]
export type Team = Schemas['Team']

export type OrganizationAction = 'view' | 'view_metadata' | 'create_projects' | 'change'

export const mayInOrg = (org: Pick<Organization, 'allowed'> | undefined, action: OrganizationAction): boolean =>
  org?.allowed.includes(action) === true

export const orgsKey = ['orgs']
export const listOrgs = (): Promise<Organization[]> => got(api.GET('/api/v1/orgs'))

export const orgKey = (org: string) => ['org', org] as const
const of = (org: string) => ({ params: { path: { org } } })

export const getOrg = (org: string): Promise<Organization> => got(api.GET('/api/v1/orgs/{org}', of(org)))

export interface OrganizationFields {
  readonly name?: string
  readonly description?: string
  readonly email?: string
  readonly website?: string
  readonly city?: string
  /** Two letters; blank for none. */
  readonly country?: Schemas['PatchOrganization']['country']
  readonly address?: string
  readonly phonenumber?: string
}

export const createOrg = (body: OrganizationFields & { org: string; name: string }): Promise<Organization> =>
  got(api.POST('/api/v1/orgs', { body }))

export const changeOrg = (org: string, body: OrganizationFields): Promise<Organization> =>
  got(api.PATCH('/api/v1/orgs/{org}', { ...of(org), body }))

/** `member` is who has no role of their own. */
export const addMember = (
  org: string,
  { username, role, email_msg }: { username: string; role: string; email_msg?: string },
): Promise<unknown> =>
  got(
    api.POST('/api/v1/orgs/{org}/members', {
      ...of(org),
      body: { username, ...(role !== 'member' && { role }), ...(email_msg && { email_msg }) },
    }),
  )

export const changeMember = (org: string, username: string, role: string): Promise<unknown> =>
  got(api.PUT('/api/v1/orgs/{org}/members', { ...of(org), body: { username, role } }))

export const removeMember = (org: string, username: string): Promise<unknown> =>
  got(api.DELETE('/api/v1/orgs/{org}/members', { ...of(org), body: { username } }))

export type Usage = Schemas['Usage']
export const usageKey = (org: string) => ['org', org, 'usage'] as const
export const getUsage = (org: string): Promise<Usage> => got(api.GET('/api/v1/orgs/{org}/usage', of(org)))

export const teamsKey = (org: string) => ['org', org, 'teams'] as const
export const listTeams = (org: string): Promise<Team[]> => got(api.GET('/api/v1/teams', { params: { query: { org } } }))

const team = (pk: number) => ({ params: { path: { pk } } })

export const createTeam = (organization: string, name: string): Promise<Team> =>
  got(api.POST('/api/v1/teams', { body: { organization, name } }))

export const renameTeam = (id: number, name: string): Promise<Team> =>
  got(api.PATCH('/api/v1/teams/{pk}', { ...team(id), body: { name } }))

export const deleteTeam = (id: number): Promise<unknown> => got(api.DELETE('/api/v1/teams/{pk}', team(id)))

export const addToTeam = (id: number, username: string): Promise<unknown> =>
  got(api.POST('/api/v1/teams/{pk}/members', { ...team(id), body: { username } }))

export const takeFromTeam = (id: number, username: string): Promise<unknown> =>
  got(api.DELETE('/api/v1/teams/{pk}/members', { ...team(id), body: { username } }))

/** Blank takes the team's role away. */
export const shareWithTeam = (id: number, project: number, role: string): Promise<unknown> =>
  got(
    api.POST('/api/v1/teams/{pk}/share', {
      ...team(id),
      body: role === '' ? { project, remove: true } : { project, role },
    }),
  )

/** Back to the role that was, unless somebody gave the team another one since. */
export const putTeamRoleBack = async (
  { teamid, organization }: Pick<Team, 'teamid' | 'organization'>,
  project: number,
  { given, before }: { given: string; before: string },
): Promise<void> => {
  const team = (await listTeams(organization)).find((one) => one.teamid === teamid)
  const role = team?.projects.find(({ projectid }) => projectid === project)?.default_role ?? ''
  if (team === undefined || role !== given) throw conflictError()
  await shareWithTeam(teamid, project, before)
}

/** Whoever left the organization meanwhile is not brought back into it. */
export const putBackInTeam = async (
  { teamid, organization }: Pick<Team, 'teamid' | 'organization'>,
  username: string,
): Promise<void> => {
  const { users } = await getOrg(organization)
  if (users?.some(({ user }) => user === username) !== true) throw conflictError()
  await addToTeam(teamid, username)
}
