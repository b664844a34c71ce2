export {
  acceptInvitations,
  findInvitation,
  findOfferedInvitation,
  type Invitation,
  insertInvitation,
  invitationStatus,
  listInvitations,
  lockOfferedInvitation,
  markAccepted,
  markResent,
  type OfferedInvitation,
  revokeInvitation,
  updateInvitation,
} from './invitations.queries.js'
export { revokeLapsedInvitations } from './lapsed.js'
