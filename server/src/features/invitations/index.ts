export {
  acceptInvitations,
  findInvitation,
  type Invitation,
  insertInvitation,
  invitationStatus,
  listInvitations,
  markResent,
  revokeInvitation,
  updateInvitation,
} from './invitations.queries.js'
export { revokeLapsedInvitations } from './lapsed.js'
