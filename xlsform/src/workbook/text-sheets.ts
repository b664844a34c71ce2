import { limits } from '../limits.js'
import { fail } from '../problems.js'
import { type RawSheet, SheetReader, type SheetRules } from './raw-sheet.js'

/**
 * Both text dialects write all sheets into one text: the sheet's name alone in column 1, then the header row and
 * the data rows with an empty column 1.
 */
export const sheetsFromLines = (lines: Iterable<string[]>, rules?: SheetRules): RawSheet[] => {
  const sheets: SheetReader[] = []
  let row = 0
  for (const [first = '', ...rest] of lines) {
    const isBlank = rest.every((cell) => cell.trim() === '')
    const title = first.trim()
    if (sheets.length === 0 && title !== '' && !isBlank && !sheetTitle.test(title))
      return [singleSheet([first, ...rest], lines, rules)]
    if (title !== '') {
      checkSheetCount(sheets.length + 1)
      sheets.push(new SheetReader(title, rules))
      row = 0
    }
    // Blank lines count as rows once the header is there.
    if (!isBlank || (title === '' && row > 0)) row += 1
    if (!isBlank) addLine(sheets.at(-1) ?? untitled(), row, rest)
  }
  return sheets.map(({ sheet }) => sheet)
}

const checkSheetCount = (count: number): void => {
  if (count > limits.sheets)
    fail('too-many-sheets', `The text names more than ${limits.sheets} sheets. Leave column 1 of data rows empty.`)
}

const untitled = (): never => fail('unreadable-file', 'The first line must name a sheet, such as survey.')

const addLine = (reader: SheetReader, row: number, cells: readonly string[]): void => {
  if (reader.isOver) return
  for (const [column, cell] of cells.entries()) reader.add(row, column, cell)
}

const sheetTitle = /^\s*(survey|choices|settings|external_choices|entities|osm)\s*$/i

// A plain table without sheet names: it can only be the survey.
const singleSheet = (header: string[], rest: Iterable<string[]>, rules: SheetRules | undefined): RawSheet => {
  const reader = new SheetReader('survey', rules)
  for (const [column, cell] of header.entries()) reader.add(1, column, cell)
  let row = 1
  for (const cells of rest) {
    row += 1
    for (const [column, cell] of cells.entries()) reader.add(row, column, cell)
    if (reader.isOver) break
  }
  return reader.sheet
}

/** Comma-separated lines with double-quoted fields; a field may span lines. */
export function* csvLines(text: string): Generator<string[]> {
  let position = 0
  while (position < text.length) {
    const fields: string[] = []
    for (;;) {
      const { field, end } = csvField(text, position)
      if (fields.length <= limits.columns) fields.push(field)
      position = end
      if (text[position] !== ',') break
      position += 1
    }
    if (text[position] === '\r') position += 1
    if (text[position] === '\n') position += 1
    yield fields
  }
}

const csvField = (text: string, start: number): { field: string; end: number } => {
  if (text[start] !== '"') {
    const end = nextDelimiter(text, start)
    return { field: text.slice(start, end), end }
  }
  let field = ''
  let position = start + 1
  for (;;) {
    const quote = text.indexOf('"', position)
    if (quote === -1) return neverClosed(text, start)
    field += text.slice(position, quote)
    if (text[quote + 1] !== '"') {
      // What stands between the closing quote and the comma is no CSV; it is kept rather than lost.
      const end = nextDelimiter(text, quote + 1)
      return { field: field + text.slice(quote + 1, end), end }
    }
    field += '"'
    position = quote + 2
  }
}

const neverClosed = (text: string, start: number): never => {
  const line = text.slice(0, start).split(/\r\n?|\n/).length
  return fail(
    'unreadable-file',
    `The quote that opens a field in line ${line} of the CSV text is never closed. Close it.`,
  )
}

const nextDelimiter = (text: string, start: number): number => {
  let position = start
  while (position < text.length) {
    const character = text.charCodeAt(position)
    if (character === 44 || character === 10 || character === 13) break
    position += 1
  }
  return position
}

/** Lines of a Markdown table; everything that is no table line, and the ruler under a header, is left out. */
export function* markdownLines(text: string): Generator<string[]> {
  for (const raw of text.split(/\r\n?|\n/)) {
    const line = raw.trim()
    if (!line.startsWith('|')) continue
    const cells = line
      .slice(1)
      .replace(/(?<!\\)\|$/, '')
      .split(/(?<!\\)\|/, limits.columns + 1)
      .map((cell) => cell.trim().replaceAll('\\|', '|'))
    if (cells.length > 0 && cells.some((cell) => cell !== '') && cells.every((cell) => /^(:?-{3,}:?)?$/.test(cell)))
      continue
    yield cells
  }
}

// Line ends are no blanks here: a run of them would be read again from each one's start.
const markdownStart =
  /^[^\S\r\n\u2028\u2029]*\|[^\S\r\n]*(survey|choices|settings|external_choices|entities|osm)[^\S\r\n]*\|/im

export const looksLikeMarkdown = (text: string): boolean => text.trimStart().startsWith('|') || markdownStart.test(text)
