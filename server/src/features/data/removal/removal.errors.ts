import { AppError, badRequest, invalid } from '../../../platform/http/index.js'

export const notOfDeleted = (names: readonly string[]) =>
  badRequest(
    `deleted=true cannot be combined with ${names.join(', ')}: of a deleted record only its id, its uuid and the time of its deletion are shown, as JSON.`,
    'data.deleted',
  )

export const badDeleted = () => invalid({ deleted: ['Must be a valid boolean.'] })

/** Clients of this API family look for `error` here, not for `detail`. */
export const permanentDeleteOff = () => {
  const message = 'Permanent submission deletion is not enabled for this server.'
  return new AppError({ code: 'data.permanent_delete_off', status: 400, message, body: { error: message } })
}
