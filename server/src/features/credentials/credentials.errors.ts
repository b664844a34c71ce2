import { AppError, basicChallenge, unauthenticated } from '../../platform/http/index.js'

/** It was right when the request came, and was replaced before the answer. */
export const credentialReplaced = () => unauthenticated('Invalid or expired credentials.', basicChallenge)

export const wrongPassword = () => unauthenticated('Invalid username/password.', basicChallenge)

export const lockedOut = (minutes: number) =>
  unauthenticated(
    `Locked out. Too many wrong username/password attempts. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    basicChallenge,
  )

/** The scheme's own words for a header that cannot be read. */
export const badBasicHeader = (reason: string) => unauthenticated(`Invalid basic header. ${reason}`, basicChallenge)
export const badTokenHeader = (reason: string, challenge: string) =>
  unauthenticated(`Invalid token header. ${reason}`, challenge)

export const invalidBearer = () =>
  unauthenticated(
    'Invalid or expired token.',
    'Bearer realm="api",error="invalid_token",error_description="The access token is invalid or has expired."',
  )

const digestRefused = (message: string, code: string) =>
  new AppError({ code, status: 401, message, headers: { 'www-authenticate': basicChallenge } })

export const badDigestHeader = () =>
  digestRefused(
    'Invalid digest header. It needs username, nonce, uri, qop=auth, nc, cnonce and response by MD5.',
    'digest.unreadable',
  )

export const wrongDigest = () =>
  digestRefused('Invalid username or device password. Account passwords do not work here.', 'digest.wrong')

const staleCode = 'digest.stale'
/** The challenge is not one of ours, too old, or its answer was used before. */
export const staleDigest = () => digestRefused('The challenge has been used or has expired.', staleCode)
export const isStaleDigest = (error: unknown): boolean => error instanceof AppError && error.code === staleCode

/** Clients of change_password read `error`, not `detail`. */
export const changeRefused = (message: string) =>
  new AppError({ code: 'password.change_refused', status: 400, message, fields: { error: message } })

export const changeBreaksRules = (messages: readonly string[]) =>
  new AppError({
    code: 'password.rules',
    status: 400,
    message: 'The new password is not acceptable.',
    fields: { errors: messages },
  })
