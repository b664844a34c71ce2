// The compiler without files, for whoever has the sheets in hand. Runs in browsers and in Node.
export {
  type CheckedForm,
  type CompiledForm,
  type CompileOptions,
  checkSheets,
  compileSheets,
} from './compile-sheets.js'
export * from './form.js'
export { moveReferences, type NamedKind, questionNames, renameQuestion, renameReferences } from './rename/rename.js'
export { checkExtents, gridOf, linesOf, sheetOf } from './workbook/grid.js'
export type { RawRow, RawSheet } from './workbook/raw-sheet.js'
