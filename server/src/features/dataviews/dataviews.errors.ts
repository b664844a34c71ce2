import { cutTo } from '@sheaf/xlsform/text'
import { invalid } from '../../platform/http/index.js'

const shown = (name: string): string => cutTo(name, 100)

export const columnsNotList = '`columns` should be a list of columns'
export const noColumns = 'This list may not be empty.'
export const tooManyColumns = (most: number) => `A dataview has at most ${most} columns.`
export const unknownColumn = (name: string) => `Unknown column '${shown(name)}'`
export const unsupportedColumn = (name: string) => `Unsupported column '${shown(name)}'`

export const queryNotList = '`query` should be a list of conditions'
export const tooManyItems = (most: number) => `A dataview has at most ${most} conditions.`
export const notSet = (name: 'column' | 'filter' | 'value') => `\`${name}\` not set in query`
export const unknownFilter = 'Filter not supported'
export const badCondition = '`condition` should be `and` or `or`'
export const badValue = '`value` should be a text, a number, true or false'
export const longValue = (most: number) => `\`value\` should have no more than ${most} characters`
export const badDate = (column: string) => `Date value in ${shown(column)} should be yyyy-mm-ddThh:m:s or yyyy-mm-dd`

export const noMatch = 'Invalid hyperlink - No URL match.'
export const unknownObject = 'Invalid hyperlink - Object does not exist.'
export const formIsFixed = 'A dataview belongs to its form. Delete it and make a new one.'
export const otherProject = (address: string) =>
  `A dataview is where its form is. Name the project of the form: ${address}`

export const tooManyDataviews = (most: number) =>
  invalid({ xform: [`A form has at most ${most} dataviews. Delete one that is not needed any more.`] })

export const nameTaken = () => invalid({ non_field_errors: ['The fields name, xform must make a unique set.'] })
