// The part of XPath that constraints are usually written in: comparisons of the answer with numbers, texts and dates.
// What depends on more than the answer itself is told apart, never guessed.
import { SyntaxFault, type Token, tokenize } from '@sheaf/xlsform/text'
import { budgets } from '../../budgets.js'

/** Thrown for an expression that says more than this part of XPath can. */
export class NotEvaluated extends Error {}

export type Operator = 'or' | 'and' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | 'div' | 'mod'

export type Expression =
  | { readonly kind: 'value'; readonly value: string | number }
  | { readonly kind: 'answer' }
  | { readonly kind: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'negative'; readonly operand: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Expression[] }
  /** Whether the whole answer matches the pattern of this number. */
  | { readonly kind: 'matches'; readonly pattern: number }

export interface Constraint {
  readonly expression: Expression
  /** As they are written; see `linearPattern`. */
  readonly patterns: readonly string[]
}

const tokensOf = (text: string): Token[] => {
  if (text.length > budgets.expressions.characters) throw new NotEvaluated('It is too long.')
  try {
    return tokenize(text)
  } catch (error) {
    throw error instanceof SyntaxFault ? new NotEvaluated('It is not understood.') : error
  }
}

/** From the loosest to the closest. */
const levels: readonly (readonly Operator[])[] = [
  ['or'],
  ['and'],
  ['=', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', 'div', 'mod'],
]

/** Functions and how many operands they take. */
const functions: Readonly<Record<string, readonly [least: number, most: number]>> = {
  not: [1, 1],
  true: [0, 0],
  false: [0, 0],
  boolean: [1, 1],
  number: [1, 1],
  string: [1, 1],
  int: [1, 1],
  round: [1, 1],
  floor: [1, 1],
  ceiling: [1, 1],
  abs: [1, 1],
  'string-length': [0, 1],
  'normalize-space': [0, 1],
  contains: [2, 2],
  'starts-with': [2, 2],
  'ends-with': [2, 2],
  selected: [2, 2],
  'count-selected': [1, 1],
  date: [1, 1],
  today: [0, 0],
  now: [0, 0],
}

const end: Token = { kind: 'end', text: '' }

class Parser {
  readonly patterns: string[] = []
  readonly #calls = new Map<string, Expression>()
  readonly #tokens: readonly Token[]
  #position = 0
  #depth = 0

  constructor(text: string) {
    this.#tokens = tokensOf(text)
  }

  parse(): Expression {
    const expression = this.#level(0)
    if (this.#peek().kind !== 'end') throw new NotEvaluated('It is not understood.')
    return expression
  }

  #peek(ahead = 0): Token {
    return this.#tokens[this.#position + ahead] ?? end
  }

  #takes(text: string): boolean {
    const token = this.#peek()
    if (token.text !== text || token.kind === 'literal') return false
    this.#position += 1
    return true
  }

  #level(level: number): Expression {
    const operators = levels[level]
    if (operators === undefined) return this.#unary()
    this.#depth += 1
    if (this.#depth > budgets.expressions.depth * levels.length) throw new NotEvaluated('It is nested too deeply.')
    let left = this.#level(level + 1)
    for (;;) {
      const operator = operators.find((one) => this.#takes(one))
      if (operator === undefined) break
      left = { kind: 'binary', operator, left, right: this.#level(level + 1) }
    }
    this.#depth -= 1
    return left
  }

  #unary(): Expression {
    let signs = 0
    while (this.#takes('-')) signs += 1
    const operand = this.#primary()
    // Two of them make a number of it, as none does not.
    if (signs === 0) return operand
    const negative: Expression = { kind: 'negative', operand }
    return signs % 2 === 1 ? negative : { kind: 'negative', operand: negative }
  }

  #primary(): Expression {
    const { kind, text } = this.#peek()
    if (kind === 'number' || kind === 'literal') {
      this.#position += 1
      return { kind: 'value', value: kind === 'number' ? Number(text) : text.slice(1, -1) }
    }
    if (kind === 'symbol' && this.#takes('(')) {
      const inside = this.#level(0)
      this.#close()
      return inside
    }
    if (kind === 'symbol' && text === '.' && !['/', '//', '['].includes(this.#peek(1).text)) {
      this.#position += 1
      return { kind: 'answer' }
    }
    if (kind === 'name' && this.#peek(1).text === '(') return this.#call(text)
    throw new NotEvaluated(
      kind === 'end' ? 'It is not understood.' : 'It depends on other answers, or on where the question stands.',
    )
  }

  #close(): void {
    if (!this.#takes(')')) throw new NotEvaluated('It is not understood.')
  }

  #call(name: string): Expression {
    this.#position += 2
    const operands: Expression[] = []
    if (!this.#takes(')')) {
      do operands.push(this.#level(0))
      while (this.#takes(','))
      this.#close()
    }
    if (name === 'regex') return this.#matches(operands)
    const counts = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (counts === undefined) throw new NotEvaluated(`The function ${name}() is not evaluated here.`)
    if (operands.length < counts[0] || operands.length > counts[1]) {
      throw new NotEvaluated(`The function ${name}() has the wrong number of arguments.`)
    }
    return this.#once({ kind: 'call', name, operands })
  }

  /** Calls that say the same are one: what walks through a long answer then does so once. */
  #once(call: Extract<Expression, { kind: 'call' }>): Expression {
    if (!call.operands.every(({ kind }) => kind === 'answer' || kind === 'value')) return call
    const key = JSON.stringify(call)
    const known = this.#calls.get(key) ?? call
    this.#calls.set(key, known)
    return known
  }

  #matches([text, pattern]: readonly Expression[]): Expression {
    if (text?.kind !== 'answer' || pattern?.kind !== 'value' || typeof pattern.value !== 'string') {
      throw new NotEvaluated('The function regex() is evaluated for the answer and a fixed pattern only.')
    }
    if (!this.patterns.includes(pattern.value)) this.patterns.push(pattern.value)
    return { kind: 'matches', pattern: this.patterns.indexOf(pattern.value) }
  }
}

/** Throws NotEvaluated. */
export const parseConstraint = (text: string): Constraint => {
  const parser = new Parser(text)
  return { expression: parser.parse(), patterns: parser.patterns }
}
