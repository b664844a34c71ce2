import { badRequest } from '../../../platform/http/index.js'

export const unknownFormat = (format: string) =>
  badRequest(`'${format.slice(0, 100)}' format not known or not implemented!`, 'data.unknown_format')
