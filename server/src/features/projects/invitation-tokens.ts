// What the mail of an invitation carries: who holds it has read the mail, whatever address their account has. It is made of the
// invitation and its address by the installation's secret, so that nothing is stored, and a changed address makes the old one
// worthless.
import { timingSafeEqual } from 'node:crypto'
import { isRowId } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { absent } from '../../platform/http/index.js'
import {
  findOfferedInvitation,
  invitationStatus,
  lockOfferedInvitation,
  markAccepted,
  type OfferedInvitation,
} from '../invitations/index.js'
import { highestRole, listProjectGrants, lockProject, type RoleName, setProjectRoles } from '../permissions/index.js'

const proofOf = ({ secrets }: Pick<Deps, 'secrets'>, id: number, emailKey: string): string =>
  secrets.hash('invitation', `${id} ${emailKey}`)

export const invitationToken = (
  deps: Pick<Deps, 'secrets'>,
  { id, emailKey }: Pick<OfferedInvitation, 'id' | 'emailKey'>,
): string => `${id}-${proofOf(deps, id, emailKey)}`

const idIn = (token: string): number | undefined => {
  const digits = /^(\d{1,10})-[0-9a-f]{64}$/.exec(token)?.[1]
  return digits !== undefined && isRowId(Number(digits)) ? Number(digits) : undefined
}

const isOf = (deps: Deps, token: string, invitation: OfferedInvitation): boolean => {
  const [expected, sent] = [Buffer.from(invitationToken(deps, invitation)), Buffer.from(token)]
  return expected.length === sent.length && timingSafeEqual(expected, sent)
}

/** Throws the same 404 for whatever is not there, not theirs, or over. `accepted` is still shown to whoever accepted it. */
const offered = async (
  deps: Deps,
  token: string,
  callerId: number,
  find: (id: number) => Promise<OfferedInvitation | undefined>,
): Promise<OfferedInvitation> => {
  const id = idIn(token)
  const invitation = id === undefined ? undefined : await find(id)
  if (invitation === undefined || !isOf(deps, token, invitation)) throw absent()
  const { status, acceptedBy } = invitation
  if (status === invitationStatus.accepted && (callerId === 0 || acceptedBy !== callerId)) throw absent()
  return invitation
}

export const readInvitation = (deps: Deps, token: string, callerId: number): Promise<OfferedInvitation> =>
  offered(deps, token, callerId, (id) => findOfferedInvitation(deps.db, id))

/** Shares the project with the caller, as those who invited could themselves. Nobody loses by it: a higher role stays. */
export const acceptInvitation = (deps: Deps, token: string, callerId: number): Promise<OfferedInvitation> =>
  deps.db.transaction(async (tx) => {
    // The project first, as everybody who changes its roles; then what was read is read again.
    const { projectId } = await offered(deps, token, callerId, (id) => findOfferedInvitation(tx, id))
    await lockProject(tx, projectId)
    const invitation = await offered(deps, token, callerId, (id) => lockOfferedInvitation(tx, id))
    if (invitation.status === invitationStatus.accepted) return invitation
    const { id, invitedBy } = invitation
    const now = deps.clock.now()
    const role = invitation.role as RoleName
    const present = (await listProjectGrants(tx, projectId, callerId)).map((grant) => grant.role)
    const isHigher = present.length === 0 || (highestRole([...present, role]) === role && !present.includes(role))
    if (isHigher) await setProjectRoles(tx, { projectId, userIds: [callerId], by: invitedBy }, role, now)
    await markAccepted(tx, id, callerId, now)
    return { ...invitation, status: invitationStatus.accepted }
  })
