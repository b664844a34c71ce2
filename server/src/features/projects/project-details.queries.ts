// What a list of projects shows beside the projects: one statement each, for however many.
import { type Db, sql } from '../../platform/db/index.js'
import { type RoleName, rolesThatMay } from '../permissions/index.js'

export interface ProjectUser {
  readonly projectId: number
  readonly userId: number
  readonly username: string
  readonly isOrg: boolean
  readonly firstName: string
  readonly lastName: string
  /** All of the person's roles here; empty for a member of the owning organization without one. */
  readonly roles: readonly RoleName[]
}

/** Everybody with a role for any reason, and the members of the owning organization. */
export const listProjectUsers = (db: Db, projectIds: readonly number[]) =>
  db.rows<ProjectUser>(sql`
    select people.project_id as "projectId", users.id as "userId", users.username, users.is_org as "isOrg",
      users.first_name as "firstName", users.last_name as "lastName",
      array_agg(people.role) filter (where people.role is not null) as roles
    from (
      select project_id, user_id, role from project_grants where project_id = any(${projectIds}::int[])
      union all
      select projects.id, members.user_id, null
      from projects join organization_members members on members.org_id = projects.owner_id
      where projects.id = any(${projectIds}::int[])
    ) people
    join users on users.id = people.user_id and users.is_active
    group by people.project_id, users.id
    order by users.id`)

export interface OwnedTeam {
  readonly id: number
  readonly ownerId: number
  readonly organization: string
  readonly name: string
  readonly isOfOwners: boolean
  readonly users: readonly string[]
}

/** All teams of organizations, each once, however many projects they have. */
export const listOwnedTeams = (db: Db, ownerIds: readonly number[]) =>
  db.rows<OwnedTeam>(sql`
    select teams.id, teams.org_id as "ownerId", owners.username as organization, teams.name,
      teams.kind = 'owners' as "isOfOwners", array(
        select users.username from team_memberships memberships
        join users on users.id = memberships.user_id and users.is_active
        where memberships.team_id = teams.id order by memberships.joined_at, users.id
      ) as users
    from teams join users owners on owners.id = teams.org_id
    where teams.org_id = any(${ownerIds}::int[])
    order by teams.id`)

export const listProjectTags = (db: Db, projectIds: readonly number[]) =>
  db.rows<{ projectId: number; tag: string }>(sql`
    select project_id as "projectId", tag from project_tags
    where project_id = any(${projectIds}::int[])
    order by created_at, tag`)

export interface ProjectForm {
  readonly projectId: number
  readonly id: number
  readonly title: string
  readonly idString: string
  readonly state: string
  readonly closesAt: Date | null
  readonly isEncrypted: boolean
  readonly createdAt: Date
  readonly publishedAt: Date
  readonly submissions: number
  readonly lastSubmittedAt: Date | null
}

/** The forms of these projects that the caller may see. Forms belong to a room above, but a project shows what is in it: so
 * it reads their rows itself. */
export const listProjectForms = (db: Db, projectIds: readonly number[], callerId: number, now: Date) =>
  db.rows<ProjectForm>(sql`
    with counts as (
      select form_id, sum(submissions)::bigint as submissions, max(last_submitted_at) as last
      from form_counts
      where form_id = any(array(select id from forms where project_id = any(${projectIds}::int[])))
      group by form_id
    )
    select forms.project_id as "projectId", forms.id, forms.title, forms.id_string as "idString",
      case when forms.state = 'open' and forms.closes_at <= ${now} then 'closing' else forms.state end as state,
      forms.closes_at as "closesAt", forms.public_key <> '' as "isEncrypted",
      forms.created_at as "createdAt", forms.published_at as "publishedAt",
      coalesce(counts.submissions, 0) as submissions, counts.last as "lastSubmittedAt"
    from forms
    left join counts on counts.form_id = forms.id
    where forms.project_id = any(${projectIds}::int[]) and forms.deleted_at is null
      and (forms.is_public or exists (
        select from form_grants grants
        where grants.form_id = forms.id and grants.user_id = ${callerId}
          and grants.role = any(${rolesThatMay('view')}::text[])))
    order by forms.id`)
