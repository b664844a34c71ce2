// Cells of CSV: guarded against being executed by a spreadsheet, and quoted.
import { csvCell, quotedCell } from '@sheaf/xlsform/text'

/** What a spreadsheet takes for the start of a formula, or skips before it. */
const startsFormula = /^[=+\-@\t\r]/
/** Numbers with signs, alone or in a row: points, and traces and shapes with semicolons between their points. Each digit can
 * be read in one way only: senders choose the text. */
const signedNumbers =
  /^[-+](?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?:[\s;]+[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)*[\s;]*$/
/** As people write them: `+44 (0)20 7946-0958`. Whatever a spreadsheet makes of it, nothing is called. */
const phoneNumber = /^\+[ (]*\d[\d ().\-/]*$/

/** Read as one by a spreadsheet, where nothing stands before it. */
export const isFormula = (text: string): boolean =>
  startsFormula.test(text) && !signedNumbers.test(text) && !phoneNumber.test(text)

const withoutApostrophes = (text: string): string => {
  let at = 0
  while (text[at] === "'") at++
  return text.slice(at)
}

export interface Guard {
  /** Nothing is guarded: for programs that execute nothing. */
  readonly isOff: boolean
  /** Names and labels of choices, where some of them are read as formulas: the form's own words stay as they are. Empty in
   * nearly every form. */
  readonly words: ReadonlySet<string>
}

export const usualGuard: Guard = { isOff: false, words: new Set() }

const isOfWords = (text: string, { words }: Guard): boolean =>
  words.size > 0 &&
  (words.has(text) || [' ', ', '].some((between) => text.split(between).every((word) => words.has(word))))

/**
 * Whether a cell gets an apostrophe. One that has apostrophes already is judged by what is behind them, so that taking one
 * away again always gives what was there.
 */
export const needsGuard = (text: string, guard: Guard = usualGuard): boolean =>
  !guard.isOff && isFormula(withoutApostrophes(text)) && !isOfWords(text, guard)

export interface CsvStyle {
  readonly guard: Guard
  /** Stands for a cell that is null. A text that reads the same is quoted, so that the two can be told apart. */
  readonly unanswered: string | undefined
}

const usualStyle: CsvStyle = { guard: usualGuard, unanswered: undefined }

/** Quotes only where they are needed, as PostgreSQL does. */
const cellOf = (text: string | null, { guard, unanswered }: CsvStyle): string => {
  if (text === null) return unanswered ?? ''
  const safe = needsGuard(text, guard) ? `'${text}` : text
  return safe === unanswered ? quotedCell(safe) : csvCell(safe)
}

export const csvLine = (cells: readonly (string | null)[], style: CsvStyle = usualStyle): string =>
  `${cells.map((cell) => cellOf(cell, style)).join(',')}\n`
