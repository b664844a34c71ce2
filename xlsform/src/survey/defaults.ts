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

/** Whether a default is an expression to evaluate rather than a value to start with. */
export const isDynamicDefault = (text: string, typeName: string): boolean => {
  for (const match of text.matchAll(token)) {
    const { reference, call, word, operator } = match.groups ?? {}
    if (reference !== undefined || call !== undefined) return true
    if (operator === '-') return !minusIsLiteral.has(typeName)
    if (operator !== undefined) return true
    if ((word === 'div' || word === 'mod') && isBetweenSpaces(text, match.index, word.length)) return true
  }
  return false
}

const isBetweenSpaces = (text: string, start: number, length: number): boolean =>
  /\s/.test(text[start - 1] ?? '') && /\s/.test(text[start + length] ?? '')
