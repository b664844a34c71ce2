import { AppError, badRequest, invalid, notOffered } from '../../platform/http/index.js'
import { normalizeUsername } from '../users/index.js'

export const usernameTakenMessage = (username: string) => `${normalizeUsername(username)} already exists`
export const emailTakenMessage = 'This email address is already in use.'

export const usernameTaken = (username: string) => invalid({ username: [usernameTakenMessage(username)] })
export const emailTaken = () => invalid({ email: [emailTakenMessage] })

export const registrationDisabled = () => notOffered('You do not have permission to create user.')

export const setUpAlready = () =>
  new AppError({
    code: 'setup.done',
    status: 409,
    message: 'This server has accounts already. Sign in, or ask those who run it for an account.',
  })

export const badVerificationKey = () =>
  badRequest('Missing or invalid verification key', 'profile.bad_verification_key')

export const badMonth = () => badRequest('Invalid month provided as parameter', 'profile.bad_month')
export const badYear = () => badRequest('Invalid year provided as parameter', 'profile.bad_year')
