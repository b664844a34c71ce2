import { cutTo } from '@sheaf/xlsform/text'
import { badRequest } from '../../../platform/http/index.js'

export const unknownFormat = (format: string) =>
  badRequest(`'${cutTo(format, 100)}' format not known or not implemented!`, 'data.unknown_format')
