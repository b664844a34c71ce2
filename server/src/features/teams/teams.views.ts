import { type Db, grouped } from '../../platform/db/index.js'
import type { Static } from '../../platform/schema/index.js'
import { listTeamRoles, type TeamRole } from '../permissions/index.js'
import { listOrganizationProjects, listTeamUsers, type Team, type TeamUser } from './teams.queries.js'
import type { TeamView } from './teams.schemas.js'

type View = Static<typeof TeamView>

const userView = ({ id, username, firstName, lastName }: TeamUser) => ({
  id,
  username,
  first_name: firstName,
  last_name: lastName,
})

/** Three statements for however many teams. A view is made when it is asked for: every team shows every project of its
 * organization, and together they may be millions. */
export const teamViews = async (db: Db, origin: string, teams: readonly Team[]): Promise<(team: Team) => View> => {
  const ids = teams.map(({ id }) => id)
  const orgIds = [...new Set(teams.map(({ orgId }) => orgId))]
  const projects = grouped(await listOrganizationProjects(db, orgIds), ({ orgId }) => orgId)
  const roles = grouped(await listTeamRoles(db, { teamIds: ids }), ({ teamId }) => teamId)
  const users = grouped(await listTeamUsers(db, ids), ({ teamId }) => teamId)
  return ({ id: teamId, name, organization, orgId }) => {
    const rolesOf = new Map((roles.get(teamId) ?? []).map(({ projectId, role }: TeamRole) => [projectId, role]))
    return {
      teamid: teamId,
      url: `${origin}/api/v1/teams/${teamId}`,
      name,
      organization,
      projects: (projects.get(orgId) ?? []).map((project) => ({
        name: project.name,
        projectid: project.id,
        default_role: rolesOf.get(project.id) ?? '',
      })),
      users: (users.get(teamId) ?? []).map(userView),
    }
  }
}

/** The list as JSON, a team at a time. */
export function* teamsText(teams: readonly Team[], viewOf: (team: Team) => View): Generator<string> {
  yield '['
  for (const [place, team] of teams.entries()) yield (place === 0 ? '' : ',') + JSON.stringify(viewOf(team))
  yield ']'
}
