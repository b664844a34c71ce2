// The account that a project belongs to, as a caller names it: by address or by username.
import type { Db } from '../../platform/db/index.js'
import { isUrl } from '../../platform/words/index.js'
import { findOrganization } from '../organizations/index.js'
import { organizationAccess } from '../permissions/index.js'
import { findActiveUser } from '../users/index.js'
import { mayNotOwn } from './projects.errors.js'

export type OwnerChoice = { readonly id: number } | { readonly fault: string }

/** The name in an address of the users resource, on whatever host; a format suffix is tolerated. */
const nameInAddress = (address: string): string | undefined => {
  if (!isUrl(address)) return undefined
  const name = /^\/api\/v1\/users\/([^/]+?)(?:\.json)?\/?$/.exec(new URL(address).pathname)?.[1]
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return undefined
  }
}

/** Oneself, or an organization whose projects one may make; otherwise what to answer for `owner`. Naming the present
 * owner changes nothing and is open to everybody. */
export const chooseOwner = async (
  db: Db,
  callerId: number,
  given: string,
  presentOwnerId: number | undefined,
): Promise<OwnerChoice> => {
  const isAddress = given.includes('/')
  const name = isAddress ? nameInAddress(given) : given
  if (name === undefined) return { fault: 'Invalid hyperlink - No URL match.' }
  const user = await findActiveUser(db, name)
  if (user === undefined) {
    return {
      fault: isAddress ? 'Invalid hyperlink - Object does not exist.' : `Object with username=${name} does not exist.`,
    }
  }
  if (user.id === callerId || user.id === presentOwnerId) return { id: user.id }
  const organization = user.isOrg ? await findOrganization(db, callerId, user.username) : undefined
  return organizationAccess(organization?.callerRole ?? undefined).may('create_projects')
    ? { id: user.id }
    : { fault: mayNotOwn(user.username) }
}
