import { badRequest } from '../../platform/http/index.js'

export const badRecordId = () => badRequest('Invalid value for instance_id. It must be a positive integer')

/** In a body, of a record that is not there or that the caller may not see. */
export const unknownRecord = (id: number): string => `Invalid pk "${id}" - object does not exist.`
