import { badRequest, forbidden, invalid } from '../../platform/http/index.js'

export const badFormParameter = () => badRequest('Invalid value for formid. It must be a positive integer.')

export const badDataviewParameter = (given: string) => badRequest(`Invalid value for dataview ${given}.`)

const mostShown = 200

const shown = (text: string): string => text.slice(0, mostShown)

export const noRelation = (given: string) => `\`${shown(given)}\` is not a valid relation.`

export const notOnProject = "You don't have permission to the Project."

export const notIn = (source: 'form' | 'dataview', column: string) => `'${shown(column)}' not in the ${source}.`

export const sameColumn = (column: string) =>
  `'${shown(column)}' is the column already. The field group_by must differ from column.`

export const withinRepeat = (group: string, repeat: string, column: string) =>
  `'${shown(group)}' is asked for every entry of '${shown(repeat)}', and '${shown(column)}' is not. Group by a column outside of it.`

export const metadataTooLarge = (most: number) => `Ensure this field has no more than ${most} characters as JSON.`

export const tooManyWidgets = (most: number) =>
  invalid({
    content_object: [`A form or dataview has at most ${most} widgets. Delete one that is not needed any more.`],
  })

export const seesInPart = () =>
  forbidden('What a widget counts is changed by those who see all records, because its key shows all of them.')
