/** What somebody is typing, and where it stands in the cell: what they choose goes there instead. */
export interface Typing {
  readonly kind: 'reference' | 'function'
  /** So far, up to the cursor. */
  readonly typed: string
  readonly start: number
  readonly end: number
}

const isNamePart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_.:-]/u.test(character)

/**
 * What could be completed at the cursor: the name in `${…}`, or that of a function. Null where nothing could be, such as
 * within quotes. Labels have references alone.
 */
export const typingAt = (text: string, cursor: number, isExpression = true): Typing | null => {
  const opened = text.lastIndexOf('${', cursor - 1)
  if (opened !== -1 && opened + 2 <= cursor && !text.slice(opened, cursor).includes('}')) {
    const prefix = text.startsWith('last-saved#', opened + 2) ? 'last-saved#'.length : 0
    const start = opened + 2 + prefix
    return start > cursor ? null : typingFrom('reference', text, start, cursor)
  }
  if (!isExpression || isInQuotes(text, cursor)) return null
  let start = cursor
  while (start > 0 && isNamePart(text[start - 1])) start -= 1
  const isName =
    start < cursor && /[\p{L}_]/u.test(text[start] ?? '') && !['/', '@', '$', '#'].includes(text[start - 1] ?? '')
  return isName ? typingFrom('function', text, start, cursor) : null
}

const typingFrom = (kind: Typing['kind'], text: string, start: number, cursor: number): Typing => {
  let end = cursor
  while (isNamePart(text[end])) end += 1
  return { kind, typed: text.slice(start, cursor), start, end }
}

const isInQuotes = (text: string, cursor: number): boolean => {
  let quote = ''
  for (const character of text.slice(0, cursor)) {
    if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (character === quote) quote = ''
  }
  return quote !== ''
}
