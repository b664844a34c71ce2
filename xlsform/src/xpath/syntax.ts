import { SyntaxFault, type Token, tokenize } from './tokens.js'

const binaryOperators = new Set(['or', 'and', '=', '!=', '<', '<=', '>', '>=', '+', '-', '*', 'div', 'mod', '|'])
const maxDepth = 200

/** Reads XPath 1.0 for its syntax, and tells which functions it calls. */
class Parser {
  readonly #tokens: Token[]
  readonly #called: (name: string) => void
  #position = 0
  #depth = 0

  constructor(tokens: Token[], called: (name: string) => void) {
    this.#tokens = tokens
    this.#called = called
  }

  parse(): void {
    this.#expression()
    if (this.#peek().kind !== 'end') throw new SyntaxFault(`${this.#described()} is not expected there`)
  }

  #peek(ahead = 0): Token {
    return this.#tokens[this.#position + ahead] ?? { kind: 'end', text: '' }
  }

  #described(): string {
    const { kind, text } = this.#peek()
    return kind === 'end' ? 'the end' : `'${text}'`
  }

  #takes(symbol: string): boolean {
    const { kind, text } = this.#peek()
    if (kind !== 'symbol' || text !== symbol) return false
    this.#position += 1
    return true
  }

  #expect(symbol: string): void {
    if (!this.#takes(symbol)) throw new SyntaxFault(`'${symbol}' is missing before ${this.#described()}`)
  }

  // Precedence does not change whether a chain of operands is well formed, so one level does for all of them.
  #expression(): void {
    this.#depth += 1
    if (this.#depth > maxDepth) throw new SyntaxFault('it is nested too deeply')
    for (;;) {
      while (this.#takes('-'));
      this.#operand()
      const { kind, text } = this.#peek()
      if ((kind !== 'symbol' && kind !== 'name') || !binaryOperators.has(text)) break
      this.#position += 1
    }
    this.#depth -= 1
  }

  #operand(): void {
    const { kind, text } = this.#peek()
    if (kind === 'literal' || kind === 'number') this.#position += 1
    else if (text === '(') {
      this.#position += 1
      this.#expression()
      this.#expect(')')
    } else if (text === '$') {
      this.#position += 1
      if (this.#peek().kind !== 'name') throw new SyntaxFault('a name is missing after the dollar sign')
      this.#position += 1
    } else if (kind === 'name' && this.#peek(1).text === '(' && !nodeTypes.has(text)) this.#call()
    else {
      this.#path()
      return
    }
    this.#predicates()
    if (this.#peek().text === '/' || this.#peek().text === '//') {
      this.#position += 1
      this.#steps()
    }
  }

  #call(): void {
    this.#called(this.#peek().text)
    this.#position += 2
    if (this.#takes(')')) return
    do this.#expression()
    while (this.#takes(','))
    this.#expect(')')
  }

  #path(): void {
    if (this.#takes('/')) {
      if (this.#startsStep()) this.#steps()
    } else {
      this.#takes('//')
      this.#steps()
    }
  }

  #startsStep(): boolean {
    const { kind, text } = this.#peek()
    return kind === 'name' || ['.', '..', '@', '*'].includes(text)
  }

  #steps(): void {
    do this.#step()
    while (this.#takes('/') || this.#takes('//'))
  }

  #step(): void {
    if (this.#takes('.') || this.#takes('..')) {
      this.#predicates()
      return
    }
    if (!this.#takes('@') && this.#peek().kind === 'name' && this.#peek(1).text === '::') this.#axis()
    const { kind, text } = this.#peek()
    if (kind !== 'name' && text !== '*') throw new SyntaxFault(`a value is missing before ${this.#described()}`)
    this.#position += 1
    if (nodeTypes.has(text) && this.#takes('(')) {
      if (this.#peek().kind === 'literal') this.#position += 1
      this.#expect(')')
    }
    this.#predicates()
  }

  #axis(): void {
    const { text } = this.#peek()
    if (!axes.has(text)) throw new SyntaxFault(`'${text}::' is no axis`)
    this.#position += 2
  }

  #predicates(): void {
    while (this.#takes('[')) {
      this.#expression()
      this.#expect(']')
    }
  }
}

const axes = new Set([
  ...['ancestor', 'ancestor-or-self', 'attribute', 'child', 'descendant', 'descendant-or-self', 'following'],
  ...['following-sibling', 'namespace', 'parent', 'preceding', 'preceding-sibling', 'self'],
])

const nodeTypes = new Set(['node', 'text', 'comment', 'processing-instruction'])

/** What is wrong with an expression's syntax, in words; undefined when nothing is. `called` is told every function. */
export const syntaxFault = (expression: string, called: (name: string) => void = () => {}): string | undefined => {
  try {
    new Parser(tokenize(expression), called).parse()
    return undefined
  } catch (error) {
    if (error instanceof SyntaxFault) return error.message
    throw error
  }
}

/** An expression as it can stand before `and`, which binds its operands closer than `or`. */
export const operandOfAnd = (expression: string): string => (/\bor\b/.test(expression) ? `(${expression})` : expression)
