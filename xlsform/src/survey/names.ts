import { limits } from '../limits.js'
import { type ProblemList, XlsFormError } from '../problems.js'
import { checkName } from '../settings.js'
import type { Row } from '../tables/table.js'
import type { SurveyContext } from './context.js'
import type { FormNode } from './node.js'

/** The name of a row; a missing one is reported and stood in for, so that the rows after it can be checked. */
export const readName = (row: Row, context: SurveyContext): string => {
  const name = row.get('name')
  if (name !== undefined) return name
  if (!row.table.has('name')) {
    // Said once: every row would say it again.
    const message = "The survey sheet needs a column 'name' in its first row."
    context.problems.add('missing-column', message, { sheet: 'survey', row: 1, column: 'name' })
    return `unnamed_in_row_${row.number}`
  }
  context.problems.add('missing-name', 'The row has no name. Give it one that is unique in its group.', {
    sheet: 'survey',
    row: row.number,
    column: 'name',
    value: row.get('type') ?? null,
  })
  return `unnamed_in_row_${row.number}`
}

export const checkNodeName = (node: FormNode, context: SurveyContext): void => {
  const place = { sheet: 'survey', row: node.row, column: 'name', value: node.name }
  if (node.name === 'meta')
    context.problems.add('reserved-name', "The name 'meta' is reserved. Choose another one.", place)
  else checkName(node.name, context.settings.namespaces, node.kind, place, context.problems)
}

/** Everything after this walks the tree level by level, so reading ends here. */
export const refuseDepth = (row: Row, problems: ProblemList): never => {
  problems.add('nesting-too-deep', `Groups are nested more than ${limits.nesting} levels deep.`, {
    sheet: 'survey',
    row: row.number,
    column: 'type',
  })
  throw new XlsFormError(problems.sorted())
}
