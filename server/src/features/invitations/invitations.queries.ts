// Invitations to projects. A low room, because a registration accepts what waits for its address.
import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { type Actor, couldStillGive, projectRoleRows } from '../permissions/index.js'

export const invitationStatus = { pending: 1, accepted: 2, revoked: 3 } as const

export interface Invitation {
  readonly id: number
  readonly email: string
  readonly role: string
  readonly status: number
}

const columns = sql`id, email, role, status`

/** Whoever an invitation is of could make it today: one who was removed must not come back through their own. */
const isHeld = (invitations: Sql): Sql =>
  couldStillGive({
    projectId: sql`${invitations}.project_id`,
    userId: sql`${invitations}.invited_by`,
    role: sql`${invitations}.role`,
  })

/** What waits for an address is shared with its new account, in the transaction that proves the address. */
export const acceptInvitations = (db: Db, { userId, emailKey, now }: { userId: number; emailKey: string; now: Date }) =>
  db.run(sql`
    with accepted as (
      update project_invitations invitations
      set status = ${invitationStatus.accepted}, accepted_at = ${now}, accepted_by = ${userId}
      from projects
      where invitations.email_key = ${emailKey} and invitations.status = ${invitationStatus.pending}
        and projects.id = invitations.project_id and projects.deleted_at is null and ${isHeld(sql`invitations`)}
      returning invitations.project_id, invitations.role
    )
    ${projectRoleRows({ from: sql`accepted`, userId, now })}`)

export interface OfferedInvitation extends Invitation {
  readonly projectId: number
  readonly projectName: string
  readonly projectOwner: string
  readonly invitedBy: number
  readonly inviter: string
  readonly acceptedBy: number | null
  readonly emailKey: string
}

/** By its id alone, for whoever shows its token: one that still holds, or was accepted. Nothing for one that was revoked, or is of
 * somebody who could not make it today, or to a project that is gone. */
export const findOfferedInvitation = (db: Db, id: number, lock: Sql = empty) =>
  db.maybe<OfferedInvitation>(sql`
    select invitations.id, invitations.email, invitations.email_key as "emailKey", invitations.role, invitations.status,
      invitations.project_id as "projectId", projects.name as "projectName", owners.username as "projectOwner",
      invitations.invited_by as "invitedBy", inviters.username as inviter, invitations.accepted_by as "acceptedBy"
    from project_invitations invitations
    join projects on projects.id = invitations.project_id and projects.deleted_at is null
    join users owners on owners.id = projects.owner_id and owners.is_active
    join users inviters on inviters.id = invitations.invited_by
    where invitations.id = ${id}
      and (invitations.status = ${invitationStatus.accepted}
        or invitations.status = ${invitationStatus.pending} and ${isHeld(sql`invitations`)})
    ${lock}`)

export const lockOfferedInvitation = (tx: Db, id: number) =>
  findOfferedInvitation(tx, id, sql`for update of invitations`)

export const markAccepted = (tx: Db, id: number, userId: number, now: Date) =>
  update(tx, id, sql`status = ${invitationStatus.accepted}, accepted_at = ${now}, accepted_by = ${userId}`)

export const listInvitations = (db: Db, projectId: number, status: number | undefined) =>
  db.rows<Invitation>(sql`
    select ${columns} from project_invitations
    where project_id = ${projectId} ${status === undefined ? sql`` : sql`and status = ${status}`}
    order by id`)

/** Within the project only: another project's invitation is as good as unknown. Held until the transaction ends. */
export const findInvitation = (db: Db, projectId: number, id: number) =>
  db.maybe<Invitation>(sql`
    select ${columns} from project_invitations where project_id = ${projectId} and id = ${id} for update`)

export interface NewInvitation {
  projectId: number
  email: string
  emailKey: string
  role: string
  invitedBy: number
  now: Date
}

/** Constraint: project_invitations__pending. */
export const insertInvitation = (db: Db, invitation: NewInvitation) =>
  db.one<Invitation>(sql`
    insert into project_invitations (project_id, email, email_key, role, invited_by, created_at)
    values (${invitation.projectId}, ${invitation.email}, ${invitation.emailKey}, ${invitation.role},
      ${invitation.invitedBy}, ${invitation.now})
    returning ${columns}`)

const update = (db: Db, id: number, changes: Sql) =>
  db.one<Invitation>(sql`update project_invitations set ${changes} where id = ${id} returning ${columns}`)

interface InvitationChange {
  email: string
  emailKey: string
  role: string
  /** Whoever says whom it is for answers for it. */
  invitedBy: number
}

/** Constraint: project_invitations__pending. */
export const updateInvitation = (db: Db, id: number, changes: InvitationChange) =>
  update(
    db,
    id,
    sql`email = ${changes.email}, email_key = ${changes.emailKey}, role = ${changes.role},
      invited_by = ${changes.invitedBy}`,
  )

/** One that had become void is of whoever sends it again. */
export const markResent = (db: Db, id: number, sentBy: number, now: Date) =>
  update(
    db,
    id,
    sql`resent_at = ${now},
      invited_by = case when ${isHeld(sql`project_invitations`)} then invited_by else ${sentBy}::int end`,
  )

export const revokeInvitation = (db: Db, id: number, now: Date) =>
  update(db, id, sql`status = ${invitationStatus.revoked}, revoked_at = ${now}`)

export interface LapsedInvitation extends Invitation {
  readonly projectId: number
  readonly actor: Actor | null
}

/** Pending, to projects that are there, by somebody who could not make them today. */
export const lockLapsedInvitations = (tx: Db, most: number) =>
  tx.rows<LapsedInvitation>(sql`
    select invitations.id, invitations.email, invitations.role, invitations.status,
      invitations.project_id as "projectId",
      (select json_build_object('username', username, 'isActive', is_active) from users where id = invitations.invited_by)
        as actor
    from project_invitations invitations
    join projects on projects.id = invitations.project_id and projects.deleted_at is null
    join users owners on owners.id = projects.owner_id and owners.is_active
    where invitations.status = ${invitationStatus.pending} and not ${isHeld(sql`invitations`)}
    order by invitations.id limit ${most}
    for update of invitations skip locked`)
