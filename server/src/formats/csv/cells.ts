// Cells of a spreadsheet: defused, and written as CSV.

/** What a spreadsheet takes for the start of a formula, or skips before it. */
const dangerous = /^[=+\-@\t\r\n%]/
/** Each digit can be read in one way only: senders choose the text. */
const signedNumbers =
  /^[-+](?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?(?:\s+[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?)*\s*$/

/** A text that a spreadsheet would execute begins with an apostrophe; numbers and places with a sign stay as they are. */
export const defused = (text: string): string => {
  const safe = dangerous.test(text) && !signedNumbers.test(text) ? `'${text}` : text
  return safe.includes('|') ? safe.replaceAll('|', '\\|') : safe
}

/** Quotes only where they are needed. */
const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const csvLine = (cells: readonly string[]): string => `${cells.map((cell) => quoted(defused(cell))).join(',')}\n`
