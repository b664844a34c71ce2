import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import type { RoleName } from '../permissions/index.js'
import { type Profile, profileColumns } from '../profiles/index.js'
import { normalizeUsername } from '../users/index.js'
import type { OrganizationTeams } from './organization-teams.js'

export interface Organization extends Profile {
  readonly name: string
  readonly contactEmail: string
  readonly description: string
  readonly address: string
  readonly phonenumber: string
  readonly creator: string | null
  /** The caller's role; null for whoever is not a member. */
  readonly callerRole: RoleName | null
}

export interface Member {
  readonly orgId: number
  readonly userId: number
  readonly username: string
  readonly emailKey: string | null
  readonly firstName: string
  readonly lastName: string
  readonly role: RoleName
}

const select = (callerId: number, condition: Sql) => sql`
  select ${profileColumns}, organizations.name, organizations.email as "contactEmail", organizations.description,
    organizations.address, organizations.phonenumber, creators.username as creator, own.role as "callerRole"
  from organizations
  join users on users.id = organizations.user_id
  join profiles on profiles.user_id = organizations.user_id
  left join users creators on creators.id = organizations.creator_id
  left join organization_members own on own.org_id = organizations.user_id and own.user_id = ${callerId}
  where users.is_active and ${condition}`

export const findOrganization = (db: Db, callerId: number, name: string) =>
  db.maybe<Organization>(select(callerId, sql`users.username = ${normalizeUsername(name)}`))

/** Those that the caller belongs to; with `sharedWithId`, those that both belong to. */
export const listOrganizations = (db: Db, callerId: number, sharedWithId: number | undefined) => {
  const shared =
    sharedWithId === undefined
      ? empty
      : sql`and exists (select from organization_members other
          where other.org_id = organizations.user_id and other.user_id = ${sharedWithId})`
  return db.rows<Organization>(sql`
    ${select(callerId, sql`own.role is not null ${shared}`)}
    order by users.username`)
}

export interface NewOrganization {
  userId: number
  name: string
  email: string
  description: string
  address: string
  phonenumber: string
  creatorId: number
  now: Date
}

/** The organization, its built-in teams, and its creator as its first owner, who is not listed as a member. */
export const insertOrganization = (db: Db, teams: OrganizationTeams, organization: NewOrganization) => {
  const { userId: orgId, creatorId: createdBy, now } = organization
  return db.run(sql`
    with made as (
      insert into organizations (user_id, name, email, description, address, phonenumber, creator_id)
      values (${organization.userId}, ${organization.name}, ${organization.email}, ${organization.description},
        ${organization.address}, ${organization.phonenumber}, ${organization.creatorId})
    ),
    built_in as (${teams.builtIn({ orgId, createdBy, now })})
    insert into organization_members (org_id, user_id, role, is_listed, joined_at)
    values (${orgId}, ${createdBy}, 'owner', false, ${now})`)
}

export interface OrganizationChanges {
  name?: string | undefined
  email?: string | undefined
  description?: string | undefined
  address?: string | undefined
  phonenumber?: string | undefined
}

/** Only what is given changes. */
export const updateOrganization = (db: Db, orgId: number, changes: OrganizationChanges) =>
  db.run(sql`
    update organizations set
      name        = coalesce(${changes.name ?? null}, name),
      email       = coalesce(${changes.email ?? null}, email),
      description = coalesce(${changes.description ?? null}, description),
      address     = coalesce(${changes.address ?? null}, address),
      phonenumber = coalesce(${changes.phonenumber ?? null}, phonenumber)
    where user_id = ${orgId}`)

/** Everybody with a place in the organizations, owners first; inactive accounts are left out. */
export const listAllMembers = (db: Db, orgIds: readonly number[]) =>
  db.rows<Member>(sql`
    select members.org_id as "orgId", users.id as "userId", users.username, users.email_key as "emailKey",
      users.first_name as "firstName", users.last_name as "lastName", members.role
    from organization_members members join users on users.id = members.user_id
    where members.org_id = any(${orgIds}::int[]) and users.is_active
    order by members.role <> 'owner', members.joined_at, users.id`)

/** Names of those who were added, in the order of joining. */
export const listMemberNames = async (db: Db, orgId: number): Promise<string[]> => {
  const rows = await db.rows<{ username: string }>(sql`
    select users.username
    from organization_members members join users on users.id = members.user_id
    where members.org_id = ${orgId} and members.is_listed and users.is_active
    order by members.joined_at, users.id`)
  return rows.map(({ username }) => username)
}

/** Makes others wait who would change who belongs to this organization; call it before counting owners. */
export const lockOrganization = (db: Db, orgId: number) =>
  db.run(sql`select 1 from organizations where user_id = ${orgId} for update`)

export const findMemberRole = async (db: Db, orgId: number, userId: number): Promise<RoleName | undefined> =>
  (
    await db.maybe<{ role: RoleName }>(sql`
      select role from organization_members where org_id = ${orgId} and user_id = ${userId}`)
  )?.role

export const countOtherOwners = async (db: Db, orgId: number, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from organization_members members join users on users.id = members.user_id
      where members.org_id = ${orgId} and members.role = 'owner' and members.user_id <> ${userId} and users.is_active`)
  ).count

/** Whoever is set through here is listed from then on. */
export const setMember = (db: Db, member: { orgId: number; userId: number; role: RoleName; now: Date }) =>
  db.run(sql`
    insert into organization_members (org_id, user_id, role, is_listed, joined_at)
    values (${member.orgId}, ${member.userId}, ${member.role}, true, ${member.now})
    on conflict (org_id, user_id) do update set role = excluded.role, is_listed = true`)

/** Out of the organization and of every team of it. */
export const deleteMember = (db: Db, teams: OrganizationTeams, orgId: number, userId: number) =>
  db.run(sql`
    with teams_left as (${teams.leftBy({ orgId, userId })})
    delete from organization_members where org_id = ${orgId} and user_id = ${userId}`)
