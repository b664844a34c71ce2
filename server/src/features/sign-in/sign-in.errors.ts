import { AppError } from '../../platform/http/index.js'

export const formExpired = () =>
  new AppError({
    code: 'oauth.csrf',
    status: 403,
    message: 'This form is too old or was not opened here. Go back, load the page again and repeat it.',
  })

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
