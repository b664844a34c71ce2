import { budgets } from '../../budgets.js'
import { AppError, badRequest, forbidden, invalid } from '../../platform/http/index.js'

/** As RFC 6750 section 3.1 has it. */
export const insufficientScope = (scope: string) =>
  new AppError({
    code: 'oauth.insufficient_scope',
    status: 403,
    message: `The access token does not have the scope "${scope}".`,
    headers: {
      'www-authenticate': `Bearer realm="api",error="insufficient_scope",error_description="The access token lacks a scope.",scope="${scope}"`,
    },
  })

/** A client that may change clients could change where the codes of another one go. */
export const bearerMayNotManage = () => forbidden('An OAuth access token cannot manage OAuth clients.')

export const formExpired = () =>
  new AppError({
    code: 'oauth.csrf',
    status: 403,
    message: 'This form is too old or was not opened here. Go back, load the page again and repeat it.',
  })

export const tooManyClients = (most: number) =>
  invalid({ non_field_errors: [`You have ${most} clients. Delete one before you register another.`] })

/** Something between this server and the provider went wrong, or somebody meddled. */
export const outsideRefused = (title: string, reason: string) =>
  new AppError({ code: 'oauth.outside_refused', status: 403, message: `Signing in through ${title} failed: ${reason}` })

export const outsideUnavailable = (title: string, cause: unknown) =>
  new AppError({
    code: 'oauth.outside_unavailable',
    status: 502,
    message: `${title} could not be reached or gave an answer that cannot be used. Try again later.`,
    cause,
  })

/** It would go on in an address, which clients and proxies do not take at any length. */
export const fieldsTooLong = () =>
  badRequest(
    `The fields are longer than ${budgets.signIn.formCharacters} characters together, as an address has them. Send a shorter state.`,
  )
