// Words beside bars: broken into lines that fit, and cut where they are too long. Widths are estimates, since nothing
// here can measure letters.

/** Characters that are about twice as wide as Latin ones. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/** Nothing that moves the writing about, or cannot be seen at all. */
const invisible = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

export const cleanLabel = (text: string): string =>
  text.replace(invisible, ' ').replace(/\s+/g, ' ').trim() || '(blank)'

const widthOf = (character: string): number => (wide.test(character) ? 2 : 1)

/** As many characters from the start as fit. */
const fitting = (characters: readonly string[], width: number): number => {
  let used = 0
  for (const [place, character] of characters.entries()) {
    used += widthOf(character)
    if (used > width) return place
  }
  return characters.length
}

/** At most so many lines of so many characters, broken at blanks where there are any; … where something is left. */
export const wrapped = (text: string, width: number, lines: number): string => {
  // Far beyond what fits: a label may be a whole essay.
  let rest = [...cleanLabel(text.slice(0, 1000))]
  const done: string[] = []
  while (rest.length > 0 && done.length < lines) {
    const fits = fitting(rest, width)
    const isLast = done.length === lines - 1
    if (fits === rest.length) {
      done.push(rest.join(''))
      return done.join('\n')
    }
    const blank = rest.slice(0, fits + 1).lastIndexOf(' ')
    const end = isLast ? fitting(rest, width - 1) : blank > 0 ? blank : fits
    done.push(`${rest.slice(0, end).join('').trimEnd()}${isLast ? '…' : ''}`)
    rest = [...rest.slice(end).join('').trimStart()]
  }
  return done.join('\n')
}
