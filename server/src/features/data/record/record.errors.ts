import { cutTo } from '@sheaf/xlsform/text'
import { badRequest } from '../../../platform/http/index.js'

export const unknownRecordFormat = (format: string) =>
  badRequest(`'${cutTo(format, 100)}' format unknown or not implemented!`, 'data.unknown_format')

export const noAnswers = () =>
  badRequest('Send a JSON object of answers by their keys, as {"age": "21"}.', 'data.no_answers')
