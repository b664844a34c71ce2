// Who may read, write and remove what is said about a form, a project or a user.
import type { Db } from '../../platform/db/index.js'
import { type Caller, forbidden, notFound } from '../../platform/http/index.js'
import { findVisibleForm } from '../forms/index.js'
import type { Target } from '../messaging/index.js'
import { findMemberRole } from '../organizations/index.js'
import { organizationAccess } from '../permissions/index.js'
import { findVisibleProject } from '../projects/index.js'
import { findActiveUser } from '../users/index.js'
import { areConnected } from './messages.queries.js'

export interface Sight {
  readonly mayRead: boolean
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** Undefined for what the caller cannot see. That a form or a project is public shows it, not what happens there. */
export const findSight = async (db: Db, caller: Caller, { type, id }: Target): Promise<Sight | undefined> => {
  switch (type) {
    case 'xform': {
      const access = (await findVisibleForm(db, caller, id))?.access
      return access && { mayRead: access.may('view'), mayWrite: access.may('change'), mayRemove: access.may('manage') }
    }
    case 'project': {
      const access = (await findVisibleProject(db, caller, id))?.access
      return (
        access && { mayRead: access.may('view'), mayWrite: access.may('change_data'), mayRemove: access.may('manage') }
      )
    }
    case 'user':
      return findUserSight(db, caller, id)
  }
}

const findUserSight = async (db: Db, caller: Caller, id: number): Promise<Sight | undefined> => {
  const user = await findActiveUser(db, String(id))
  if (user === undefined) return undefined
  if (user.isOrg) {
    const access = organizationAccess(await findMemberRole(db, id, caller.id))
    const isOwner = access.may('change')
    return { mayRead: isOwner, mayWrite: access.may('view'), mayRemove: isOwner }
  }
  const isSelf = id === caller.id
  return { mayRead: isSelf, mayWrite: isSelf || (await areConnected(db, caller.id, id)), mayRemove: isSelf }
}

export const readableTarget = async (db: Db, caller: Caller, target: Target): Promise<Sight> => {
  const sight = await findSight(db, caller, target)
  if (sight === undefined) throw notFound()
  if (!sight.mayRead) throw forbidden()
  return sight
}
