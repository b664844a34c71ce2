// Finding, making and changing projects.
import { type Db, largestId, orConflict } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, forbidden, notFound, throwFaults } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { findMemberRole, lockOrganization } from '../organizations/index.js'
import {
  type Access,
  type FormAction,
  listFormsWithout,
  lockProject,
  organizationAccess,
  type ProjectAction,
  projectAccess,
  removeTeamRoles,
  setMembersDefault,
  setProjectRoles,
} from '../permissions/index.js'
import { metadataFault } from '../profiles/index.js'
import { chooseOwner } from './owners.js'
import { deleteForms, giveForms, listTakenFormIds, openForms } from './project-forms.queries.js'
import { badProjectId, formIdsTaken, nameTaken, notAllForms } from './projects.errors.js'
import {
  deleteProject,
  findProject,
  findProjectName,
  insertProject,
  lockProjectMetadata,
  type Project,
  updateProject,
} from './projects.queries.js'
import type { CreateProject, PatchProject } from './projects.schemas.js'
import { projectSettings } from './projects.settings.js'

export interface FoundProject extends Project {
  readonly access: Access<ProjectAction>
}

/** What the caller may see: a role, or a public project. Everything else is missing. */
export const visibleProject = async (db: Db, caller: Caller, pk: string): Promise<FoundProject> => {
  if (!/^\d+$/.test(pk)) throw caller.isAnonymous ? notFound() : badProjectId()
  const project = Number(pk) <= largestId ? await findProject(db, caller.id, Number(pk)) : undefined
  if (project === undefined) throw notFound()
  const access = projectAccess(project.grants)
  if (!access.may('view') && !project.isPublic) throw notFound()
  return { ...project, access }
}

/** Visible but not allowed is forbidden. */
export const projectFor = async (db: Db, caller: Caller, pk: string, action: ProjectAction): Promise<FoundProject> => {
  const project = await visibleProject(db, caller, pk)
  if (!project.access.may(action)) throw forbidden()
  return project
}

/** For changes of who may do what with it: what the caller may do is asked again under the lock. */
export const underProjectLock = <T>(
  db: Db,
  caller: Caller,
  projectId: number,
  work: (tx: Db, project: FoundProject) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    await lockProject(tx, projectId)
    return work(tx, await visibleProject(tx, caller, String(projectId)))
  })

type Faults = Record<string, string | readonly string[]>
type Body = Partial<Static<typeof CreateProject>>

/** Adds what a schema cannot see; answers the owner that was named, if it may be taken. */
const checkBody = async (
  deps: Deps,
  caller: Caller,
  body: Body,
  faults: Faults,
  present?: Project,
): Promise<number | undefined> => {
  const { mayBePublic } = deps.config.of(projectSettings)
  if (body.public === true && !mayBePublic) faults.public = ['Public projects are currently disabled.']
  const tooLarge = faults.metadata === undefined ? metadataFault(body.metadata) : undefined
  if (tooLarge !== undefined) faults.metadata = [tooLarge]
  if (body.owner === undefined || faults.owner !== undefined) return undefined
  const owner = await chooseOwner(deps.db, caller.id, body.owner, present?.ownerId)
  if ('id' in owner) return owner.id
  faults.owner = [owner.fault]
  return undefined
}

/** A clash that only the constraint sees is one of two calls at once: the names are the same but for case. */
const unlessTaken = <T>(work: Promise<T>, name: string) =>
  orConflict(work, { projects__owner_id_name: () => nameTaken(name, name) })

const refuseTaken = async (db: Db, ownerId: number, name: string, exceptId: number): Promise<void> => {
  const existing = await findProjectName(db, ownerId, name, exceptId)
  if (existing !== undefined) throw nameTaken(name, existing)
}

export const createProject = async (
  deps: Deps,
  caller: Caller,
  body: Static<typeof CreateProject> | undefined,
  faults: Faults,
): Promise<number> => {
  const { db, clock } = deps
  const ownerId = (await checkBody(deps, caller, body ?? {}, faults)) ?? caller.id
  throwFaults(faults)
  const { name, public: isPublic = false, metadata = {} } = body as Static<typeof CreateProject>
  await refuseTaken(db, ownerId, name, 0)
  const now = clock.now()
  const work = db.transaction(async (tx) => {
    // Whoever is removed from the organization in this moment makes nothing for it.
    await lockOrganization(tx, ownerId)
    if (!(await mayOwn(tx, caller.id, ownerId))) throw forbidden()
    const id = await insertProject(tx, { name, ownerId, createdBy: caller.id, isPublic, metadata, now })
    // Whoever makes a project owns it, also where the organization's managers may make one.
    if (ownerId !== caller.id) {
      await setProjectRoles(tx, { projectId: id, userIds: [caller.id], by: caller.id }, 'owner', now)
    }
    return id
  })
  return unlessTaken(work, name)
}

export interface ProjectUpdate {
  project: FoundProject
  body: Static<typeof PatchProject> | undefined
  faults: Faults
  /** PATCH merges metadata, PUT replaces it. */
  isMerge: boolean
}

export const changeProject = async (
  deps: Deps,
  caller: Caller,
  { project, body = {}, faults, isMerge }: ProjectUpdate,
): Promise<void> => {
  const { db, clock } = deps
  const named = await checkBody(deps, caller, body, faults, project)
  const ownerId = named === project.ownerId ? undefined : named
  if (ownerId !== undefined && !(await mayTransfer(db, caller, project))) throw forbidden()
  throwFaults(faults)
  const name = body.name ?? project.name
  await refuseTaken(db, ownerId ?? project.ownerId, name, project.id)
  const now = clock.now()
  const work = underProjectLock(db, caller, project.id, async (tx, present) => {
    if (!present.access.may('manage')) throw forbidden()
    if (ownerId !== undefined && !(await mayTransfer(tx, caller, present))) throw forbidden()
    // Before it changes hands: afterwards the new owner may do everything.
    if (ownerId !== undefined) await refuseWithout(tx, caller, present, 'transfer')
    const before = await lockProjectMetadata(tx, project.id)
    const metadata = body.metadata && (isMerge ? { ...before, ...body.metadata } : body.metadata)
    throwFaults(metadataFaults(metadata))
    await updateProject(tx, project.id, { name: body.name, ownerId, isPublic: body.public, metadata }, now)
    // A form that was opened or closed by itself stays so when something else about the project changes.
    if (body.public !== undefined && body.public !== present.isPublic) {
      await refuseWithout(tx, caller, present, 'manage')
      await openForms(tx, project.id, body.public, now)
    }
    if (ownerId !== undefined) await handOver(tx, caller, present, ownerId, now)
  })
  await orConflict(unlessTaken(work, name), { forms__owner_id_id_key: () => formIdsTaken([]) })
}

const metadataFaults = (metadata: Record<string, unknown> | undefined): Faults => {
  const fault = metadataFault(metadata)
  return fault === undefined ? {} : { metadata: [fault] }
}

/** An organization's project is given away by the organization's owners, not by whoever made it. */
const mayTransfer = async (db: Db, caller: Caller, project: FoundProject): Promise<boolean> =>
  project.access.may('transfer') &&
  (!project.isOwnerOrg || organizationAccess(await findMemberRole(db, project.ownerId, caller.id)).may('change'))

/** A role on a form stands in place of one on its project: what happens to all forms needs the right on each. */
const refuseWithout = async (tx: Db, caller: Caller, project: FoundProject, action: FormAction): Promise<void> => {
  const [first] = await listFormsWithout(tx, project.id, caller.id, action)
  if (first !== undefined) throw notAllForms(first)
}

/** Oneself, or an organization whose projects one may make. */
export const mayOwn = async (db: Db, callerId: number, ownerId: number): Promise<boolean> =>
  ownerId === callerId || organizationAccess(await findMemberRole(db, ownerId, callerId)).may('create_projects')

/** Its forms are gone with it. */
export const removeProject = ({ db, clock }: Deps, caller: Caller, projectId: number): Promise<void> =>
  underProjectLock(db, caller, projectId, async (tx, project) => {
    if (!project.access.may('delete')) throw forbidden()
    await refuseWithout(tx, caller, project, 'delete')
    const now = clock.now()
    await deleteProject(tx, project.id, caller.id, now)
    await deleteForms(tx, project.id, caller.id, now)
  })

/** The former owner keeps their role, as a person; the former organization's teams have no say any more, and the members of
 * the new one may look. */
const handOver = async (
  tx: Db,
  caller: Caller,
  project: FoundProject,
  newOwnerId: number,
  now: Date,
): Promise<void> => {
  const taken = await listTakenFormIds(tx, project.id, newOwnerId)
  if (taken.length > 0) throw formIdsTaken(taken)
  await giveForms(tx, project.id, newOwnerId, now)
  await removeTeamRoles(tx, project.id)
  await setMembersDefault(tx, newOwnerId, project.id, 'readonly')
  if (!project.isOwnerOrg) {
    await setProjectRoles(tx, { projectId: project.id, userIds: [project.ownerId], by: caller.id }, 'owner', now)
  }
}
