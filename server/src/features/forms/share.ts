// Sharing one form with people: all of them or none.
import type { Deps } from '../../platform/deps.js'
import { AppError, type Caller, forbidden, invalid } from '../../platform/http/index.js'
import { mayGiveFormRole, type RoleName, setFormRoles } from '../permissions/index.js'
import { listByNames, normalizeUsername } from '../users/index.js'
import { type FoundForm, underFormLock } from './forms.service.js'

export interface FormShare {
  readonly username?: string
  readonly usernames?: string
  readonly role?: unknown
}

/** One entry per username, empty for those that are right: so clients of this API family read it. */
const refused = (entries: readonly Record<string, string[]>[]) =>
  new AppError({ code: 'form.share_refused', status: 400, message: 'The form was not shared.', body: entries })

const roleFault = (form: FoundForm, role: unknown): string | undefined => {
  if (role === undefined || role === '') return 'This field is required.'
  if (role === null) return 'This field may not be null.'
  return mayGiveFormRole(form.access, String(role)) ? undefined : `Unknown role '${String(role).slice(0, 50)}'.`
}

const namesIn = ({ username, usernames }: FormShare): string[] => [
  ...new Set(
    (username ?? usernames ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

export const shareForm = async (deps: Deps, caller: Caller, form: FoundForm, body: FormShare): Promise<void> => {
  const names = namesIn(body)
  if (names.length === 0) throw invalid({ username: ['This field is required.'] })
  await underFormLock(deps.db, caller, form.id, async (tx, present) => {
    if (!present.access.may('manage')) throw forbidden()
    const people = new Map((await listByNames(tx, names)).map((person) => [person.username, person]))
    const wrongRole = roleFault(present, body.role)
    const entries = names.map((name) => {
      const person = people.get(normalizeUsername(name))
      const fault =
        person === undefined || person.isOrg
          ? `User '${name}' does not exist.`
          : person.isActive
            ? undefined
            : 'User is not active'
      return {
        ...(fault !== undefined && { username: [fault] }),
        ...(wrongRole !== undefined && { role: [wrongRole] }),
      }
    })
    if (entries.some((entry) => Object.keys(entry).length > 0)) throw refused(entries)
    const ids = [...people.values()].map(({ id }) => id)
    await setFormRoles(tx, present.id, ids, body.role as RoleName, deps.clock.now())
  })
}
