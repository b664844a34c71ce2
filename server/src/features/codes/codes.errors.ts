import { AppError } from '../../platform/http/index.js'

export const noCode = () =>
  new AppError({
    code: 'key.no_code',
    status: 409,
    message: 'This key opens nothing any more, so there is no code for it. Make a new key.',
  })
