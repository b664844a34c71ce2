// Whether an answer keeps a constraint. Both were written by others, so that every step is counted.
import type { LinearPattern } from './linear-pattern.js'
import type { StepMeter } from './step-meter.js'
import type { Constraint, Expression, Operator } from './xpath.js'

export interface Answer {
  readonly text: string
  /** Those of the constraint, by number. */
  readonly patterns: readonly LinearPattern[]
  readonly now: Date
  readonly meter: StepMeter
}

interface Evaluation extends Answer {
  /** Of calls of the answer alone. */
  readonly known: Map<Expression, Value>
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

const isBlank = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code <= 32 ? code === 32 || (code >= 9 && code <= 13) : code > 127 && /\s/.test(text[at] ?? '')
}

/** Without a list of the words: an answer may have half a million of them. */
const countWords = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    if (!isBlank(text, at) && (at === 0 || isBlank(text, at - 1))) count += 1
  }
  return count
}

/** Each word is compared once, so that a list of nearly the same words takes no longer. */
const hasWord = (text: string, word: string): boolean => {
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isBlank(text, at)) continue
    if (at > start && at - start === word.length && text.startsWith(word, start)) return true
    start = at + 1
  }
  return false
}

/** A pair of surrogates is one character. */
const countCharacters = (text: string): number => {
  let count = text.length
  for (let at = 1; at < text.length; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
    if (isPair) count -= 1
  }
  return count
}

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
  'string-length': ([value], { text }) => countCharacters(textOf(value ?? text)),
  'normalize-space': ([value], { text }) =>
    textOf(value ?? text)
      .trim()
      .replace(/\s+/g, ' '),
  contains: ([text = '', part = '']) => textOf(text).includes(textOf(part)),
  'starts-with': ([text = '', part = '']) => textOf(text).startsWith(textOf(part)),
  'ends-with': ([text = '', part = '']) => textOf(text).endsWith(textOf(part)),
  selected: ([list = '', name = '']) => hasWord(textOf(list), textOf(name)),
  'count-selected': ([list = '']) => countWords(textOf(list)),
  date: ([value = '']) => value,
  today: (_operands, { now }) => now.toISOString().slice(0, 10),
  now: (_operands, { now }) => now.toISOString(),
}

const lengthOf = (value: Value): number => (typeof value === 'string' ? value.length : 0)

/** What a call takes beyond its own step: characters that it walks through, once or more. */
const charactersOf = (name: string, operands: readonly Value[], { text }: Answer): number => {
  const lengths = operands.length === 0 ? [text.length] : operands.map(lengthOf)
  const [first = 0, second = 0] = lengths
  // Looking for a part may compare all of it at every place, and a text that is put together again is copied.
  if (name === 'contains') return first + (first * second) / 4
  return name === 'normalize-space' ? first * 16 : first + second
}

const evaluateCall = (call: Extract<Expression, { kind: 'call' }>, answer: Evaluation): Value => {
  const known = answer.known.get(call)
  if (known !== undefined) return known
  const operands = call.operands.map((operand) => evaluate(operand, answer))
  answer.meter.read(charactersOf(call.name, operands, answer))
  const value = calls[call.name]?.(operands, answer) ?? false
  answer.known.set(call, value)
  return value
}

const matches = (answer: Evaluation, number: number): boolean => {
  const pattern = answer.patterns[number]
  if (pattern === undefined) return false
  answer.meter.step(pattern.stepsFor(answer.text))
  return pattern.matches(answer.text)
}

const evaluate = (expression: Expression, answer: Evaluation): Value => {
  answer.meter.step(1)
  switch (expression.kind) {
    case 'value':
      return expression.value
    case 'answer':
      return answer.text
    case 'matches':
      return matches(answer, expression.pattern)
    case 'negative':
      return -numberOf(evaluate(expression.operand, answer))
    case 'call':
      return evaluateCall(expression, answer)
    case 'binary':
      return evaluateBinary(expression, answer)
  }
}

const evaluateBinary = (
  { operator, left, right }: Extract<Expression, { kind: 'binary' }>,
  answer: Evaluation,
): Value => {
  const first = evaluate(left, answer)
  if (operator === 'or') return truthOf(first) || truthOf(evaluate(right, answer))
  if (operator === 'and') return truthOf(first) && truthOf(evaluate(right, answer))
  const second = evaluate(right, answer)
  answer.meter.read(lengthOf(first) + lengthOf(second))
  return operations[operator](first, second)
}

/** Throws OverBudget where that takes more steps than an answer, or a plan, may have. */
export const keepsConstraint = ({ expression }: Constraint, answer: Answer): boolean => {
  answer.meter.beginAnswer()
  return truthOf(evaluate(expression, { ...answer, known: new Map() }))
}
