import { badRequest } from '../../../platform/http/index.js'

export const badCursor = () =>
  badRequest('changed_since must be 0 or a cursor of the Link header of an earlier answer.', 'data.bad_cursor')

export const notWithCursor = (names: readonly string[]) =>
  badRequest(`changed_since cannot be combined with ${names.join(', ')}.`, 'data.bad_cursor')
