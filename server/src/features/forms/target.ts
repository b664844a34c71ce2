// Which project a new form goes into.
import type { Deps } from '../../platform/deps.js'
import { type Caller, invalid } from '../../platform/http/index.js'
import { findMemberRole } from '../organizations/index.js'
import { organizationAccess } from '../permissions/index.js'
import { createProject, type FoundProject, findFirstProject, projectFor, visibleProject } from '../projects/index.js'
import { findActiveUser } from '../users/index.js'
import { mayNotAdd, unknownOwner } from './forms.errors.js'

interface Account {
  readonly id: number
  readonly username: string
}

/** Oneself, or an organization whose projects one may make. */
const accountFor = async (deps: Deps, caller: Caller, named: string): Promise<Account> => {
  if (named === '') return caller
  const user = await findActiveUser(deps.db, named)
  if (user === undefined) throw unknownOwner(named)
  if (user.id === caller.id) return user
  const role = user.isOrg ? await findMemberRole(deps.db, user.id, caller.id) : undefined
  if (!organizationAccess(role).may('create_projects')) throw mayNotAdd(caller.username, user.username)
  return user
}

const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** An id, or the address of a project on whatever host. */
export const projectIdIn = (given: string): string | undefined =>
  /^\d+$/.test(given) ? given : /\/api\/v1\/projects\/(\d+)(?:\.json)?\/?$/.exec(given)?.[1]

/** `owner` and `project` of an upload; without them the caller's first project, which is made if there is none. */
export const targetProject = async (
  deps: Deps,
  caller: Caller,
  fields: Readonly<Record<string, unknown>>,
): Promise<FoundProject> => {
  const named = textIn(fields.project)
  if (named !== '') {
    const id = projectIdIn(named)
    if (id === undefined) throw invalid({ project: ['Invalid hyperlink - No URL match.'] })
    return projectFor(deps.db, caller, id, 'manage')
  }
  return firstProjectOf(deps, caller, textIn(fields.owner))
}

export const firstProjectOf = async (deps: Deps, caller: Caller, owner: string): Promise<FoundProject> => {
  const account = await accountFor(deps, caller, owner)
  const found = await findFirstProject(deps.db, account.id, caller.id)
  const id =
    found?.id ??
    (await createProject(deps, caller, { name: `${account.username}'s Project`, owner: account.username }, {}))
  return visibleProject(deps.db, caller, String(id))
}
