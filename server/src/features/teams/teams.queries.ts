import { type Db, type Sql, sql } from '../../platform/db/index.js'
import type { OrganizationTeams } from '../organizations/index.js'
import { normalizeUsername } from '../users/index.js'

export type TeamKind = 'owners' | 'members' | 'custom'

export interface Team {
  readonly id: number
  readonly name: string
  readonly kind: TeamKind
  readonly orgId: number
  readonly organization: string
  /** The caller owns the organization; otherwise they are in the team. */
  readonly isManaged: boolean
}

/** Owners of the organization see all of its teams, members those they are in, nobody else any. */
const visible = (callerId: number, condition: Sql) => sql`
  select teams.id, teams.name, teams.kind, teams.org_id as "orgId", users.username as organization,
    coalesce(own.role = 'owner', false) as "isManaged"
  from teams
  join users on users.id = teams.org_id and users.is_active
  left join organization_members own on own.org_id = teams.org_id and own.user_id = ${callerId}
  where (own.role = 'owner' or exists (
      select from team_memberships memberships
      where memberships.team_id = teams.id and memberships.user_id = ${callerId}))
    and ${condition}`

export const listTeams = (db: Db, callerId: number, org: string | undefined) =>
  db.rows<Team>(sql`
    ${visible(callerId, org === undefined ? sql`true` : sql`users.username = ${normalizeUsername(org)}`)}
    order by teams.id`)

export const findTeam = (db: Db, callerId: number, teamId: number) =>
  db.maybe<Team>(visible(callerId, sql`teams.id = ${teamId}`))

export interface OrganizationProject {
  readonly orgId: number
  readonly id: number
  readonly name: string
}

/** Each once, however many teams an organization has: every team shows all of them. */
export const listOrganizationProjects = (db: Db, orgIds: readonly number[]) =>
  db.rows<OrganizationProject>(sql`
    select owner_id as "orgId", id, name from projects
    where owner_id = any(${orgIds}::int[]) and deleted_at is null
    order by id`)

export interface TeamUser {
  readonly teamId: number
  readonly id: number
  readonly username: string
  readonly firstName: string
  readonly lastName: string
}

export const listTeamUsers = (db: Db, teamIds: readonly number[]) =>
  db.rows<TeamUser>(sql`
    select memberships.team_id as "teamId", users.id, users.username, users.first_name as "firstName",
      users.last_name as "lastName"
    from team_memberships memberships join users on users.id = memberships.user_id
    where memberships.team_id = any(${teamIds}::int[]) and users.is_active
    order by memberships.joined_at, users.id`)

/** Constraint: teams__org_id_name. */
export const insertTeam = async (db: Db, team: { orgId: number; name: string; createdBy: number; now: Date }) =>
  (
    await db.one<{ id: number }>(sql`
      insert into teams (org_id, name, created_by, created_at)
      values (${team.orgId}, ${team.name}, ${team.createdBy}, ${team.now})
      returning id`)
  ).id

/** Constraint: teams__org_id_name. */
export const renameTeam = (db: Db, teamId: number, name: string) =>
  db.run(sql`update teams set name = ${name} where id = ${teamId}`)

export const deleteTeam = (db: Db, teamId: number) => db.run(sql`delete from teams where id = ${teamId}`)

export const insertTeamMember = (db: Db, teamId: number, userId: number, now: Date) =>
  db.run(sql`
    insert into team_members (team_id, user_id, joined_at) values (${teamId}, ${userId}, ${now})
    on conflict do nothing`)

export const deleteTeamMember = (db: Db, teamId: number, userId: number) =>
  db.run(sql`delete from team_members where team_id = ${teamId} and user_id = ${userId}`)

/** What the statements of organizations do to teams. */
export const organizationTeams: OrganizationTeams = {
  builtIn: ({ orgId, createdBy, now }) => sql`
    insert into teams (org_id, name, kind, created_by, created_at)
    values (${orgId}, 'Owners', 'owners', ${createdBy}, ${now}), (${orgId}, 'members', 'members', ${createdBy}, ${now})`,
  leftBy: ({ orgId, userId }) => sql`
    delete from team_members using teams
    where teams.id = team_members.team_id and teams.org_id = ${orgId} and team_members.user_id = ${userId}`,
}

export const isOrganizationProject = async (db: Db, orgId: number, projectId: number): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 as found from projects where id = ${projectId} and owner_id = ${orgId} and deleted_at is null`)) !==
  undefined
