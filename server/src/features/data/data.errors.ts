import { QueryFault } from '../../formats/query/index.js'
import { AppError, badRequest, forbidden, invalid } from '../../platform/http/index.js'

export const badPk = (pk: string) => badRequest(`Invalid pk ${pk.slice(0, 100)}`, 'data.bad_pk')

export const unknownFormat = (format: string) =>
  badRequest(`'${format.slice(0, 100)}' format not known or not implemented!`, 'data.unknown_format')

export const unknownRecordFormat = (format: string) =>
  badRequest(`'${format.slice(0, 100)}' format unknown or not implemented!`, 'data.unknown_format')

export const badRange = () => badRequest('Invalid start/limit params', 'data.bad_range')

export const mayNotExport = () => forbidden("You don't have permission")

export const noIds = () => badRequest('Data id(s) not provided.', 'data.no_ids')

export const badIds = () => badRequest('Invalid data ids were provided.', 'data.bad_ids')

/** `hint`: what may have been meant. */
export const unknownField = (place: string, key: string, hint: string) =>
  badRequest(
    `The ${place} names "${key.slice(0, 100)}", which is no question and no field of a record.${hint}`,
    'data.unknown_field',
  )

export const noAnswers = () =>
  badRequest('Send a JSON object of answers by their keys, as {"age": "21"}.', 'data.no_answers')

export const notOfDeleted = (names: readonly string[]) =>
  badRequest(
    `deleted=true cannot be combined with ${names.join(', ')}: of a deleted record only its id, its uuid and the time of its deletion are shown, as JSON.`,
    'data.deleted',
  )

export const badDeleted = () => invalid({ deleted: ['Must be a valid boolean.'] })

export const formInactive = () => badRequest('Form is inactive', 'data.form_inactive')

export const badCursor = () =>
  badRequest('changed_since must be 0 or a cursor of the Link header of an earlier answer.', 'data.bad_cursor')

export const notWithCursor = (names: readonly string[]) =>
  badRequest(`changed_since cannot be combined with ${names.join(', ')}.`, 'data.bad_cursor')

/** Clients of this API family look for `error` here, not for `detail`. */
export const permanentDeleteOff = () => {
  const message = 'Permanent submission deletion is not enabled for this server.'
  return new AppError({ code: 'data.permanent_delete_off', status: 400, message, body: { error: message } })
}

/** What is wrong with a query is the caller's to mend. */
export const readQuery = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof QueryFault) throw badRequest(error.message, 'data.bad_query')
    throw error
  }
}
