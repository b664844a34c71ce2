// How people write things that programs must tell apart.

const trueWords = new Set(['y', 'yes', 't', 'true', 'on', '1'])
const falseWords = new Set(['n', 'no', 'f', 'false', 'off', '0'])

/** A word for yes or no, in any case; undefined for anything else. */
export const booleanOf = (text: string): boolean | undefined => {
  const word = text.trim().toLowerCase()
  if (trueWords.has(word)) return true
  return falseWords.has(word) ? false : undefined
}

/** An absolute http or https address. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)
