// Any spreadsheet as tables of CSV, for those who read data and not forms.
import { csvCell } from '../csv.js'
import { fail } from '../problems.js'
import { readBiff } from './biff.js'
import { startsWith } from './bytes.js'
import { readOoxml } from './ooxml.js'
import type { RawRow, RawSheet, SheetRules } from './raw-sheet.js'
import { bufferOf, decodeInNode, unpackedNow } from './unpack-node.js'

/** One sheet. Of each row that holds anything: its number in the sheet, where its line begins in `csv` (the last one ends
 * with it), and by which numbers it is linked to rows of other sheets; -1 for none. */
export interface SheetTable {
  readonly name: string
  readonly csv: Uint8Array
  readonly numbers: Int32Array
  readonly starts: Int32Array
  readonly indices: Int32Array
  readonly parents: Int32Array
}

/** Answers are kept as they are; no row is passed over. */
const dataRules: SheetRules = {
  columns: 5_000,
  refusesMore: true,
  emptyRows: Number.POSITIVE_INFINITY,
  isData: true,
  clean: (text) => text,
}

const mostRows = 1_048_576
/** Of all tables together. */
const mostBytes = 64 * 1024 * 1024

/** The first sheet, and those whose rows belong to rows of others: they have a column `_parent_index`. */
export const sheetTables = (bytes: Uint8Array): SheetTable[] => {
  const budget = { bytes: mostBytes, rows: mostRows }
  return readAll(bytes).flatMap((sheet, index) => {
    const header = sheet.rows[0]
    const parent = header === undefined ? -1 : columnOf(header, '_parent_index')
    return index === 0 || parent !== -1 ? [tableOf(sheet, parent, budget)] : []
  })
}

const readAll = (bytes: Uint8Array): RawSheet[] => {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]))
    return unpackedNow(readOoxml(bufferOf(bytes), (names) => new Set(names), decodeInNode, dataRules))
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return readBiff(bytes, dataRules)
  return fail('unreadable-file', 'The file is no spreadsheet (.xlsx, .xls).')
}

const tooLarge = (): never => fail('sheet-too-large', 'The sheet is too large to be read. Save it as CSV.')

const columnOf = ({ columns, texts }: RawRow, name: string): number => {
  const at = texts.findIndex((text) => text.trim() === name)
  return at === -1 ? -1 : (columns[at] as number)
}

const numberIn = ({ columns, texts }: RawRow, column: number): number => {
  const at = column === -1 ? -1 : columns.indexOf(column)
  const text = at === -1 ? '' : (texts[at] as string).trim()
  return /^\d{1,9}(?:\.0+)?$/.test(text) ? Math.trunc(Number(text)) : -1
}

const tableOf = ({ name, rows }: RawSheet, parent: number, budget: { bytes: number; rows: number }): SheetTable => {
  const [header] = rows
  const index = header === undefined ? -1 : columnOf(header, '_index')
  const ofRows = (pick: (row: RawRow) => number) => Int32Array.from(rows, pick)
  const starts = new Int32Array(rows.length)
  const lines: string[] = []
  let length = 0
  budget.rows -= rows.length
  if (budget.rows < 0) tooLarge()
  for (const [at, { number, columns, texts }] of rows.entries()) {
    // A cell at the far end of the grid.
    if (number > mostRows) tooLarge()
    const line = csvLine(columns, texts)
    starts[at] = length
    length += Buffer.byteLength(line)
    if (length > budget.bytes) tooLarge()
    lines.push(line)
  }
  budget.bytes -= length
  const text = Buffer.from(lines.join(''))
  return {
    name,
    // A small buffer is a part of a larger one that others use, and could not be handed to another thread.
    csv: text.byteLength === text.buffer.byteLength ? text : new Uint8Array(text),
    numbers: ofRows(({ number }) => number),
    starts,
    indices: ofRows((row) => numberIn(row, index)),
    parents: ofRows((row) => numberIn(row, parent)),
  }
}

const csvLine = (columns: readonly number[], texts: readonly string[]): string => {
  let line = ''
  let column = 0
  for (const [index, text] of texts.entries()) {
    const place = columns[index] ?? 0
    if (place > column) line += ','.repeat(place - column)
    column = place
    line += csvCell(text)
  }
  return `${line}\n`
}
