// A list of tags as people type it: separated by commas if there is one, otherwise by blanks; quotes keep words together.

const longestTag = 100
const mostTags = 100

const withoutQuotes = (text: string): string => text.replaceAll('"', '').trim()

export const parseTags = (text: string): string[] => {
  const parts = text.includes(',') ? splitOutsideQuotes(text, ',') : splitOutsideQuotes(text, ' ')
  return [...new Set(parts.map(withoutQuotes).filter((tag) => tag !== ''))]
}

const splitOutsideQuotes = (text: string, separator: string): string[] => {
  const parts = ['']
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (character === separator && !isQuoted) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}

/** Text as typed, or a list as it is. */
export const tagsIn = (given: unknown): string[] => {
  if (typeof given === 'string') return parseTags(given)
  const isList = Array.isArray(given) && given.every((one): one is string => typeof one === 'string')
  return isList ? [...new Set(given.map((tag) => tag.trim()).filter((tag) => tag !== ''))] : []
}

/** What is wrong with tags that somebody adds. */
export const tagsFault = (tags: readonly string[]): string | undefined => {
  if (tags.length === 0) return 'This field is required.'
  if (tags.length > mostTags) return `Ensure this field has no more than ${mostTags} tags.`
  // An address with such a part means another address: removing the label would remove what it is on.
  if (tags.some((tag) => tag === '.' || tag === '..')) return 'A tag may not be . or ..'
  return tags.some((tag) => tag.length > longestTag)
    ? `Ensure each tag has no more than ${longestTag} characters.`
    : undefined
}
