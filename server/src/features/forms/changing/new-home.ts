// Where a form is to go when `project` or `owner` of it are changed.
import type { Deps } from '../../../platform/deps.js'
import type { Caller } from '../../../platform/http/index.js'
import { type FoundProject, findVisibleProject } from '../../projects/index.js'
import { normalizeUsername } from '../../users/index.js'
import type { FoundForm } from '../form/index.js'
import { notOwner } from './changing.errors.js'
import { refuseMove } from './move.js'
import { projectIdIn, projectOfAccount } from './target.js'

interface NewHome {
  readonly faults: Record<string, string[]>
  /** Undefined: it stays where it is. */
  open(): Promise<FoundProject | undefined>
}

const unknown = 'Invalid hyperlink - Object does not exist.'
const noMatch = 'Invalid hyperlink - No URL match.'

const staying: NewHome = { faults: {}, open: async () => undefined }
const faulty = (field: string, fault: string): NewHome => ({ ...staying, faults: { [field]: [fault] } })

/** A named project counts more than a named account, since every project belongs to one. */
export const newHome = async (
  deps: Deps,
  caller: Caller,
  form: FoundForm,
  { project, owner }: { project?: string; owner?: string },
): Promise<NewHome> => {
  const projectId = project === undefined ? undefined : projectIdIn(project)
  if (project !== undefined && projectId === undefined) return faulty('project', noMatch)
  if (projectId !== undefined && Number(projectId) !== form.projectId) return inProject(deps, caller, form, projectId)
  return owner === undefined ? staying : inAccount(deps, caller, form, owner)
}

const inProject = async (deps: Deps, caller: Caller, form: FoundForm, id: string): Promise<NewHome> => {
  const project = await findVisibleProject(deps.db, caller, Number(id))
  if (project === undefined) return faulty('project', unknown)
  await refuseMove(deps.db, caller, form, project)
  return { faults: {}, open: async () => project }
}

const inAccount = async (deps: Deps, caller: Caller, form: FoundForm, given: string): Promise<NewHome> => {
  const name = given.includes('/') ? /\/api\/v1\/users\/([^/]+?)(?:\.json)?\/?$/.exec(given)?.[1] : given
  const username = name === undefined ? undefined : decoded(name)
  if (username === undefined) return faulty('owner', noMatch)
  if (normalizeUsername(username) === form.owner) return staying
  // Asked first, so that nothing is said about the account.
  if (!form.access.may('transfer')) throw notOwner(caller.username, form.title)
  const open = await projectOfAccount(deps, caller, username)
  return open === undefined ? faulty('owner', unknown) : { faults: {}, open }
}

const decoded = (text: string): string | undefined => {
  try {
    const name = decodeURIComponent(text)
    return name.includes('\0') ? undefined : name
  } catch {
    return undefined
  }
}
