import { syntaxFault } from '../xpath/syntax.js'

// Read left to right; the first alternative that matches is the token, and one always does.
const token = new RegExp(
  [
    `(?<text>"[^"]*"|'[^']*')`,
    String.raw`(?<reference>\$\{)`,
    String.raw`(?<literal>-?\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w-])` +
      String.raw`|\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?(?![\w:])` +
      String.raw`|[A-Za-z][A-Za-z0-9+.]{0,29}:\/\/(?:(?!\$\{)\S)*)`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_.\-]*(?::[\p{L}_][\p{L}\p{N}_.\-]*)?)(?<call>\()?`,
    String.raw`(?<number>-?(?:\d+(?:\.\d*)?|\.\d+))`,
    '(?<operator>[*+|]|-)',
    '[^]',
  ].join('|'),
  'guy',
)

// In these a minus is part of the value far more often than a subtraction.
const minusIsLiteral = new Set(['date', 'dateTime', 'geopoint', 'geotrace', 'geoshape'])

interface DefaultReading {
  isDynamic: boolean
  /** What keeps a text that calls a function from being an expression. */
  fault?: string
}

/**
 * Whether a default is an expression to evaluate rather than a value to start with. What cannot be read as an
 * expression is a value: a phone number with its plus, a grade such as C++, a dash. A reference is never plain text.
 */
export const readDefault = (text: string, typeName: string): DefaultReading => {
  const sign = firstSign(text, typeName)
  if (sign === 'none') return { isDynamic: false }
  if (text.includes('${')) return { isDynamic: true }
  const fault = syntaxFault(text)
  if (fault === undefined) return { isDynamic: hasOperand.test(text) }
  return sign === 'call' ? { isDynamic: false, fault } : { isDynamic: false }
}

// A star alone is a path to every element, and certainly not meant as one.
const hasOperand = /[\p{L}\p{N}'"]/u

type Sign = 'none' | 'reference' | 'call' | 'operator'

/** What first tells an expression from a value. */
const firstSign = (text: string, typeName: string): Sign => {
  for (const match of text.matchAll(token)) {
    const sign = signOf(match, text)
    if (sign !== 'none') return match.groups?.operator === '-' && minusIsLiteral.has(typeName) ? 'none' : sign
  }
  return 'none'
}

const signOf = (match: RegExpExecArray, text: string): Sign => {
  const { reference, call, word, operator } = match.groups ?? {}
  if (reference !== undefined) return 'reference'
  if (call !== undefined) return 'call'
  const isWordOperator = word === 'div' || word === 'mod'
  return operator !== undefined || (isWordOperator && isBetweenSpaces(text, match.index, word.length))
    ? 'operator'
    : 'none'
}

const isBetweenSpaces = (text: string, start: number, length: number): boolean =>
  /\s/.test(text[start - 1] ?? '') && /\s/.test(text[start + length] ?? '')
