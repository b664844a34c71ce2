// Invitations to projects. A low room, because a registration accepts what waits for its address.
import { type Db, type Sql, sql } from '../../platform/db/index.js'

export const invitationStatus = { pending: 1, accepted: 2, revoked: 3 } as const

export interface Invitation {
  readonly id: number
  readonly email: string
  readonly role: string
  readonly status: number
}

const columns = sql`id, email, role, status`

/** What waits for an address is shared with its new account, in the transaction that proves the address. An invitation
 * counts as long as whoever made it may still make it: one who was removed must not come back through his own. */
export const acceptInvitations = (db: Db, { userId, emailKey, now }: { userId: number; emailKey: string; now: Date }) =>
  db.run(sql`
    with accepted as (
      update project_invitations invitations
      set status = ${invitationStatus.accepted}, accepted_at = ${now}, accepted_by = ${userId}
      from projects
      where invitations.email_key = ${emailKey} and invitations.status = ${invitationStatus.pending}
        and projects.id = invitations.project_id and projects.deleted_at is null
        and exists (
          select from project_grants grants
          where grants.project_id = invitations.project_id and grants.user_id = invitations.invited_by
            and (grants.role = 'owner' or (grants.role = 'manager' and invitations.role <> 'owner')))
      returning invitations.project_id, invitations.role
    )
    insert into project_roles (project_id, user_id, role, created_at)
    select project_id, ${userId}, role, ${now} from accepted
    on conflict (project_id, user_id) do nothing`)

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

/** Constraint: project_invitations__pending. */
export const updateInvitation = (db: Db, id: number, changes: { email: string; emailKey: string; role: string }) =>
  update(db, id, sql`email = ${changes.email}, email_key = ${changes.emailKey}, role = ${changes.role}`)

export const markResent = (db: Db, id: number, now: Date) => update(db, id, sql`resent_at = ${now}`)

export const revokeInvitation = (db: Db, id: number, now: Date) =>
  update(db, id, sql`status = ${invitationStatus.revoked}, revoked_at = ${now}`)
