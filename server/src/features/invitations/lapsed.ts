import type { Db } from '../../platform/db/index.js'
import type { Lapsed } from '../permissions/index.js'
import { lockLapsedInvitations, revokeInvitation } from './invitations.queries.js'

const right = 'has the right to give this role on the project'

/** They were void since the right was lost; now they say so. */
export const revokeLapsedInvitations = async (tx: Db, now: Date, most: number): Promise<Lapsed[]> => {
  const lapsed = await lockLapsedInvitations(tx, most)
  for (const { id } of lapsed) await revokeInvitation(tx, id, now)
  const whatToDo = 'If it is still meant, invite them again, or share the project if they have an account by now.'
  return lapsed.map(({ id, projectId, email, role, actor }) => ({
    target: { type: 'project', id: projectId },
    actor,
    right,
    // Addresses are for those who manage the project; everybody on it reads its events.
    line: `Invitation ${id} (${role}) is revoked. ${whatToDo}`,
    ownersLine: `Invitation ${id} (${role}, to ${email}) is revoked. ${whatToDo}`,
  }))
}
