import { AppError, tokenChallenge, unauthenticated } from '../../platform/http/index.js'

export const formExpired = () =>
  new AppError({
    code: 'oauth.csrf',
    status: 403,
    message: 'This form is too old or was not opened here. Go back, load the page again and repeat it.',
  })

/** The page was opened before somebody signed in anew in this browser, or what it sent was not from it. The header tells its
 * script from a right that is missing: it asks for the session again. */
export const staleProof = () =>
  new AppError({
    code: 'session.stale_proof',
    status: 403,
    message: 'Nothing was done: this page is older than the sign-in of this browser. Load it again and repeat it.',
    headers: { 'x-sheaf-csrf': 'stale' },
  })

/** For a page that thinks somebody is signed in. */
export const sessionEnded = () => unauthenticated('Your session has ended. Sign in again.', tokenChallenge)

export const passwordChanged = () =>
  unauthenticated('The password was changed meanwhile. Sign in with the new one.', tokenChallenge)

export const notFromHere = () =>
  new AppError({
    code: 'session.other_site',
    status: 403,
    message: 'A page of another site made this request, so nobody was signed in.',
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
