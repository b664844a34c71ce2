// How people write things that programs must tell apart.

const trueWords = new Set(['y', 'yes', 't', 'true', 'on', '1'])
const falseWords = new Set(['n', 'no', 'f', 'false', 'off', '0'])

/** A word for yes or no, in any case; undefined for anything else. */
export const booleanOf = (text: string): boolean | undefined => {
  const word = text.trim().toLowerCase()
  if (trueWords.has(word)) return true
  return falseWords.has(word) ? false : undefined
}

/** `URL.canParse` of Node 20 is wrong once it has been called some thousand times: it calls addresses with é or ü none. */
export const isUrl = (text: string, base?: string): boolean => {
  try {
    new URL(text, base)
    return true
  } catch {
    return false
  }
}

/** An absolute http or https address. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && isUrl(text)

/** The text of what somebody sent as JSON; blank for anything that has none of its own. `String` calls what an object names
 * `toString`, and that may be anything. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
