// The filter of a dataview as a query on its form. It was checked when it was made, but the form may have been replaced
// since: what cannot be compared any more matches nothing, and is never an error.
import {
  type AnswersOfForm,
  type Comparison,
  type Condition,
  type Operand,
  QueryFault,
  type TypedCondition,
  targetOf,
  typed,
} from '../../formats/query/index.js'
import type { DataviewItem } from '../forms/index.js'

const operandOf = (value: DataviewItem['value']): Operand => {
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  return { kind: typeof value, text: String(value) } as Operand
}

/** Other than a value: below it or above it, so that what is missing is neither. Yes and no have no order. */
const differs = ({ column, value }: DataviewItem, answers: AnswersOfForm): Condition => {
  const operand = operandOf(value)
  const compare = (comparison: Comparison): Condition => ({ kind: 'compare', key: column, comparison, operand })
  if (operand.kind === 'boolean' || targetOf(column, answers).type === 'boolean') {
    const isThere: Condition = { kind: 'exists', key: column }
    return { kind: 'and', conditions: [isThere, { kind: 'not', condition: compare('=') }] }
  }
  return { kind: 'or', conditions: [compare('<'), compare('>')] }
}

const asCondition = (item: DataviewItem, answers: AnswersOfForm): Condition => {
  const { column, filter, value } = item
  if (filter === '<>' || filter === '!=') return differs(item, answers)
  return { kind: 'compare', key: column, comparison: filter, operand: operandOf(value) }
}

/** Throws QueryFault for a value that is not of its column's type. */
export const typedItem = (item: DataviewItem, answers: AnswersOfForm): TypedCondition =>
  typed(asCondition(item, answers), answers)

const nothing: TypedCondition = { kind: 'or', conditions: [] }

const orNothing = (item: DataviewItem, answers: AnswersOfForm): TypedCondition => {
  try {
    return typedItem(item, answers)
  } catch (error) {
    if (error instanceof QueryFault) return nothing
    throw error
  }
}

/** All items hold, and of those with `or` at least one. */
export const conditionOf = (
  { query }: { readonly query: readonly DataviewItem[] },
  answers: AnswersOfForm,
): TypedCondition => {
  const conditions = query.filter(({ condition }) => condition !== 'or').map((item) => orNothing(item, answers))
  const either = query.filter(({ condition }) => condition === 'or').map((item) => orNothing(item, answers))
  return {
    kind: 'and',
    conditions: either.length === 0 ? conditions : [...conditions, { kind: 'or', conditions: either }],
  }
}
