// Which project a new form goes into.
import type { Deps } from '../../../platform/deps.js'
import { AppError, type Caller, invalid } from '../../../platform/http/index.js'
import { findMemberRole } from '../../organizations/index.js'
import { organizationAccess } from '../../permissions/index.js'
import { createProject, type FoundProject, findFirstProject, projectFor, visibleProject } from '../../projects/index.js'
import { findActiveUser } from '../../users/index.js'
import { mayNotAdd, unknownOwner } from './changing.errors.js'

interface Account {
  readonly id: number
  readonly username: string
}

/** Gives the project. Where the account has none it is made then, and not before the form is known to be good. */
export type Target = () => Promise<FoundProject>

const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** An id, or the address of a project on whatever host. */
export const projectIdIn = (given: string): string | undefined =>
  /^\d+$/.test(given) ? given : /\/api\/v1\/projects\/(\d+)(?:\.json)?\/?$/.exec(given)?.[1]

/** `owner` and `project` of an upload; without them the caller's first project. */
export const targetOf = async (
  deps: Deps,
  caller: Caller,
  fields: Readonly<Record<string, unknown>>,
): Promise<Target> => {
  const projectText = textIn(fields.project)
  if (projectText !== '') {
    const id = projectIdIn(projectText)
    if (id === undefined) throw invalid({ project: ['Invalid hyperlink - No URL match.'] })
    const project = await projectFor(deps.db, caller, id, 'manage')
    return async () => project
  }
  const owner = textIn(fields.owner)
  if (owner === '') return () => firstProjectOf(deps, caller, caller)
  const target = await projectOfAccount(deps, caller, owner)
  if (target === undefined) throw unknownOwner(owner)
  return target
}

/** Oneself, or an organization whose projects one may make; undefined when there is no such account. */
export const projectOfAccount = async (deps: Deps, caller: Caller, username: string): Promise<Target | undefined> => {
  const user = await findActiveUser(deps.db, username)
  if (user === undefined) return undefined
  if (user.id !== caller.id) {
    const role = user.isOrg ? await findMemberRole(deps.db, user.id, caller.id) : undefined
    if (!organizationAccess(role).may('create_projects')) throw mayNotAdd(caller.username, user.username)
  }
  return () => firstProjectOf(deps, caller, user)
}

const mostTries = 20

/** Made when there is none. Its name may be taken. Either somebody makes it in the same moment, and then that project is
 * found. Or an organization has a project of that name which the caller does not manage: then the name gets a number. */
const firstProjectOf = async (deps: Deps, caller: Caller, account: Account): Promise<FoundProject> => {
  for (let number = 1; ; number++) {
    const firstProject = await findFirstProject(deps.db, account.id, caller.id)
    if (firstProject !== undefined) return visibleProject(deps.db, caller, String(firstProject.id))
    const name = `${account.username}'s Project${number === 1 ? '' : ` ${number}`}`
    try {
      await createProject(deps, caller, { name, owner: account.username }, {})
    } catch (error) {
      const isTaken = error instanceof AppError && error.status === 400
      if (!isTaken || number === mostTries) throw error
    }
  }
}
