import { cutTo } from '@sheaf/xlsform/text'
import { AppError, badRequest } from '../../platform/http/index.js'

const shown = (name: string): string => cutTo(name, 100)

/** Clients of this API family compare the words, the doubled one too. */
export const unknownField = (name: string, where: 'form' | 'dataview') =>
  new AppError({
    code: 'chart.unknown_field',
    status: 404,
    message: `Field ${shown(name)} does not not exist on the ${where}`,
  })

export const cannotGroup = (names: readonly string[]) =>
  badRequest(`Cannot group by ${shown(names.join(','))}`, 'chart.cannot_group')

export const tooManyGroups = (most: number) =>
  badRequest(`group_by takes at most ${most} fields.`, 'chart.too_many_groups')

export const badPeriod = (given: string) =>
  badRequest(`period is day or month, not ${shown(given)}.`, 'chart.bad_period')

export const periodOfNothing = () =>
  badRequest('period says how long a group of a date is: name a date in group_by.', 'chart.bad_period')

export const badBy = (given: string) => badRequest(`by is choice or combination, not ${shown(given)}.`, 'chart.bad_by')

export const pageNeedsField = () => badRequest('Not supported', 'chart.page_needs_field')

export const onlyJson = () => badRequest('Error: only JSON format supported.', 'chart.only_json')

export const tooManyFigures = (most: number) =>
  badRequest(`shape=figures takes at most ${most} fields.`, 'chart.too_many_figures')

export const figuresNeedField = () =>
  badRequest('shape=figures needs fields or field_name.', 'chart.figures_need_field')
