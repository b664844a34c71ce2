// The query language: a JSON object of conditions that must all hold, or free text.
import { cutTo } from '@sheaf/xlsform/text'
import { budgets } from '../../budgets.js'
import { always, type Comparison, type Condition, type Operand } from './condition.js'
import { QueryFault } from './fault.js'
import { type Json, parseJson } from './json.js'

const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ['$gt', '>'],
  ['$gte', '>='],
  ['$lt', '<'],
  ['$lte', '<='],
  ['$eq', '='],
])

const not = (condition: Condition): Condition => ({ kind: 'not', condition })
const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 1 ? (conditions[0] as Condition) : { kind: 'and', conditions }
const any = (conditions: readonly Condition[]): Condition =>
  conditions.length === 1 ? (conditions[0] as Condition) : { kind: 'or', conditions }

const operandOf = (key: string, value: Json): Operand => {
  if (value.kind === 'string' || value.kind === 'number' || value.kind === 'boolean') return value
  throw new QueryFault(`The value for ${key} must be a text, a number, true or false.`)
}

const equals = (key: string, value: Json): Condition =>
  value.kind === 'null'
    ? not({ kind: 'exists', key })
    : { kind: 'compare', key, comparison: '=', operand: operandOf(key, value) }

const itemsOf = (operator: string, value: Json): readonly Json[] => {
  if (value.kind !== 'array') throw new QueryFault(`${operator} takes a list.`)
  return value.items
}

const oneOf = (operator: string, key: string, value: Json): Condition =>
  any(itemsOf(operator, value).map((item) => equals(key, item)))

/** Names of choices; null is no answer at all. */
const hasAny = (key: string, value: Json): Condition => {
  const items = value.kind === 'array' ? value.items : [value]
  const words = items.flatMap((item) => {
    if (item.kind === 'null') return []
    const operand = operandOf(key, item)
    return [operand.kind === 'boolean' ? String(operand.value) : operand.text]
  })
  const isNothing = items.some(({ kind }) => kind === 'null')
  return any([
    ...(words.length > 0 ? [{ kind: 'has', key, words } as const] : []),
    ...(isNothing ? [not({ kind: 'exists', key })] : []),
  ])
}

const operation = (key: string, operator: string, value: Json): Condition => {
  const comparison = comparisons.get(operator)
  if (comparison === '=') return equals(key, value)
  if (comparison !== undefined) return { kind: 'compare', key, comparison, operand: operandOf(key, value) }
  switch (operator) {
    case '$i':
      if (value.kind !== 'string' && value.kind !== 'number') throw new QueryFault(`$i takes a text.`)
      return { kind: 'contains', key, text: value.text }
    case '$has':
      return hasAny(key, value)
    case '$ne':
      return not(equals(key, value))
    case '$in':
      return oneOf(operator, key, value)
    case '$nin':
      return not(oneOf(operator, key, value))
    case '$exists':
      if (value.kind !== 'boolean') throw new QueryFault(`$exists takes true or false.`)
      return value.value ? { kind: 'exists', key } : not({ kind: 'exists', key })
    default:
      throw new QueryFault(`Unsupported operator ${cutTo(operator, 100)}`)
  }
}

/** `{"key": value}`; an object of operators holds as a whole. */
const conditionOn = (key: string, value: Json): Condition => {
  if (key === '$or') return any(alternatives(value))
  if (key === '$and') return all(groups('$and', value).map((group) => all(conditionsOf(group))))
  if (key.startsWith('$')) throw new QueryFault(`Unsupported operator ${cutTo(key, 100)}`)
  if (value.kind === 'array') throw new QueryFault(`A list is no value for ${cutTo(key, 100)}: use $in.`)
  if (value.kind !== 'object') return equals(key, value)
  return all(value.entries.map(([operator, operand]) => operation(key, operator, operand)))
}

type JsonObject = Extract<Json, { kind: 'object' }>

const groups = (operator: string, value: Json): JsonObject[] => {
  const items = itemsOf(operator, value)
  if (items.length === 0) throw new QueryFault(`${operator} takes a list with at least one condition.`)
  return items.map((item) => {
    if (item.kind !== 'object' || item.entries.length === 0) {
      throw new QueryFault(`${operator} takes a list of objects, each with at least one condition.`)
    }
    return item
  })
}

/** Every key of every element is an alternative of its own, as the documentation of this API family has it. */
const alternatives = (value: Json): Condition[] => groups('$or', value).flatMap(conditionsOf)

const conditionsOf = ({ entries }: JsonObject): Condition[] => entries.map(([key, value]) => conditionOn(key, value))

const countOf = (condition: Condition): number => {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.reduce((sum, inner) => sum + countOf(inner), 1)
    case 'not':
      return countOf(condition.condition)
    default:
      return 1
  }
}

/** An object, an array of one object, or free text. Blank text asks nothing. Throws QueryFault. */
export const parseQuery = (text: string): Condition => {
  const asked = text.trim()
  if (asked === '') return always
  if (!/^[{[]/.test(asked)) return { kind: 'search', text: unquoted(asked) }
  const json = parseJson(asked)
  const query = json.kind === 'array' && json.items.length === 1 ? json.items[0] : json
  if (query?.kind !== 'object') throw new QueryFault('The query must be one JSON object.')
  const condition = all(conditionsOf(query))
  const { conditions: mostConditions } = budgets.query
  if (countOf(condition) > mostConditions) throw new QueryFault(`The query has more than ${mostConditions} conditions.`)
  return condition
}

/** `"tom"` is the text tom. */
const unquoted = (text: string): string => {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'string' && value.trim() !== '' && !value.includes('\0') ? value : text
  } catch {
    return text
  }
}
