// Teams of organizations: /teams. Owners of the organization manage them, members see those they are in.
import { orConflict } from '../../platform/db/index.js'
import type { Room } from '../../platform/deps.js'
import { errors, faultsFrom, forbidden, NoBody, sendJsonPieces, throwFaults } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { findOrganization } from '../organizations/index.js'
import { lockProject, organizationAccess, type RoleName, removeTeamRole, setTeamRole } from '../permissions/index.js'
import { normalizeUsername } from '../users/index.js'
import { organizationFixed, teamNameTaken, unknownOrganization, unknownProject } from './teams.errors.js'
import {
  deleteTeam,
  insertTeam,
  isOrganizationProject,
  listTeams,
  listTeamUsers,
  renameTeam,
  type Team,
} from './teams.queries.js'
import {
  ChangeTeam,
  CreateTeam,
  ShareWithTeam,
  TeamMember,
  TeamParams,
  TeamsQuery,
  TeamView,
  UserNames,
} from './teams.schemas.js'
import { customTeam, joinTeam, leaveTeam, managedTeam, underTeamLock, visibleTeam } from './teams.service.js'
import { teamsText, teamViews } from './teams.views.js'

export const teamRoutes: Room = async (app, deps) => {
  const { db, clock } = deps

  const viewOf = async (origin: string, callerId: number, pk: string) => {
    const team = await visibleTeam(db, callerId, pk)
    return (await teamViews(db, origin, [team]))(team)
  }
  const namesIn = async (team: Team) => (await listTeamUsers(db, [team.id])).map(({ username }) => username)

  app.get(
    '/teams',
    {
      config: { operation: 'team.list', access: 'user' },
      schema: {
        summary: 'Teams that the caller may see',
        tags: ['teams'],
        querystring: TeamsQuery,
        response: { 200: Type.Array(TeamView), ...errors(400, 401) },
      },
    },
    async ({ query, caller, origin }, reply) => {
      const teams = await listTeams(db, caller.id, query.org)
      return sendJsonPieces(reply, teamsText(teams, await teamViews(db, origin, teams))) as never
    },
  )

  app.get(
    '/teams/:pk',
    {
      config: { operation: 'team.get', access: 'user' },
      schema: {
        summary: 'One team',
        tags: ['teams'],
        params: TeamParams,
        response: { 200: TeamView, ...errors(401, 404) },
      },
    },
    async ({ params, caller, origin }) => viewOf(origin, caller.id, params.pk),
  )

  app.post(
    '/teams',
    {
      config: { operation: 'team.create', access: 'user' },
      schema: {
        summary: 'Make a team',
        description: 'For owners of the organization.',
        tags: ['teams'],
        body: CreateTeam,
        response: { 201: TeamView, ...errors(400, 401, 403) },
      },
    },
    async ({ body, caller, origin }, reply) => {
      const organization = await findOrganization(db, caller.id, body.organization)
      const access = organizationAccess(organization?.callerRole ?? undefined)
      if (organization === undefined || !access.may('view')) throw unknownOrganization(body.organization)
      if (!access.may('change')) throw forbidden()
      const team = { orgId: organization.id, name: body.name, createdBy: caller.id, now: clock.now() }
      const id = await orConflict(insertTeam(db, team), { teams__org_id_name: teamNameTaken })
      const view = await viewOf(origin, caller.id, String(id))
      return reply.code(201).header('location', view.url).send(view)
    },
  )

  for (const method of ['PUT', 'PATCH'] as const) {
    app.route({
      method,
      url: '/teams/:pk',
      config: { operation: `team.${method.toLowerCase()}`, access: 'user' },
      schema: {
        summary: 'Rename a team',
        description: 'For owners of the organization; the built-in teams keep their names.',
        tags: ['teams'],
        params: TeamParams,
        body: ChangeTeam,
        response: { 200: TeamView, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
      handler: async ({ params, body, caller, origin, validationError }) => {
        const team = await customTeam(db, caller.id, params.pk)
        throwFaults(faultsFrom(validationError))
        const organization = body.organization ?? team.organization
        if (normalizeUsername(organization) !== team.organization) throw organizationFixed()
        const work = renameTeam(db, team.id, body.name ?? team.name)
        await orConflict(work, { teams__org_id_name: teamNameTaken })
        return viewOf(origin, caller.id, params.pk)
      },
    })
  }

  app.delete(
    '/teams/:pk',
    {
      config: { operation: 'team.delete', access: 'user' },
      schema: {
        summary: 'Delete a team',
        description: 'For owners of the organization. What its members had through it is gone.',
        tags: ['teams'],
        params: TeamParams,
        response: { 204: NoBody, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const team = await customTeam(db, caller.id, params.pk)
      await underTeamLock(db, caller.id, team, (tx) => deleteTeam(tx, team.id))
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/teams/:pk/members',
    {
      config: { operation: 'team.member.list', access: 'user' },
      schema: {
        summary: 'Members of a team',
        tags: ['teams'],
        params: TeamParams,
        response: { 200: UserNames, ...errors(401, 404) },
      },
    },
    async ({ params, caller }) => namesIn(await visibleTeam(db, caller.id, params.pk)),
  )

  for (const { method, operation, summary, status, change } of [
    { method: 'POST', operation: 'team.member.add', summary: 'Add somebody to a team', status: 201, change: joinTeam },
    { method: 'DELETE', operation: 'team.member.remove', summary: 'Take somebody out', status: 200, change: leaveTeam },
  ] as const) {
    app.route({
      method,
      url: '/teams/:pk/members',
      config: { operation, access: 'user', queryFillsBody: true },
      schema: {
        summary,
        description: 'For owners of the organization.',
        tags: ['teams'],
        params: TeamParams,
        body: TeamMember,
        response: { [status]: UserNames, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
      handler: async ({ params, body, caller, validationError }, reply) => {
        const team = await managedTeam(db, caller.id, params.pk)
        throwFaults(faultsFrom(validationError))
        await change(deps, caller.id, team, body.username)
        return reply.code(status).send(await namesIn(team))
      },
    })
  }

  app.post(
    '/teams/:pk/share',
    {
      config: { operation: 'team.share', access: 'user' },
      schema: {
        summary: 'Give a team a role on a project',
        description: 'For owners of the organization. Every present and future member of the team has it.',
        tags: ['teams'],
        params: TeamParams,
        body: ShareWithTeam,
        response: { 204: NoBody, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
    },
    async ({ params, body, caller, validationError }, reply) => {
      const team = await managedTeam(db, caller.id, params.pk)
      throwFaults(shareFaults(body, validationError))
      await underTeamLock(db, caller.id, team, async (tx) => {
        await lockProject(tx, body.project)
        if (!(await isOrganizationProject(tx, team.orgId, body.project))) throw unknownProject(body.project)
        if (body.remove === true) await removeTeamRole(tx, team.id, body.project)
        else await setTeamRole(tx, team.id, body.project, body.role as RoleName)
      })
      return reply.code(204).send(null)
    },
  )
}

/** With `remove`, the role does not matter. */
const shareFaults = (body: { role?: string; remove?: boolean } | undefined, validationError: unknown) => {
  const { role, ...others } = faultsFrom(validationError)
  if (body?.remove === true) return others
  const missing = body?.role === undefined ? ['This field is required.'] : undefined
  return { ...others, ...((role ?? missing) && { role: role ?? missing ?? [] }) }
}
