// The guard of exports against spreadsheets that execute cells: an apostrophe before them. Former exports also had one before
// percents and lines, and a backslash before bars.
import { needsGuard } from '../csv/index.js'

/** What was there before. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && needsGuard(text.slice(1)) ? text.slice(1) : text

const formerGuard = /^'+[=+\-@\t\r\n%]/

const withoutBackslashes = (text: string): string => (text.includes('\\|') ? text.replaceAll('\\|', '|') : text)

/** Whatever it may have been before: files are guarded, partly guarded, or not at all. */
export const readingsOf = (text: string): readonly string[] => {
  const bare = formerGuard.test(text) ? text.slice(1) : text
  if (bare === text && !text.includes('\\|')) return [text]
  return [text, bare, withoutBackslashes(text), withoutBackslashes(bare)]
}
