// Forms belong to a room above. What happens to all forms of a project is one fact with what happens to the project, in its
// transaction: so this room is given how they are written.
import type { Db } from '../../platform/db/index.js'

export interface ProjectForms {
  /** Opens or closes definitions and data. */
  open(tx: Db, projectId: number, isPublic: boolean, now: Date): Promise<unknown>
  /** Ids of the project's forms that the account has already. */
  listTakenIds(tx: Db, projectId: number, ownerId: number): Promise<string[]>
  /** Constraint: forms__owner_id_id_key. */
  give(tx: Db, projectId: number, ownerId: number, now: Date): Promise<unknown>
  /** With all that hangs on them, and on the project. */
  remove(tx: Db, projectId: number, deletedBy: number, now: Date): Promise<unknown>
}
