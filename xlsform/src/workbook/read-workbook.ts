// Workbooks as Node reads them: at once, and the legacy format, too.
import { readBiff } from './biff.js'
import { type RawSheet, verbatimRules } from './raw-sheet.js'
import { readSheetsOf, type SheetReading } from './read-sheets.js'
import { bufferOf, decodeInNode, unpackedNow } from './unpack-node.js'
import { type Workbook, workbookOf } from './workbook.js'

const inNode: SheetReading = { decode: decodeInNode, readLegacy: readBiff }

/** For a form: cells are clean, and of sheets that mean nothing to it there is the name alone. */
export const readWorkbook = (bytes: Uint8Array): Workbook =>
  workbookOf(unpackedNow(readSheetsOf(bufferOf(bytes), inNode)))

/** Every sheet with its cells as they stand in the file. */
export const readSheetsSync = (bytes: Uint8Array): RawSheet[] =>
  unpackedNow(readSheetsOf(bufferOf(bytes), { ...inNode, rules: verbatimRules, isWhole: true }))
