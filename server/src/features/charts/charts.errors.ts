import { AppError, badRequest } from '../../platform/http/index.js'

const shown = (name: string): string => name.slice(0, 100)

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

export const pageNeedsField = () => badRequest('Not supported', 'chart.page_needs_field')

export const onlyJson = () => badRequest('Error: only JSON format supported.', 'chart.only_json')
