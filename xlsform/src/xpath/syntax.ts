type TokenKind = 'literal' | 'number' | 'name' | 'symbol' | 'end'

interface Token {
  kind: TokenKind
  text: string
}

class SyntaxFault extends Error {}

const isWhiteSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13
const isDigit = (code: number): boolean => code >= 48 && code <= 57
// The ranges of XML. Halves of characters beyond 16 bits are taken: what they make up is allowed in names.
const isForeignNameStart = (code: number): boolean =>
  (code >= 0xc0 && code <= 0x2ff && code !== 0xd7 && code !== 0xf7) ||
  (code >= 0x370 && code <= 0x1fff && code !== 0x37e) ||
  code === 0x200c ||
  code === 0x200d ||
  (code >= 0x2070 && code <= 0x218f) ||
  (code >= 0x2c00 && code <= 0x2fef) ||
  (code >= 0x3001 && code <= 0xdfff) ||
  (code >= 0xf900 && code <= 0xfdcf) ||
  (code >= 0xfdf0 && code <= 0xfffd)
const isForeignNamePart = (code: number): boolean =>
  isForeignNameStart(code) || code === 0xb7 || (code >= 0x300 && code <= 0x36f) || code === 0x203f || code === 0x2040
const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (code > 127 && isForeignNameStart(code))
const isNamePart = (code: number): boolean =>
  isNameStart(code) || isDigit(code) || code === 45 || code === 46 || (code > 127 && isForeignNamePart(code))

const pairs = new Set(['::', '..', '//', '!=', '<=', '>='])
const singles = new Set('()[].@,/|+-=<>*$')

const tokenize = (text: string): Token[] => {
  const tokens: Token[] = []
  let position = 0
  while (position < text.length) {
    const code = text.charCodeAt(position)
    const character = text[position] ?? ''
    if (isWhiteSpace(code)) {
      position += 1
      continue
    }
    const [kind, end] = nextToken(text, position, code, character)
    tokens.push({ kind, text: text.slice(position, end) })
    position = end
  }
  tokens.push({ kind: 'end', text: '' })
  return tokens
}

const nextToken = (text: string, start: number, code: number, character: string): [TokenKind, number] => {
  if (isNameStart(code)) return ['name', nameEnd(text, start)]
  if (isDigit(code) || (code === 46 && isDigit(text.charCodeAt(start + 1)))) return ['number', numberEnd(text, start)]
  if (character === '"' || character === "'") {
    const end = text.indexOf(character, start + 1)
    if (end === -1) throw new SyntaxFault('a quote is opened and never closed')
    return ['literal', end + 1]
  }
  if (text.startsWith('<>', start)) throw new SyntaxFault("'<>' is no operator; what differs is written '!='")
  if (pairs.has(text.slice(start, start + 2))) return ['symbol', start + 2]
  if (singles.has(character)) return ['symbol', start + 1]
  throw new SyntaxFault(`'${character}' is not understood`)
}

const nameEnd = (text: string, start: number): number => {
  let end = start + 1
  while (isNamePart(text.charCodeAt(end))) end += 1
  // One colon may join a prefix; two of them mark an axis.
  if (text[end] !== ':') return end
  if (text[end + 1] === '*') return end + 2
  if (!isNameStart(text.charCodeAt(end + 1))) return end
  end += 2
  while (isNamePart(text.charCodeAt(end))) end += 1
  return end
}

const numberEnd = (text: string, start: number): number => {
  let end = start
  while (isDigit(text.charCodeAt(end))) end += 1
  if (text[end] === '.' && text[end + 1] !== '.') end += 1
  while (isDigit(text.charCodeAt(end))) end += 1
  return end
}

const binaryOperators = new Set(['or', 'and', '=', '!=', '<', '<=', '>', '>=', '+', '-', '*', 'div', 'mod', '|'])
const maxDepth = 200

/** Reads XPath 1.0 for its syntax only: which functions and elements exist is for the client to know. */
class Parser {
  readonly #tokens: Token[]
  #position = 0
  #depth = 0

  constructor(tokens: Token[]) {
    this.#tokens = tokens
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

/** What is wrong with an expression's syntax, in words; undefined when nothing is. */
export const syntaxFault = (expression: string): string | undefined => {
  try {
    new Parser(tokenize(expression)).parse()
    return undefined
  } catch (error) {
    if (error instanceof SyntaxFault) return error.message
    throw error
  }
}

/** An expression as it can stand before `and`, which binds its operands closer than `or`. */
export const operandOfAnd = (expression: string): string => (/\bor\b/.test(expression) ? `(${expression})` : expression)
