// Making and changing organizations, and who belongs to them.
import { type Db, orConflict } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { forbidden, notFound } from '../../platform/http/index.js'
import { enqueueMail } from '../../platform/mail-queue/index.js'
import type { Static } from '../../platform/schema/index.js'
import { limitMails } from '../credentials/index.js'
import {
  manageOwnProjects,
  type OrganizationAction,
  organizationAccess,
  type RoleName,
  removeRolesInOrganization,
} from '../permissions/index.js'
import { insertProfile, profileSettings, splitName, updateProfile } from '../profiles/index.js'
import { findPersonByName, insertUser, updateUser } from '../users/index.js'
import type { OrganizationTeams } from './organization-teams.js'
import { inactiveUser, noOwnerLeft, notAPerson, orgTaken, unknownUser } from './organizations.errors.js'
import {
  countOtherOwners,
  deleteMember,
  findMemberRole,
  findOrganization,
  insertOrganization,
  lockOrganization,
  type Organization,
  setMember,
  updateOrganization,
} from './organizations.queries.js'
import type { AddMember, CreateOrganization, OrganizationFields } from './organizations.schemas.js'

/** For what members may do: strangers do not learn that it exists, members learn that they may not. */
export const organizationFor = async (
  db: Db,
  callerId: number,
  name: string,
  action: OrganizationAction,
): Promise<Organization> => {
  const organization = await findOrganization(db, callerId, name)
  const access = organizationAccess(organization?.callerRole ?? undefined)
  if (organization === undefined || !access.may('view')) throw notFound()
  if (!access.may(action)) throw forbidden()
  return organization
}

/** For changes of who belongs to it: what the caller may do is asked again under the lock, since it may have been taken
 * from them in the meantime. */
export const underOrganizationLock = <T>(
  db: Db,
  callerId: number,
  organization: Organization,
  action: OrganizationAction,
  work: (tx: Db) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    await lockOrganization(tx, organization.id)
    await organizationFor(tx, callerId, organization.username, action)
    return work(tx)
  })

const profileOf = (body: OrganizationFields) => ({
  city: body.city,
  country: body.country,
  website: body.website ?? body.home_page,
  social: body.social,
  requireAuth: body.require_auth,
  metadata: body.metadata,
})

export const createOrganization = async (
  { db, clock, config }: Deps,
  teams: OrganizationTeams,
  creatorId: number,
  body: Static<typeof CreateOrganization>,
): Promise<void> => {
  const now = clock.now()
  const work = db.transaction(async (tx) => {
    const userId = await insertUser(tx, {
      username: body.org,
      email: null,
      ...splitName(body.name),
      isActive: true,
      isOrg: true,
      joinedAt: now,
    })
    const requireAuth = body.require_auth ?? config.of(profileSettings).requireAuthDefault
    await insertProfile(tx, userId, { ...profileOf(body), requireAuth }, now)
    const { name, email = '', description = '', address = '', phonenumber = '' } = body
    await insertOrganization(tx, teams, { userId, name, email, description, address, phonenumber, creatorId, now })
  })
  await orConflict(work, { users__username: () => orgTaken(body.org), sign_in_names__name: () => orgTaken(body.org) })
}

export const changeOrganization = ({ db, clock }: Deps, orgId: number, body: OrganizationFields): Promise<void> =>
  db.transaction(async (tx) => {
    if (body.name !== undefined) await updateUser(tx, orgId, splitName(body.name))
    await updateProfile(tx, orgId, profileOf(body), clock.now())
    await updateOrganization(tx, orgId, body)
  })

/** An active person, or the 400 that says why not. */
export const personToAdd = async (db: Db, username: string) => {
  const user = await findPersonByName(db, username)
  if (user === undefined) throw unknownUser(username)
  if (user.isOrg) throw notAPerson(user.username)
  if (!user.isActive) throw inactiveUser()
  return user
}

/** Gives a role in the organization, as a new member or in place of the old one. */
export const giveRole = async (
  tx: Db,
  member: { orgId: number; userId: number; role: RoleName; now: Date },
): Promise<void> => {
  const { orgId, userId, role, now } = member
  await lockOrganization(tx, orgId)
  const before = organizationAccess(await findMemberRole(tx, orgId, userId))
  const after = organizationAccess(role)
  const loses = (action: OrganizationAction) => before.may(action) && !after.may(action)
  if (loses('change') && (await countOtherOwners(tx, orgId, userId)) === 0) throw noOwnerLeft()
  // Whoever no longer leads has what the team `members` has, and nothing of their own.
  if (loses('change') || loses('create_projects')) await removeRolesInOrganization(tx, orgId, userId)
  await setMember(tx, member)
  if (after.may('create_projects') && !after.may('change')) await manageOwnProjects(tx, orgId, userId, now)
}

/** Takes every role in the organization, its teams and its projects away. */
export const removeMember = async (
  tx: Db,
  teams: OrganizationTeams,
  { orgId, userId }: { orgId: number; userId: number },
): Promise<void> => {
  await lockOrganization(tx, orgId)
  const access = organizationAccess(await findMemberRole(tx, orgId, userId))
  if (access.may('change') && (await countOtherOwners(tx, orgId, userId)) === 0) throw noOwnerLeft()
  await deleteMember(tx, teams, orgId, userId)
  await removeRolesInOrganization(tx, orgId, userId)
}

export const addMember = async (
  deps: Deps,
  callerId: number,
  organization: Organization,
  body: Static<typeof AddMember>,
): Promise<void> => {
  const { db, clock } = deps
  const person = await personToAdd(db, body.username)
  const { email_msg: text, email_subject: subject } = body
  await underOrganizationLock(db, callerId, organization, 'change', async (tx) => {
    const before = await findMemberRole(tx, organization.id, person.id)
    // Adding a member again without a role leaves them the one they have.
    const role = (body.role as RoleName | undefined) ?? before ?? 'member'
    await giveRole(tx, { orgId: organization.id, userId: person.id, role, now: clock.now() })
    if (!text || person.email === null) return
    await limitMails(tx, deps, { kind: 'people', senderId: callerId, to: [person.email] })
    const fallback = `${person.username}, You have been added to ${organization.name} organisation.`
    await enqueueMail(tx, { to: person.email, subject: subject || fallback, text })
  })
}
