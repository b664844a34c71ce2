// Tables as spreadsheet programs put them on the clipboard: tabs between cells, a line for each row, quotes around a cell that holds
// one of these.

type Table = string[][]

const lines = (text: string): string => text.replace(/\r\n?/g, '\n')

/** The end of a quoted cell that begins at `start`, or -1 where the quote is just a character of the text. */
const closingQuote = (text: string, start: number, separator: string): number => {
  let at = start + 1
  for (;;) {
    at = text.indexOf('"', at)
    if (at < 0) return -1
    if (text[at + 1] !== '"') break
    at += 2
  }
  const next = text[at + 1]
  return next === undefined || next === separator || next === '\n' ? at : -1
}

const cellEnd = (text: string, start: number, separator: string): number => {
  for (let at = start; at < text.length; at += 1) if (text[at] === separator || text[at] === '\n') return at
  return text.length
}

/** Looking for the end of a quoted cell stops within the next run of quotes, so this takes as long as the text is. */
const split = (text: string, separator: string): Table => {
  const rows: Table = [[]]
  let at = 0
  for (;;) {
    const quote = text[at] === '"' ? closingQuote(text, at, separator) : -1
    const end = quote < 0 ? cellEnd(text, at, separator) : quote + 1
    const cell = quote < 0 ? text.slice(at, end) : text.slice(at + 1, quote).replaceAll('""', '"')
    rows.at(-1)?.push(cell)
    if (end >= text.length) return rows
    if (text[end] === '\n') rows.push([])
    at = end + 1
  }
}

/** Lines of as many values each, with commas that nobody would write in a sentence. */
const asCommas = (text: string): Table | null => {
  if (!text.includes(',') || !text.includes('\n')) return null
  const rows = split(text, ',')
  const width = rows[0]?.length ?? 0
  const isSpoken = rows.some((row) => row.slice(1).some((cell) => cell.startsWith(' ')))
  return width > 1 && !isSpoken && rows.every((row) => row.length === width) ? rows : null
}

/** The table that a text is; a plain text is a table of one cell. All rows are of one length. */
export const readTable = (pasted: string): Table => {
  const text = lines(pasted).replace(/\n$/, '')
  const rows = (text.includes('\t') ? null : asCommas(text)) ?? split(text, '\t')
  const width = rows.reduce((most, { length }) => Math.max(most, length), 1)
  return rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => '')])
}

const quoted = (cell: string): string =>
  /[\t\n\r]/.test(cell) || cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell

/** A single column with commas would be taken for values between commas. */
const guarded = (text: string, table: readonly (readonly string[])[]): string =>
  !text.includes('\t') && asCommas(text) !== null
    ? table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t')).join('\n')
    : text

export const tableAsText = (table: readonly (readonly string[])[]): string => {
  const text = guarded(table.map((row) => row.map(quoted).join('\t')).join('\n'), table)
  // The last line end is that of the last row, which would be lost where it is empty.
  return text.endsWith('\n') ? `${text}\n` : text
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')

/** For programs that would take a number or a date for one: every cell says that it is text. */
export const tableAsHtml = (table: readonly (readonly string[])[]): string => {
  const cell = (text: string) => `<td style='mso-number-format:"\\@";white-space:pre-wrap'>${escaped(text)}</td>`
  return `<table>${table.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')}</table>`
}
