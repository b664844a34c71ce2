import { AppError } from '../../platform/http/index.js'

export const deadCode = (): AppError =>
  new AppError(409, 'This key opens nothing any more, so there is no code for it. Make a new key.')
