// A form that a device may download.
import { type Db, largestId } from '../../platform/db/index.js'
import { type Caller, notFound } from '../../platform/http/index.js'
import { type FoundForm, findForm, takesRecords, withAccess } from '../forms/index.js'
import { normalizeUsername } from '../users/index.js'
import { closedForm } from './openrosa.errors.js'

const isCollectable = (form: FoundForm): boolean =>
  (!form.requiresAuth && !form.ownerRequiresAuth) || form.isPublic || form.access.may('view')

/** Whoever may submit needs the form: everybody, where nobody is asked to sign in. Also while it closes: what was begun is
 * finished. */
export const collectableForm = async (db: Db, caller: Caller, username: string, pk: string): Promise<FoundForm> => {
  const id = /^\d{1,10}$/.test(pk) ? Number(pk) : 0
  const form = id > 0 && id <= largestId ? await findForm(db, caller.id, id) : undefined
  const found = form !== undefined && form.owner === normalizeUsername(username) ? withAccess(form) : undefined
  if (found === undefined || found.state === 'draft' || !isCollectable(found)) throw notFound()
  if (!takesRecords(found)) throw closedForm()
  return found
}
