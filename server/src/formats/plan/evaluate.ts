// Whether an answer keeps a constraint.
import type { Constraint, Expression, Operator } from './xpath.js'

export interface Answer {
  readonly text: string
  /** Of each pattern of the constraint, whether the answer matches it. */
  readonly matches: readonly boolean[]
  readonly now: Date
}

type Value = string | number | boolean

const dayMilliseconds = 86_400_000
const datePattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?)?$/

/** Dates count in days, as on devices. */
const numberOf = (value: Value): number => {
  if (typeof value !== 'string') return Number(value)
  const text = value.trim()
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)) return Number(text)
  return datePattern.test(text) ? Date.parse(text) / dayMilliseconds : Number.NaN
}

const textOf = (value: Value): string => String(value)

const truthOf = (value: Value): boolean =>
  typeof value === 'number' ? value !== 0 && !Number.isNaN(value) : Boolean(value)

const equal = (left: Value, right: Value): boolean => {
  if (typeof left === 'boolean' || typeof right === 'boolean') return truthOf(left) === truthOf(right)
  if (typeof left === 'number' || typeof right === 'number') return numberOf(left) === numberOf(right)
  return left === right
}

const operations: Readonly<Record<Exclude<Operator, 'or' | 'and'>, (left: Value, right: Value) => Value>> = {
  '=': equal,
  '!=': (left, right) => !equal(left, right),
  '<': (left, right) => numberOf(left) < numberOf(right),
  '<=': (left, right) => numberOf(left) <= numberOf(right),
  '>': (left, right) => numberOf(left) > numberOf(right),
  '>=': (left, right) => numberOf(left) >= numberOf(right),
  '+': (left, right) => numberOf(left) + numberOf(right),
  '-': (left, right) => numberOf(left) - numberOf(right),
  '*': (left, right) => numberOf(left) * numberOf(right),
  div: (left, right) => numberOf(left) / numberOf(right),
  mod: (left, right) => numberOf(left) % numberOf(right),
}

const words = (value: Value): string[] =>
  textOf(value)
    .split(/\s+/)
    .filter((word) => word !== '')

const calls: Readonly<Record<string, (operands: readonly Value[], answer: Answer) => Value>> = {
  not: ([value = '']) => !truthOf(value),
  true: () => true,
  false: () => false,
  boolean: ([value = '']) => truthOf(value),
  number: ([value = '']) => numberOf(value),
  string: ([value = '']) => textOf(value),
  int: ([value = '']) => Math.trunc(numberOf(value)),
  round: ([value = '']) => Math.round(numberOf(value)),
  floor: ([value = '']) => Math.floor(numberOf(value)),
  ceiling: ([value = '']) => Math.ceil(numberOf(value)),
  abs: ([value = '']) => Math.abs(numberOf(value)),
  'string-length': ([value], { text }) => [...textOf(value ?? text)].length,
  'normalize-space': ([value], { text }) => words(value ?? text).join(' '),
  contains: ([text = '', part = '']) => textOf(text).includes(textOf(part)),
  'starts-with': ([text = '', part = '']) => textOf(text).startsWith(textOf(part)),
  'ends-with': ([text = '', part = '']) => textOf(text).endsWith(textOf(part)),
  selected: ([list = '', name = '']) => words(list).includes(textOf(name)),
  'count-selected': ([list = '']) => words(list).length,
  date: ([value = '']) => value,
  today: (_operands, { now }) => now.toISOString().slice(0, 10),
  now: (_operands, { now }) => now.toISOString(),
}

const evaluate = (expression: Expression, answer: Answer): Value => {
  switch (expression.kind) {
    case 'value':
      return expression.value
    case 'answer':
      return answer.text
    case 'matches':
      return answer.matches[expression.pattern] === true
    case 'negative':
      return -numberOf(evaluate(expression.operand, answer))
    case 'call': {
      const operands = expression.operands.map((operand) => evaluate(operand, answer))
      return calls[expression.name]?.(operands, answer) ?? false
    }
    case 'binary':
      return evaluateBinary(expression, answer)
  }
}

const evaluateBinary = ({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, answer: Answer): Value => {
  const first = evaluate(left, answer)
  if (operator === 'or') return truthOf(first) || truthOf(evaluate(right, answer))
  if (operator === 'and') return truthOf(first) && truthOf(evaluate(right, answer))
  return operations[operator](first, evaluate(right, answer))
}

export const keepsConstraint = ({ expression }: Constraint, answer: Answer): boolean =>
  truthOf(evaluate(expression, answer))
