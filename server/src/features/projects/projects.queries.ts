import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { type Grant, projectRolesThatMay } from '../permissions/index.js'
import type { Metadata } from '../profiles/index.js'
import { normalizeUsername } from '../users/index.js'

export interface Project {
  readonly id: number
  readonly name: string
  readonly ownerId: number
  readonly owner: string
  readonly isOwnerOrg: boolean
  readonly createdBy: string | null
  readonly isPublic: boolean
  readonly metadata: Metadata
  readonly createdAt: Date
  readonly modifiedAt: Date
  readonly isStarred: boolean
  /** The caller's grants: every reason why they have a role here. */
  readonly grants: readonly Grant[]
}

/** With what the caller has to do with it, in one round trip. A project of an inactive account is hidden. */
const select = (callerId: number) => sql`
  select projects.id, projects.name, projects.owner_id as "ownerId", owners.username as owner,
    owners.is_org as "isOwnerOrg", creators.username as "createdBy", projects.is_public as "isPublic",
    projects.metadata, projects.created_at as "createdAt", projects.modified_at as "modifiedAt",
    exists (select from project_stars stars where stars.project_id = projects.id and stars.user_id = ${callerId})
      as "isStarred",
    coalesce((
      select json_agg(json_build_object('role', role, 'source', source, 'through', through))
      from project_grants grants where grants.project_id = projects.id and grants.user_id = ${callerId}), '[]')
      as grants
  from projects
  join users owners on owners.id = projects.owner_id and owners.is_active
  left join users creators on creators.id = projects.created_by
  where projects.deleted_at is null`

export const findProject = (db: Db, callerId: number, projectId: number) =>
  db.maybe<Project>(sql`${select(callerId)} and projects.id = ${projectId}`)

export interface ProjectFilter {
  callerId: number
  isAnonymous: boolean
  owner?: string | undefined
  tags?: readonly string[] | undefined
  /** Only what this user has starred. */
  starredBy?: number | undefined
}

/** A caller's own are those they have any role on. Public ones of others are found by naming their owner, or by a star. */
const matching = ({ callerId, isAnonymous, owner, tags, starredBy }: ProjectFilter): Sql => {
  const granted = sql`projects.id in (select project_id from project_grants where user_id = ${callerId})`
  const withPublic = owner !== undefined || starredBy !== undefined
  const visible = isAnonymous ? sql`projects.is_public` : withPublic ? sql`(projects.is_public or ${granted})` : granted
  const owned = owner === undefined ? empty : sql`and owners.username = ${normalizeUsername(owner)}`
  const tagged =
    tags === undefined
      ? empty
      : sql`and exists (select from project_tags where project_id = projects.id and tag = any(${tags}))`
  const starred =
    starredBy === undefined
      ? empty
      : sql`and exists (select from project_stars where project_id = projects.id and user_id = ${starredBy})`
  return sql`${visible} ${owned} ${tagged} ${starred}`
}

export const countProjects = async (db: Db, filter: ProjectFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from projects join users owners on owners.id = projects.owner_id and owners.is_active
      where projects.deleted_at is null and ${matching(filter)}`)
  ).count

/** Newest first. */
export const listProjects = (db: Db, filter: ProjectFilter, range: { offset: number; limit: number }) =>
  db.rows<Project>(sql`
    ${select(filter.callerId)} and ${matching(filter)}
    order by projects.created_at desc, projects.id desc
    limit ${range.limit} offset ${range.offset}`)

export interface NewProject {
  name: string
  ownerId: number
  createdBy: number
  isPublic: boolean
  metadata: Metadata
  now: Date
}

/** Names are compared without case. */
const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()

/** Constraint: projects__owner_id_name. */
export const insertProject = async (db: Db, project: NewProject): Promise<number> =>
  (
    await db.one<{ id: number }>(sql`
      insert into projects (name, name_key, owner_id, created_by, is_public, metadata, created_at, modified_at)
      values (${project.name}, ${nameKey(project.name)}, ${project.ownerId}, ${project.createdBy}, ${project.isPublic},
        ${JSON.stringify(project.metadata)}::jsonb, ${project.now}, ${project.now})
      returning id`)
  ).id

/** Held until the transaction ends, so that two merges do not lose each other. */
export const lockProjectMetadata = async (db: Db, projectId: number): Promise<Metadata> =>
  (await db.one<{ metadata: Metadata }>(sql`select metadata from projects where id = ${projectId} for no key update`))
    .metadata

export interface ProjectChanges {
  name?: string | undefined
  ownerId?: number | undefined
  isPublic?: boolean | undefined
  metadata?: Metadata | undefined
}

/** Only what is given changes. Constraint: projects__owner_id_name. */
export const updateProject = (db: Db, projectId: number, changes: ProjectChanges, now: Date) =>
  db.run(sql`
    update projects set
      name        = coalesce(${changes.name ?? null}, name),
      name_key    = coalesce(${changes.name === undefined ? null : nameKey(changes.name)}, name_key),
      owner_id    = coalesce(${changes.ownerId ?? null}, owner_id),
      is_public   = coalesce(${changes.isPublic ?? null}, is_public),
      metadata    = coalesce(${changes.metadata === undefined ? null : JSON.stringify(changes.metadata)}::jsonb, metadata),
      modified_at = ${now}
    where id = ${projectId}`)

/** Something in it has changed. */
export const touchProject = (db: Db, projectId: number, now: Date) =>
  db.run(sql`update projects set modified_at = ${now} where id = ${projectId}`)

/** Hidden from now on; the name is free. */
export const deleteProject = (db: Db, projectId: number, deletedBy: number, now: Date) =>
  db.run(sql`
    update projects set deleted_at = ${now}, deleted_by = ${deletedBy}, modified_at = ${now}
    where id = ${projectId} and deleted_at is null`)

/** The name under which an owner already has a project, compared without case. */
export const findProjectName = async (db: Db, ownerId: number, name: string, exceptId: number) =>
  (
    await db.maybe<{ name: string }>(sql`
      select name from projects
      where owner_id = ${ownerId} and name_key = ${nameKey(name)} and deleted_at is null and id <> ${exceptId}`)
  )?.name

/** Where forms go that name no project: the account's first that the caller may put forms into. */
export const findFirstProject = (db: Db, ownerId: number, callerId: number) =>
  db.maybe<{ id: number }>(sql`
    select projects.id from projects
    where projects.owner_id = ${ownerId} and projects.deleted_at is null and exists (
      select from project_grants grants
      where grants.project_id = projects.id and grants.user_id = ${callerId}
        and grants.role = any(${projectRolesThatMay('manage')}::text[]))
    order by projects.id limit 1`)
