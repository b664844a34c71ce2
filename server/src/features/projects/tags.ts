// A list of tags as people type it: separated by commas if there is one, otherwise by blanks; quotes keep words together.

export const maxTagLength = 100

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
