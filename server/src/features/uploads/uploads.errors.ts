import { AppError } from '../../platform/http/index.js'

/** Sent again, they are stored anew. */
export const filesGone = () =>
  new AppError({
    code: 'files.gone',
    status: 503,
    message: 'A file was removed before what it belongs to was stored. Nothing was stored. Send it again.',
    headers: { 'retry-after': '5' },
  })
