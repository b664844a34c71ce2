// Workbooks as browsers read them.
import { fail } from '../problems.js'
import { bytesOf, decodeUtf8, indexOfBytes } from './bytes.js'
import { type RawSheet, verbatimRules } from './raw-sheet.js'
import { readSheetsOf, type SheetReading } from './read-sheets.js'
import { unpackedLater } from './unpack-stream.js'

/** Each letter has two bytes in the directory of the file. */
const protectedMark = bytesOf('EncryptedPackage'.replace(/./g, '$&\0').slice(0, -1))

/** A workbook with a password is packed as the old format is, so whoever has one is not told to save it as what it is. */
const refuseLegacy = (bytes: Uint8Array): never => {
  if (indexOfBytes(bytes, protectedMark) !== -1)
    fail('encrypted-file', 'The file is protected by a password. Save it without one.')
  return fail(
    'legacy-file',
    'This is an .xls file of an old spreadsheet program, which is not read in a browser. Open it in Excel or LibreOffice, save it as .xlsx, and choose that file.',
  )
}

const inBrowsers: SheetReading = { decode: decodeUtf8, readLegacy: refuseLegacy }

/** For a form: cells are clean. */
export const readFormSheets = (bytes: Uint8Array): Promise<RawSheet[]> => unpackedLater(readSheetsOf(bytes, inBrowsers))

/**
 * Every sheet of an .xlsx, .xlsm, CSV or Markdown file with its cells as they stand there, for whoever shows them and writes
 * them again; `compileSheets` takes them.
 */
export const readSheets = (bytes: Uint8Array): Promise<RawSheet[]> =>
  unpackedLater(readSheetsOf(bytes, { ...inBrowsers, rules: verbatimRules, isWhole: true }))
