// Sharing a project with people, one or many at once: all of them or none.
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, forbidden, throwFaults } from '../../platform/http/index.js'
import { enqueueMail } from '../../platform/mail-queue/index.js'
import { limitMails } from '../credentials/index.js'
import {
  listProjectOwners,
  mayGiveRole,
  type ProjectShare,
  type RoleName,
  removeProjectRoles,
  setProjectRoles,
} from '../permissions/index.js'
import { listByNames, normalizeUsername, type Person } from '../users/index.js'
import { type FoundProject, underProjectLock } from './projects.service.js'

export interface ShareBody {
  username?: string
  role?: string
  remove?: boolean
  email_msg?: string
}

type Faults = Record<string, string | readonly string[]>

const namesIn = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

/** Anybody may take themselves out; everything else is for managers and owners. */
const isLeaving = (body: ShareBody, caller: Caller): boolean => {
  const names = typeof body.username === 'string' ? namesIn(body.username).map(normalizeUsername) : []
  return body.remove === true && names.length === 1 && names[0] === caller.username
}

const usernameFault = (
  names: readonly string[],
  people: readonly Person[],
  project: FoundProject,
  isRemoval: boolean,
) => {
  const known = new Set(people.map(({ username }) => username))
  const missing = names.filter((name) => !known.has(normalizeUsername(name)))
  if (missing.length > 0) return `The following user(s) does/do not exist: ${missing.join(', ')}`
  const inactive = isRemoval ? [] : people.filter(({ isActive }) => !isActive)
  if (inactive.length > 0) {
    return `The following user(s) is/are not active: ${inactive.map(({ username }) => username).join(', ')}`
  }
  const organizations = isRemoval ? [] : people.filter(({ id, isOrg }) => isOrg && id !== project.ownerId)
  if (organizations.length > 0) {
    return `Cannot share project with the organization (${organizations.map(({ username }) => username).join(', ')})`
  }
  return people.some(({ id }) => id === project.ownerId)
    ? `Cannot share project with the owner (${project.owner})`
    : undefined
}

/** The role does not matter for a removal; giving the role owner is for owners. */
const roleFault = (role: string | undefined, project: FoundProject): string | undefined => {
  if (role === undefined) return 'This field is required.'
  if (role === '') return 'This field may not be blank.'
  return mayGiveRole(project.access, role) ? undefined : `Unknown role '${role}'.`
}

/** Who may not make owners may not unmake them either. */
const ownerFault = async (db: Db, project: FoundProject, caller: Caller, people: readonly Person[]) => {
  if (project.access.may('grant_owner')) return undefined
  const owners = new Set(await listProjectOwners(db, project.id, 'also inactive'))
  const touched = people.filter(({ id }) => owners.has(id) && id !== caller.id)
  return touched.length === 0
    ? undefined
    : `Only an owner can change the role of an owner (${touched.map(({ username }) => username).join(', ')})`
}

const check = async (
  db: Db,
  project: FoundProject,
  caller: Caller,
  body: ShareBody,
  faults: Faults,
): Promise<Person[]> => {
  if (faults.non_field_errors !== undefined) throwFaults(faults)
  const isRemoval = body.remove === true
  if (isRemoval) delete faults.role
  else {
    const fault = faults.role === undefined ? roleFault(body.role, project) : undefined
    if (fault !== undefined) faults.role = [fault]
  }
  const names = faults.username === undefined ? namesIn(body.username ?? '') : []
  const people = await listByNames(db, names)
  if (faults.username === undefined && names.length === 0) faults.username = ['This field may not be blank.']
  const fault =
    faults.username === undefined
      ? (usernameFault(names, people, project, isRemoval) ?? (await ownerFault(db, project, caller, people)))
      : undefined
  if (fault !== undefined) faults.username = [fault]
  throwFaults(faults)
  return people
}

export const shareProject = async (
  deps: Deps,
  caller: Caller,
  project: FoundProject,
  body: ShareBody,
  faults: Faults,
): Promise<void> => {
  await underProjectLock(deps.db, caller, project.id, async (tx, present) => {
    if (!present.access.may('manage') && !isLeaving(body, caller)) throw forbidden()
    const people = await check(tx, present, caller, body, faults)
    const share = { projectId: present.id, userIds: people.map(({ id }) => id), by: caller.id }
    if (body.remove === true) await removePeople(tx, share)
    else await addPeople(tx, deps, present, people, body, share)
  })
}

const addPeople = async (
  tx: Db,
  deps: Deps,
  project: FoundProject,
  people: readonly Person[],
  body: ShareBody,
  share: ProjectShare,
) => {
  await setProjectRoles(tx, share, body.role as RoleName, deps.clock.now())
  await refuseWithoutOwner(tx, project.id, 'role')
  if (!body.email_msg) return
  const to = people.flatMap(({ email }) => email ?? [])
  await limitMails(tx, deps, { kind: 'people', senderId: share.by, to })
  const subject = `${project.name} Project has been shared with you.`
  for (const email of to) await enqueueMail(tx, { to: email, subject, text: body.email_msg })
}

const removePeople = async (tx: Db, share: ProjectShare): Promise<void> => {
  await removeProjectRoles(tx, share)
  await refuseWithoutOwner(tx, share.projectId, 'remove')
}

/** Checked after the change, under the lock: of two requests that each take one of the last two owners, one fails. */
const refuseWithoutOwner = async (tx: Db, projectId: number, field: string): Promise<void> => {
  if ((await listProjectOwners(tx, projectId)).length === 0) {
    throwFaults({ [field]: ['Project requires at least one owner'] })
  }
}
