import { forbidden, invalid } from '../../../platform/http/index.js'

/** A client that may change clients could change where the codes of another one go. */
export const bearerMayNotManage = () => forbidden('An OAuth access token cannot manage OAuth clients.')

export const tooManyClients = (most: number) =>
  invalid({ non_field_errors: [`You have ${most} clients. Delete one before you register another.`] })
