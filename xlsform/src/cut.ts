const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** More marks than any script sets on a letter, or an emoji has parts. */
const longestCharacter = 32

/**
 * The beginning of a text, at most so long, and never half of a character as people see it: of an emoji, or of a letter with its
 * marks. A letter under a heap of marks is cut all the same, though never within a pair.
 */
export const cutTo = (text: string, most: number): string => {
  if (text.length <= most) return text
  const start = characters.segment(text.slice(0, most + longestCharacter)).containing(most)?.index ?? most
  if (most - start <= longestCharacter) return text.slice(0, start)
  const isPair = /[\uD800-\uDBFF]/.test(text[most - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[most] ?? '')
  return text.slice(0, isPair ? most - 1 : most)
}

/** The same with a mark that something is missing; with it, it is at most so long. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${cutTo(text, most - 1)}…`
