import { badRequest } from '../../../platform/http/index.js'

export const badFormId = () => badRequest('Invalid form ID. It must be a positive integer')
