// Who may do what with a team, and who is in it.
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { forbidden, notFound } from '../../platform/http/index.js'
import { findMemberRole, giveRole, lockOrganization, personToAdd, removeMember } from '../organizations/index.js'
import { organizationAccess } from '../permissions/index.js'
import { findPersonByName } from '../users/index.js'
import { builtInTeam, unknownMember } from './teams.errors.js'
import { deleteTeamMember, findTeam, insertTeamMember, organizationTeams, type Team } from './teams.queries.js'

/** Members of a team see it. */
export const visibleTeam = async (db: Db, callerId: number, pk: string): Promise<Team> => {
  const team = /^\d{1,9}$/.test(pk) ? await findTeam(db, callerId, Number(pk)) : undefined
  if (team === undefined) throw notFound()
  return team
}

/** Owners of the organization manage it. */
export const managedTeam = async (db: Db, callerId: number, pk: string): Promise<Team> => {
  const team = await visibleTeam(db, callerId, pk)
  if (!team.isManaged) throw forbidden()
  return team
}

export const customTeam = async (db: Db, callerId: number, pk: string): Promise<Team> => {
  const team = await managedTeam(db, callerId, pk)
  if (team.kind !== 'custom') throw builtInTeam()
  return team
}

/** Nobody joins or leaves the organization meanwhile, and the team and the caller's rights are still what they were. */
export const underTeamLock = <T>(db: Db, callerId: number, team: Team, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await lockOrganization(tx, team.orgId)
    await managedTeam(tx, callerId, String(team.id))
    return work(tx)
  })

/** Being in Owners or `members` is a role in the organization; whoever joins another team joins the organization too. */
export const joinTeam = async ({ db, clock }: Deps, callerId: number, team: Team, username: string): Promise<void> => {
  const person = await personToAdd(db, username)
  const now = clock.now()
  await underTeamLock(db, callerId, team, async (tx) => {
    const before = await findMemberRole(tx, team.orgId, person.id)
    const role = team.kind === 'owners' ? 'owner' : (before ?? 'member')
    if (before !== role || team.kind === 'members') {
      await giveRole(tx, { orgId: team.orgId, userId: person.id, role, now })
    }
    if (team.kind === 'custom') await insertTeamMember(tx, team.id, person.id, now)
  })
}

export const leaveTeam = async ({ db, clock }: Deps, callerId: number, team: Team, username: string): Promise<void> => {
  const person = await findPersonByName(db, username)
  if (person === undefined) throw unknownMember(username)
  await underTeamLock(db, callerId, team, async (tx) => {
    if (team.kind === 'custom') await deleteTeamMember(tx, team.id, person.id)
    else await leaveBuiltIn(tx, team, person.id, clock.now())
  })
}

/** Out of Owners is a plain member; out of `members` is out of the organization. */
const leaveBuiltIn = async (tx: Db, team: Team, userId: number, now: Date): Promise<void> => {
  const access = organizationAccess(await findMemberRole(tx, team.orgId, userId))
  if (team.kind === 'members' && access.may('view')) {
    await removeMember(tx, organizationTeams, { orgId: team.orgId, userId })
  }
  if (team.kind === 'owners' && access.may('change')) {
    await giveRole(tx, { orgId: team.orgId, userId, role: 'member', now })
  }
}
