import { AppError, invalid } from '../../platform/http/index.js'

/** There is always an operator left who may sign in: the one who asks. */
export const notOneself = () => invalid({ is_active: ['Nobody closes their own account here. Ask another operator.'] })

export const accountClosed = (username: string) =>
  new AppError({
    code: 'operations.account_closed',
    status: 409,
    message: `The account of ${username} is closed, so a new password would open nothing. Open it first.`,
  })

export const noAddress = (username: string) =>
  new AppError({
    code: 'operations.no_address',
    status: 409,
    message: `The account of ${username} has no e-mail address. Set a password at a terminal: sheaf user password ${username}`,
  })
