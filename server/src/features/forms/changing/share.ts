// Sharing one form with people: all of them or none.
import type { Db } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { AppError, type Caller, invalid } from '../../../platform/http/index.js'
import { textOf } from '../../../platform/words/index.js'
import {
  mayGiveFormRole,
  type RoleName,
  removeFormRolesOf,
  rolesThatMay,
  setFormRoles,
} from '../../permissions/index.js'
import { listByNames, normalizeUsername, type Person } from '../../users/index.js'
import { asFormManager, type FoundForm, listFormUsers } from '../form/index.js'

export interface FormShare {
  readonly username?: string
  readonly usernames?: string
  readonly role?: unknown
  /** What they have on the form itself is taken away; what they have by its project stays. */
  readonly remove?: boolean
}

/** One entry per username, empty where nothing is wrong. Clients of this API family read it so. */
const refused = (entries: readonly Record<string, string[]>[]) =>
  new AppError({ code: 'form.share_refused', status: 400, message: 'The form was not shared.', body: entries })

const roleFault = (form: FoundForm, role: unknown): string | undefined => {
  if (role === undefined) return 'This field is required.'
  if (role === '') return 'This field may not be blank.'
  if (role === null) return 'This field may not be null.'
  const name = textOf(role)
  return mayGiveFormRole(form.access, name) ? undefined : `Unknown role '${name.slice(0, 50)}'.`
}

const namesIn = ({ username, usernames }: FormShare): string[] => [
  ...new Set(
    (username ?? usernames ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

/** Whoever may not make owners may not take the role from one either. */
const untouchableOwners = async (db: Db, form: FoundForm): Promise<ReadonlySet<number>> => {
  if (form.access.may('transfer')) return new Set()
  const owning = rolesThatMay('transfer')
  const users = await listFormUsers(db, [form.id])
  return new Set(users.filter(({ roles }) => roles.some((role) => owning.includes(role))).map(({ userId }) => userId))
}

interface Allowed {
  readonly owners: ReadonlySet<number>
  readonly isRemoval: boolean
}

const personFault = (name: string, person: Person | undefined, { owners, isRemoval }: Allowed): string | undefined => {
  if (person === undefined || person.isOrg) return `User '${name}' does not exist.`
  if (!person.isActive && !isRemoval) return 'User is not active'
  return owners.has(person.id) ? `Only an owner can change the role of an owner (${person.username})` : undefined
}

export const shareForm = async (deps: Deps, caller: Caller, form: FoundForm, body: FormShare): Promise<void> => {
  const names = namesIn(body)
  if (names.length === 0) throw invalid({ username: ['This field is required.'] })
  await asFormManager(deps.db, caller, form.id, async (tx, present) => {
    const people = new Map((await listByNames(tx, names)).map((person) => [person.username, person]))
    const isRemoval = body.remove === true
    const allowed = { owners: await untouchableOwners(tx, present), isRemoval }
    const wrongRole = isRemoval ? undefined : roleFault(present, body.role)
    const entries = names.map((name) => {
      const fault = personFault(name, people.get(normalizeUsername(name)), allowed)
      return {
        ...(fault !== undefined && { username: [fault] }),
        ...(wrongRole !== undefined && { role: [wrongRole] }),
      }
    })
    if (entries.some((entry) => Object.keys(entry).length > 0)) throw refused(entries)
    const ids = [...people.values()].map(({ id }) => id)
    if (isRemoval) await removeFormRolesOf(tx, present.id, ids)
    else await setFormRoles(tx, present.id, ids, body.role as RoleName, deps.clock.now())
  })
}
