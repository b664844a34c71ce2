import { cutTo } from '@sheaf/xlsform/text'
import { QueryFault } from '../../../formats/query/index.js'
import { badRequest, forbidden } from '../../../platform/http/index.js'

export const badPk = (pk: string) => badRequest(`Invalid pk ${cutTo(pk, 100)}`, 'data.bad_pk')

export const noIds = () => badRequest('Data id(s) not provided.', 'data.no_ids')

export const badIds = () => badRequest('Invalid data ids were provided.', 'data.bad_ids')

export const badRange = () => badRequest('Invalid start/limit params', 'data.bad_range')

export const mayNotExport = () => forbidden("You don't have permission")

/** `hint`: what may have been meant. */
export const unknownField = (place: string, key: string, hint: string) =>
  badRequest(
    `The ${place} names "${cutTo(key, 100)}", which is no question and no field of a record.${hint}`,
    'data.unknown_field',
  )

/** What is wrong with a query is the caller's to mend. */
export const readQuery = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof QueryFault) throw badRequest(error.message, 'data.bad_query')
    throw error
  }
}
