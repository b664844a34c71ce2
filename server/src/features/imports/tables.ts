// A file of records as CSV that can be read as often as needed.
import { XlsFormError } from '@sheaf/xlsform'
import type { FormCompiler } from '@sheaf/xlsform/thread'
import type { ByteChunks } from '../../formats/import/index.js'
import { importRefused, notCsv, notSpreadsheet } from './imports.errors.js'

/** From the beginning each time. */
export type OpenTable = () => ByteChunks | Promise<ByteChunks>

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

export const csvTable =
  (bytes: Uint8Array): OpenTable =>
  () =>
    slices(bytes)

const tooLarge = 'The spreadsheet is too large to be read. Save it as CSV and send that.'
const largeCodes = new Set([
  'too-large',
  'unpacks-too-large',
  'sheet-too-large',
  'too-many-cells',
  'file-too-large',
  'too-many-rows',
])

/** As CSV: unpacked and read in the compiler's thread, where one that eats memory harms nobody else. */
export const spreadsheetCsv = async (compiler: FormCompiler, bytes: Uint8Array): Promise<Uint8Array> => {
  try {
    return await compiler.csv(bytes)
  } catch (error) {
    if (!(error instanceof XlsFormError)) throw error
    const [problem] = error.problems
    throw importRefused(largeCodes.has(problem?.code ?? '') ? tooLarge : (problem?.message ?? tooLarge))
  }
}
