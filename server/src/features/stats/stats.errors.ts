import { badRequest } from '../../platform/http/index.js'

export const unknownField = () => badRequest('Field not in XForm.', 'stats.unknown_field')

export const notNumeric = () => badRequest('Field is not numeric.', 'stats.not_numeric')

export const needsGroup = () => badRequest('Expecting `group` and `name` query parameters.', 'stats.needs_group')
