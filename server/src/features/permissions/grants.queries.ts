// Roles on projects as they are stored, and every reason for one as it is read (the view project_grants).
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import type { Grant } from './access.js'
import { type FormAction, type RoleName, rolesThatMay } from './roles.js'

export const listProjectGrants = (db: Db, projectId: number, userId: number) =>
  db.rows<Grant>(sql`
    select role, source, through from project_grants where project_id = ${projectId} and user_id = ${userId}
    order by source, through`)

/** Makes others wait who would change who owns this project; call it before counting owners. Not those who only refer to it: they may
 * hold the lock of one of its forms, for which a move waits. */
export const lockProject = (db: Db, projectId: number) =>
  db.run(sql`select 1 from projects where id = ${projectId} for no key update`)

export interface ProjectShare {
  readonly projectId: number
  readonly userIds: readonly number[]
  /** Who gives or takes the roles. */
  readonly by: number
}

/** One role per person: a new one replaces the old, on the project's forms too. */
export const setProjectRoles = (db: Db, share: ProjectShare, role: RoleName, now: Date) =>
  db.run(sql`
    with former as (${deleteFormRoles(share)})
    insert into project_roles (project_id, user_id, role, created_at)
    select ${share.projectId}, user_id, ${role}, ${now} from unnest(${share.userIds}::int[]) as user_id
    on conflict (project_id, user_id) do update set role = excluded.role`)

interface RoleRows {
  /** A relation with the columns project_id and role: the name of a CTE of the surrounding statement, or a query. */
  from: Sql
  userId: number
  now: Date
}

/** Roles on several projects, as an insert to stand in the statement of what gives them. Whoever has a role keeps it. */
export const projectRoleRows = ({ from, userId, now }: RoleRows): Sql => sql`
  insert into project_roles (project_id, user_id, role, created_at)
  select given.project_id, ${userId}, given.role, ${now} from ${from} given
  on conflict (project_id, user_id) do nothing`

/** Whoever leaves takes nothing with them. */
export const removeProjectRoles = (db: Db, share: ProjectShare) =>
  db.run(sql`
    with former as (${deleteFormRoles(share)} or ${ofForms(share)} and form_roles.user_id = ${share.by})
    delete from project_roles where project_id = ${share.projectId} and user_id = any(${share.userIds}::int[])`)

const ofForms = ({ projectId, userIds }: ProjectShare): Sql => sql`
  forms.id = form_roles.form_id and forms.project_id = ${projectId} and form_roles.user_id = any(${userIds}::int[])`

/** On forms whose roles that person may change, else whoever shares a project again would lift what limits them on
 * one of its forms; only owners unmake owners. */
const deleteFormRoles = (share: ProjectShare): Sql => sql`
  delete from form_roles using forms
  where ${ofForms(share)} and exists (
    select from form_grants grants
    where grants.form_id = forms.id and grants.user_id = ${share.by}
      and (grants.role = any(${rolesThatMay('transfer')}::text[])
        or grants.role = any(${rolesThatMay('manage')}::text[]) and form_roles.role <> 'owner'))`

/** Ids of the project's forms on which somebody may not do this, whatever their role on the project: what happens to a
 * project with its forms asks for each of them. */
export const listFormsWithout = async (
  db: Db,
  projectId: number,
  userId: number,
  action: FormAction,
): Promise<string[]> =>
  (
    await db.rows<{ idString: string }>(sql`
      select forms.id_string as "idString" from forms
      where forms.project_id = ${projectId} and forms.deleted_at is null and not exists (
        select from form_grants grants
        where grants.form_id = forms.id and grants.user_id = ${userId}
          and grants.role = any(${rolesThatMay(action)}::text[]))
      order by forms.id`)
  ).map(({ idString }) => idString)

/** One role of its own per person and form. */
export const setFormRoles = (db: Db, formId: number, userIds: readonly number[], role: RoleName, now: Date) =>
  db.run(sql`
    insert into form_roles (form_id, user_id, role, created_at)
    select ${formId}, user_id, ${role}, ${now} from unnest(${userIds}::int[]) as user_id
    on conflict (form_id, user_id) do update set role = excluded.role`)

export const removeFormRolesOf = (db: Db, formId: number, userIds: readonly number[]) =>
  db.run(sql`delete from form_roles where form_id = ${formId} and user_id = any(${userIds}::int[])`)

/** A form that moves leaves its shares behind; its owners stay when somebody moves it who could not unmake them. */
export const removeFormRoles = (db: Db, formId: number, which: 'all' | 'all but owners') =>
  db.run(sql`delete from form_roles where form_id = ${formId} and (${which === 'all'} or role <> 'owner')`)

/** People who own a project for any reason. */
export const listProjectOwners = async (
  db: Db,
  projectId: number,
  which: 'active' | 'also inactive' = 'active',
): Promise<number[]> => {
  const rows = await db.rows<{ userId: number }>(sql`
    select distinct grants.user_id as "userId"
    from project_grants grants join users on users.id = grants.user_id
    where grants.project_id = ${projectId} and grants.role = 'owner' and not users.is_org
      and (users.is_active or ${which === 'also inactive'})`)
  return rows.map(({ userId }) => userId)
}

/** Every direct role on an organization's projects and forms, of somebody who leaves or steps down. */
export const removeRolesInOrganization = (db: Db, orgId: number, userId: number) =>
  db.run(sql`
    with form_shares as (
      delete from form_roles using forms
      where forms.id = form_roles.form_id and forms.owner_id = ${orgId} and form_roles.user_id = ${userId})
    delete from project_roles using projects
    where projects.id = project_roles.project_id and projects.owner_id = ${orgId} and project_roles.user_id = ${userId}`)

/** A manager manages the projects that they made for the organization themselves. */
export const manageOwnProjects = (db: Db, orgId: number, userId: number, now: Date) => {
  const own = sql`(
    select id as project_id, 'manager' as role from projects where owner_id = ${orgId} and created_by = ${userId})`
  return db.run(projectRoleRows({ from: own, userId, now }))
}

export const setTeamRole = (db: Db, teamId: number, projectId: number, role: RoleName) =>
  db.run(sql`
    insert into team_project_roles (team_id, project_id, role) values (${teamId}, ${projectId}, ${role})
    on conflict (team_id, project_id) do update set role = excluded.role`)

export const removeTeamRole = (db: Db, teamId: number, projectId: number) =>
  db.run(sql`delete from team_project_roles where team_id = ${teamId} and project_id = ${projectId}`)

export interface TeamRole {
  readonly teamId: number
  readonly projectId: number
  readonly role: RoleName
}

/** Roles of teams on projects: all that these teams have, or all that there are on these projects. */
export const listTeamRoles = (
  db: Db,
  side: { readonly teamIds: readonly number[] } | { readonly projectIds: readonly number[] },
) => {
  const isMeant =
    'teamIds' in side ? sql`team_id = any(${side.teamIds}::int[])` : sql`project_id = any(${side.projectIds}::int[])`
  return db.rows<TeamRole>(sql`
    select team_id as "teamId", project_id as "projectId", role from team_project_roles where ${isMeant}`)
}

/** What every member of an organization may do with a project; nothing for an account that is a person. */
export const setMembersDefault = (db: Db, orgId: number, projectId: number, role: RoleName) =>
  db.run(sql`
    insert into team_project_roles (team_id, project_id, role)
    select id, ${projectId}, ${role} from teams where org_id = ${orgId} and kind = 'members'
    on conflict (team_id, project_id) do update set role = excluded.role`)

/** A project that changes hands belongs to none of the former owner's teams. */
export const removeTeamRoles = (db: Db, projectId: number) =>
  db.run(sql`delete from team_project_roles where project_id = ${projectId}`)

/** Whether two people are in one organization, or have to do with one project. `other` is an id, or a column of ids. */
export const haveCommonGround = (userId: number, other: Sql): Sql => sql`(
  exists (
    select from organization_members mine join organization_members theirs on theirs.org_id = mine.org_id
    where mine.user_id = ${userId} and theirs.user_id = ${other}
  ) or exists (
    select from project_grants mine join project_grants theirs on theirs.project_id = mine.project_id
    where mine.user_id = ${userId} and theirs.user_id = ${other}
  ))`
