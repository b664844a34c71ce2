// A text as a QR code: which squares are dark. Error level L, as Collect and Central make theirs: a larger code of the same
// text is harder to read from a small sheet than a damaged one.
import { encode } from 'uqr'

export interface Code {
  /** Squares a side, without the quiet margin. */
  readonly size: number
  readonly isDark: (row: number, column: number) => boolean
}

/** What the largest code of level L holds is 2,953 bytes; the texts here have one byte a character. */
export const longestText = 2953

export class TextTooLong extends Error {
  override readonly name = 'TextTooLong'
}

/** Light squares around a code, which readers need to find it. */
export const quietSquares = 4

/** One of eight patterns that keep a code from having large areas of one colour. Looking for the best takes ten times as long as all the rest;
 * of texts that look like chance, as packed ones do, it is hardly better than any. */
const maskPattern = 3

/** The text has only ASCII characters (base64, an address). */
export const codeOf = (text: string): Code => {
  if (text.length > longestText) throw new TextTooLong(`${text.length} characters do not fit into a code`)
  const { size, data } = encode(text, { ecc: 'L', boostEcc: false, border: 0, maskPattern })
  return { size, isDark: (row, column) => data[row]?.[column] === true }
}
