import { nearest } from '../nearest.js'
import type { Row } from '../tables/table.js'
import type { SurveyContext } from './context.js'
import { isBareSelect, splitCommand } from './row-kinds.js'
import { commonTypeNames } from './types.js'

export const reportUnknownType = (row: Row, type: string, context: SurveyContext): void => {
  const place = { sheet: 'survey', row: row.number, column: row.header('type'), value: type }
  context.problems.add('unknown-type', `Unknown question type '${type}'.${advice(type, context)}`, place)
}

const advice = (type: string, context: SurveyContext): string => {
  if (isBareSelect(type)) {
    const [example = 'list_name'] = context.lists.keys()
    return ` Name the list of choices after it, for example '${type} ${example}'.`
  }
  if (!context.problems.mayHint(2 * commonTypeNames.length)) return ''
  const whole = nearest(type, commonTypeNames)
  if (whole !== undefined)
    return isBareSelect(whole) ? ` Did you mean '${whole}' with a list?` : ` Did you mean '${whole}'?`
  const { command, rest } = splitCommand(type)
  const found = rest === '' ? undefined : nearest(command, commonTypeNames)
  return found === undefined ? '' : ` Did you mean '${found}${isBareSelect(found) ? rest : ''}'?`
}
