// Any spreadsheet as CSV, for those who read tables of data and not forms.
import { fail } from '../problems.js'
import { readBiff } from './biff.js'
import { readOoxml } from './ooxml.js'
import type { RawSheet, SheetRules } from './raw-sheet.js'
import { startsWith } from './read-workbook.js'

/** Answers are kept as they are; no row is passed over. */
const dataRules: SheetRules = {
  columns: 5_000,
  refusesMore: true,
  emptyRows: Number.POSITIVE_INFINITY,
  clean: (text) => text,
}

/** A cell at the far end of the grid would ask for as many empty lines. */
const mostRows = 1_048_576
const mostBytes = 64 * 1024 * 1024

/** The first sheet, the number of a line being that of its row. */
export const firstSheetCsv = (bytes: Uint8Array): Uint8Array => {
  const sheet = readFirst(bytes)
  const lines: string[] = []
  let length = 0
  let row = 0
  for (const { number, columns, texts } of sheet?.rows ?? []) {
    if (number > mostRows) tooLarge()
    for (row += 1; row < number; row += 1) lines.push('\n')
    const line = csvLine(columns, texts)
    length += line.length
    if (length > mostBytes) tooLarge()
    lines.push(line)
  }
  const text = Buffer.from(lines.join(''))
  // A small buffer is a part of a larger one that others use, and could not be handed to another thread.
  return text.byteLength === text.buffer.byteLength ? text : new Uint8Array(text)
}

const readFirst = (bytes: Uint8Array): RawSheet | undefined => {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]))
    return readOoxml(bytes, (names) => new Set(names.slice(0, 1)), dataRules)[0]
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return readBiff(bytes, dataRules)[0]
  return fail('unreadable-file', 'The file is no spreadsheet (.xlsx, .xls).')
}

const tooLarge = (): never => fail('sheet-too-large', 'The sheet is too large to be read. Save it as CSV.')

const csvLine = (columns: readonly number[], texts: readonly string[]): string => {
  let line = ''
  let column = 0
  for (const [index, text] of texts.entries()) {
    const place = columns[index] ?? 0
    if (place > column) line += ','.repeat(place - column)
    column = place
    line += /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return `${line}\n`
}
