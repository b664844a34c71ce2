/** Two letters at most, of the first and the last word; whole characters, also where they are made of several. */
export const initialsOf = (name: string): string => {
  const words = name
    .trim()
    .split(/[\s._-]+/)
    .filter(Boolean)
  const first = (word: string | undefined) => [...(word ?? '')][0] ?? ''
  return (first(words[0]) + (words.length > 1 ? first(words.at(-1)) : '')).toUpperCase()
}

/** One of five, 0 to 4. */
export const toneOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997, 7) % 5
