// XPath 1.0 in words and signs, for whoever checks expressions and whoever evaluates them.

type TokenKind = 'literal' | 'number' | 'name' | 'symbol' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** As it is written; a literal with its quotes. */
  readonly text: string
}

export class SyntaxFault extends Error {}

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

/** Ends with a token of the kind `end`. Throws SyntaxFault. */
export const tokenize = (text: string): Token[] => {
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
