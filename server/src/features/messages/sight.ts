// Who may read, write and remove what is said about a form, a project or a user.
import type { Db } from '../../platform/db/index.js'
import { AppError, type Caller, forbidden, notFound } from '../../platform/http/index.js'
import { visibleForm } from '../forms/index.js'
import type { Target } from '../messaging/index.js'
import { findMemberRole } from '../organizations/index.js'
import { organizationAccess } from '../permissions/index.js'
import { visibleProject } from '../projects/index.js'
import { findActiveUser } from '../users/index.js'
import { areConnected } from './messages.queries.js'

export interface Sight {
  readonly mayRead: boolean
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** 404 for what the caller cannot see. That a form or a project is public shows it, not what happens there. */
const sightOf = async (db: Db, caller: Caller, { type, id }: Target): Promise<Sight> => {
  switch (type) {
    case 'xform': {
      const { access } = await visibleForm(db, caller, String(id))
      return { mayRead: access.may('view'), mayWrite: access.may('change'), mayRemove: access.may('manage') }
    }
    case 'project': {
      const { access } = await visibleProject(db, caller, String(id))
      return { mayRead: access.may('view'), mayWrite: access.may('change_data'), mayRemove: access.may('manage') }
    }
    case 'user':
      return userSight(db, caller, id)
  }
}

const userSight = async (db: Db, caller: Caller, id: number): Promise<Sight> => {
  const user = await findActiveUser(db, String(id))
  if (user === undefined) throw notFound()
  if (user.isOrg) {
    const access = organizationAccess(await findMemberRole(db, id, caller.id))
    const isOwner = access.may('change')
    return { mayRead: isOwner, mayWrite: access.may('view'), mayRemove: isOwner }
  }
  const isSelf = id === caller.id
  return { mayRead: isSelf, mayWrite: isSelf || (await areConnected(db, caller.id, id)), mayRemove: isSelf }
}

export const readableTarget = async (db: Db, caller: Caller, target: Target): Promise<Sight> => {
  const sight = await sightOf(db, caller, target)
  if (!sight.mayRead) throw forbidden()
  return sight
}

/** Undefined where `sightOf` would answer 404. */
export const findSight = (db: Db, caller: Caller, target: Target): Promise<Sight | undefined> =>
  sightOf(db, caller, target).catch((error) => {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  })
