// The guard of exports against spreadsheets that execute cells: an apostrophe before them, and a backslash before bars.

const dangerous = /^'+[=+\-@\t\r\n%]/
/** One sign and its number are never guarded: an apostrophe before them is somebody's own. */
const signedNumber = /^'+[-+](?:\d+(?:\.\d*)?|\.\d+)$/

const withoutApostrophe = (text: string): string =>
  dangerous.test(text) && !signedNumber.test(text) ? text.slice(1) : text

const withoutBackslashes = (text: string): string => (text.includes('\\|') ? text.replaceAll('\\|', '|') : text)

/** What was there before. */
export const unguarded = (text: string): string => withoutBackslashes(withoutApostrophe(text))

/** Whatever it may have been before: files are guarded, partly guarded, or not at all. */
export const readingsOf = (text: string): readonly string[] => {
  const bare = withoutApostrophe(text)
  if (bare === text && !text.includes('\\|')) return [text]
  return [text, bare, withoutBackslashes(text), withoutBackslashes(bare)]
}
