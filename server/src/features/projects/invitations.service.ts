// Inviting people who have no account yet. The project is shared with them when they register, or when they have
// verified their address where that is asked for.
import { type Db, orConflict } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { forbidden, invalid, isEmail, notFound, throwFaults, withParameters } from '../../platform/http/index.js'
import { enqueueMail } from '../../platform/mail-queue/index.js'
import { publicOrigin } from '../../platform/settings.js'
import { limitMails } from '../credentials/index.js'
import {
  findInvitation,
  type Invitation,
  insertInvitation,
  invitationStatus,
  updateInvitation,
} from '../invitations/index.js'
import { mayGiveRole } from '../permissions/index.js'
import type { Arrival } from '../profiles/index.js'
import { emailKey, findTaken, pagesOfMails } from '../users/index.js'
import { invitationToken } from './invitation-tokens.js'
import type { FoundProject } from './projects.service.js'
import { projectSettings } from './projects.settings.js'

export interface InvitationBody {
  email?: string
  role?: string
}

type Faults = Record<string, string | readonly string[]>

/** Who sends, and where their call arrived. */
export interface Sender {
  callerId: number
  arrival: Arrival
}

const alreadyInvited = () => invalid({ email: ['Invitation already exists.'] })
const conflicts = { project_invitations__pending: alreadyInvited }

/** Everything about the address and the role; `present` is the invitation that is being changed. */
const check = async (
  db: Db,
  { config }: Deps,
  project: FoundProject,
  body: InvitationBody,
  faults: Faults,
  present?: Invitation,
): Promise<void> => {
  if (faults.email === undefined) {
    const fault = await emailFault(db, config.of(projectSettings).invitationDomains, body.email ?? '', present)
    if (fault !== undefined) faults.email = [fault]
  }
  if (faults.role === undefined && !mayGiveRole(project.access, body.role ?? '')) faults.role = ['Invalid role.']
  throwFaults(faults)
}

const emailFault = async (
  db: Db,
  domains: readonly string[],
  email: string,
  present: Invitation | undefined,
): Promise<string | undefined> => {
  if (!isEmail(email)) return 'Enter a valid email address.'
  const domain = emailKey(email).split('@').at(-1) ?? ''
  if (domains.length > 0 && !domains.some((one) => one.toLowerCase() === domain)) return 'Invalid email.'
  const isUnchanged = present !== undefined && emailKey(present.email) === emailKey(email)
  if (isUnchanged) return undefined
  const taken = await findTaken(db, { username: '', email, exceptId: 0 })
  return taken.email ? 'User already exists' : undefined
}

/** Who may not invite owners does not change what an owner has offered. */
const refuseForOwners = (project: FoundProject, invitation: Invitation): void => {
  if (!mayGiveRole(project.access, invitation.role)) throw forbidden()
}

const sendInvitation = async (
  tx: Db,
  deps: Deps,
  project: FoundProject,
  invitation: Invitation,
  { arrival, callerId }: Sender,
) => {
  const { email } = invitation
  // The text is ours, but the address and the project's name are not: nobody is flooded through us.
  await limitMails(tx, deps, { kind: 'people', senderId: callerId, to: [email] })
  const { invitationUrl, invitationSubject, invitationMessage } = deps.config.of(projectSettings)
  const origin = publicOrigin(deps.config, arrival.port)
  const token = invitationToken(deps, { id: invitation.id, emailKey: emailKey(email) })
  const page = withParameters(`${origin}${pagesOfMails.invitation}`, { token, email })
  const link = invitationUrl.get(arrival.host.toLowerCase()) ?? invitationUrl.get('*') ?? page
  const text =
    invitationMessage ??
    `Hello,

you have been invited to the project "${project.name}" by ${project.owner}. Accept it with your account, or make one with this
e-mail address, and the project will be shared with you:`
  await enqueueMail(tx, {
    to: email,
    subject: invitationSubject ?? `Invitation to Join a Project on ${new URL(origin).host}`,
    text: `${text}\n\n${link}\n`,
  })
}

export const invite = async (
  deps: Deps,
  request: { project: FoundProject; body: InvitationBody; faults: Faults; sender: Sender },
): Promise<Invitation> => {
  const { project, body, faults, sender } = request
  await check(deps.db, deps, project, body, faults)
  const { email = '', role = '' } = body
  const work = deps.db.transaction(async (tx) => {
    const now = deps.clock.now()
    const invitation = await insertInvitation(tx, {
      projectId: project.id,
      email,
      emailKey: emailKey(email),
      role,
      invitedBy: sender.callerId,
      now,
    })
    await sendInvitation(tx, deps, project, invitation, sender)
    return invitation
  })
  return orConflict(work, conflicts)
}

/** A new mail goes out only to a new address. */
export const changeInvitation = async (
  deps: Deps,
  request: { project: FoundProject; id: number | undefined; body: InvitationBody; faults: Faults; sender: Sender },
): Promise<Invitation> => {
  const { project, id, body, faults, sender } = request
  const { email = '', role = '' } = body
  const work = deps.db.transaction(async (tx) => {
    // Held until the end: what is revoked or accepted meanwhile waits, and finds it changed.
    const present = id === undefined ? undefined : await findInvitation(tx, project.id, id)
    if (present === undefined) throw notFound()
    if (present.status !== invitationStatus.pending) {
      throw invalid({ non_field_errors: ['Only pending invitations can be updated'] })
    }
    refuseForOwners(project, present)
    await check(tx, deps, project, body, faults, present)
    const changed = await updateInvitation(tx, present.id, {
      email,
      emailKey: emailKey(email),
      role,
      invitedBy: sender.callerId,
    })
    if (emailKey(email) !== emailKey(present.email)) await sendInvitation(tx, deps, project, changed, sender)
    return changed
  })
  return orConflict(work, conflicts)
}

/** Resending and revoking are for what is pending; `verb` is what the refusal says. */
export const withPending = (
  deps: Deps,
  project: FoundProject,
  id: number,
  verb: 'resend' | 'revoke',
  work: (tx: Db, invitation: Invitation) => Promise<unknown>,
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const invitation = await findInvitation(tx, project.id, id)
    if (invitation === undefined) throw invalid({ invitation_id: ['Invalid invitation_id.'] })
    if (invitation.status !== invitationStatus.pending) {
      throw invalid({ invitation_id: [`You cannot ${verb} an invitation which is not pending`] })
    }
    refuseForOwners(project, invitation)
    await work(tx, invitation)
  })

export const resend = (deps: Deps, tx: Db, project: FoundProject, invitation: Invitation, sender: Sender) =>
  sendInvitation(tx, deps, project, invitation, sender)
