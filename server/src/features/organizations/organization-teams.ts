// Teams belong to the room above. What an organization does to them is one fact with what it does itself: so it is given
// the parts of its statements that write them.
import type { Sql } from '../../platform/db/index.js'

export interface OrganizationTeams {
  /** An insert: the teams that every organization has. */
  builtIn(organization: { orgId: number; createdBy: number; now: Date }): Sql
  /** A delete: a person out of every team of an organization. */
  leftBy(member: { orgId: number; userId: number }): Sql
}
