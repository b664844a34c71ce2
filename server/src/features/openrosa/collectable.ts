// A form that a device may download.
import { type Db, largestId } from '../../platform/db/index.js'
import { type Caller, notFound } from '../../platform/http/index.js'
import { type FoundForm, findForm, withAccess } from '../forms/index.js'
import { signInFirst } from '../submissions/index.js'
import { normalizeUsername } from '../users/index.js'

/** Whoever may submit needs the form: everybody, where nobody is asked to sign in. */
export const collectableForm = async (db: Db, caller: Caller, username: string, pk: string): Promise<FoundForm> => {
  const id = /^\d{1,10}$/.test(pk) ? Number(pk) : 0
  const form = id > 0 && id <= largestId ? await findForm(db, caller.id, id) : undefined
  if (form === undefined || form.owner !== normalizeUsername(username)) throw notFound()
  const found = withAccess(form)
  const isOpen = !found.requiresAuth && !found.ownerRequiresAuth
  if (isOpen || found.isPublic || found.access.may('view')) return found
  throw caller.isAnonymous ? signInFirst() : notFound()
}
