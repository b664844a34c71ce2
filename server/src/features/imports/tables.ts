// A file of records as tables that can be read as often as needed.
import { XlsFormError } from '@sheaf/xlsform/form'
import type { FormCompiler, SheetTable } from '@sheaf/xlsform/thread'
import type { ByteChunks } from '../../formats/import/index.js'
import { importRefused, notCsv, notSpreadsheet, zipped } from './imports.errors.js'

/** From the beginning each time. */
type OpenCsv = () => ByteChunks | Promise<ByteChunks>

/** One table of CSV, or the sheets of a workbook: that of the records first, then those of repeats. */
export type TableSource =
  | { readonly kind: 'csv'; readonly open: OpenCsv }
  | { readonly kind: 'sheets'; readonly sheets: readonly SheetTable[] }

export type TableKind = 'csv' | 'spreadsheet'

export const kindOf = (fileName: string): TableKind | undefined => {
  if (/\.csv$/i.test(fileName)) return 'csv'
  return /\.xlsx?$/i.test(fileName) ? 'spreadsheet' : undefined
}

const zip = [0x50, 0x4b, 0x03, 0x04]
const compound = [0xd0, 0xcf, 0x11, 0xe0]
const startsWith = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, at) => bytes[at] === byte)
const isWorkbook = (bytes: Uint8Array) => startsWith(bytes, zip) || startsWith(bytes, compound)

/** Exports of several tables as CSV are zips: none of the tables alone is the records. */
export const refuseZip = (fileName: string, bytes: Uint8Array): void => {
  if (/\.zip$/i.test(fileName) && startsWith(bytes, zip)) throw zipped(fileName)
}

/** Told by its first bytes: a workbook under the name of a CSV file would be a row of noise. */
export const checkBeginning = (kind: TableKind, bytes: Uint8Array): void => {
  if (kind === 'csv' && isWorkbook(bytes)) throw notCsv()
  if (kind === 'spreadsheet' && !isWorkbook(bytes)) throw notSpreadsheet()
}

const sliceBytes = 64 * 1024

/** A piece at a time: whoever parses them lets others have their turn in between. */
function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
}

export const csvSource = (bytes: Uint8Array): TableSource => ({ kind: 'csv', open: () => slices(bytes) })

/** As text. */
export const sizeOf = (sheets: readonly SheetTable[]): number => sheets.reduce((sum, { csv }) => sum + csv.length, 0)

const tooLarge = 'The spreadsheet is too large to be read. Save it as CSV and send that.'
const largeCodes = new Set([
  'too-large',
  'unpacks-too-large',
  'sheet-too-large',
  'too-many-cells',
  'file-too-large',
  'too-many-rows',
])

/** Unpacked and read in the compiler's thread, where one that eats memory harms nobody else. */
export const sheetsOf = async (compiler: FormCompiler, bytes: Uint8Array): Promise<readonly SheetTable[]> => {
  try {
    return await compiler.tables(bytes)
  } catch (error) {
    if (!(error instanceof XlsFormError)) throw error
    const [problem] = error.problems
    throw importRefused(largeCodes.has(problem?.code ?? '') ? tooLarge : (problem?.message ?? tooLarge))
  }
}
