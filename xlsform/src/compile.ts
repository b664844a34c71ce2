import { type CompiledForm, type CompileOptions, compileBook } from './compile-sheets.js'
import { readWorkbook } from './workbook/read-workbook.js'

export type { CompiledForm, CompileOptions }

/** Compiles a workbook into an XForm. Throws `XlsFormError` with every mistake the author made. */
export const compile = (bytes: Uint8Array, options: CompileOptions = {}): CompiledForm =>
  compileBook(readWorkbook(bytes), options)
