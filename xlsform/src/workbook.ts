// Workbooks in browsers and in Node: nothing here needs more than both have.
import { type CompiledForm, type CompileOptions, compileBook } from './compile-sheets.js'
import { readFormSheets } from './workbook/read-stream.js'
import { workbookOf } from './workbook/workbook.js'

export type { RawRow, RawSheet } from './workbook/raw-sheet.js'
export { readSheets } from './workbook/read-stream.js'
export { writeWorkbook } from './workbook/write-workbook.js'
export { writeZip } from './workbook/write-zip.js'

/** As `compile` in Node, for whoever can wait. An .xls file is refused with a word on what to do. */
export const compileWorkbook = async (bytes: Uint8Array, options: CompileOptions = {}): Promise<CompiledForm> =>
  compileBook(workbookOf(await readFormSheets(bytes)), options)
