// Files that forms are made of, told by their names and by their first bytes.
import { budgets } from '../../../budgets.js'
import { hasDoubleExtension } from '../../uploads/index.js'
import { formRefused } from './compiling.errors.js'

export const largestFormBytes = budgets.bodies.formBytes

const spreadsheet = /\.(xlsx|xlsm|xls|csv|md)$/i

export const isSpreadsheet = (name: string): boolean => spreadsheet.test(name)

const startsWith = (bytes: Buffer, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte)

/** The ending that the content calls for. */
export const endingOf = (bytes: Buffer): 'xlsx' | 'xls' | 'csv' => {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return 'xlsx'
  return startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]) ? 'xls' : 'csv'
}

const endingsOf = { xlsx: ['xlsx', 'xlsm'], xls: ['xls'], csv: ['csv', 'md'] } as const

/** A file that is called what it is not would be handed out under that name later. */
export const refuseOddFile = (name: string, bytes: Buffer): void => {
  const shown = `'${name.slice(0, 100)}'`
  const ending = spreadsheet.exec(name)?.[1]?.toLowerCase()
  if (ending === undefined || hasDoubleExtension(name)) {
    throw formRefused(`Unsupported file type: ${shown}. Send an .xlsx, .xls or .csv file.`)
  }
  const real = endingOf(bytes)
  if (!(endingsOf[real] as readonly string[]).includes(ending)) {
    throw formRefused(`${shown} is no .${ending} file: its content is that of an .${real} file, or it is damaged.`)
  }
}
