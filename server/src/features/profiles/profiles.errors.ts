import { AppError, badRequest, forbidden, invalid } from '../../platform/http/index.js'
import { normalizeUsername } from '../users/index.js'

export const usernameTakenMessage = (username: string) => `${normalizeUsername(username)} already exists`
export const emailTakenMessage = 'This email address is already in use.'

export const usernameTaken = (username: string) => invalid({ username: [usernameTakenMessage(username)] })
export const emailTaken = () => invalid({ email: [emailTakenMessage] })

export const registrationDisabled = () => forbidden('You do not have permission to create user.')

export const badVerificationKey = () =>
  badRequest('Missing or invalid verification key', 'profile.bad_verification_key')

/** Clients read this answer as a JSON text. */
export const verificationNotSent = () =>
  new AppError({
    code: 'profile.verification_not_sent',
    status: 400,
    message: 'Verification email has NOT been sent: the account has no e-mail address.',
  })

export const badMonth = () => badRequest('Invalid month provided as parameter', 'profile.bad_month')
export const badYear = () => badRequest('Invalid year provided as parameter', 'profile.bad_year')
