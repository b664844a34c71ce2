import { invalid } from '../../platform/http/index.js'
import { normalizeUsername } from '../users/index.js'

export const orgTakenMessage = (org: string) => `Organization ${normalizeUsername(org)} already exists.`
export const orgTaken = (org: string) => invalid({ org: [orgTakenMessage(org)] })
export const noOwnerLeft = () => invalid({ non_field_errors: ['Organization cannot be without an owner'] })

export const unknownUser = (username: string) => invalid({ username: [`User '${username}' does not exist.`] })
export const inactiveUser = () => invalid({ username: ['User is not active'] })
export const notAPerson = (username: string) =>
  invalid({ username: [`Cannot add org account \`${username}\` as member.`] })
export const notAMember = (username: string) => invalid({ username: [`User '${username}' is not a member.`] })
