// Files that forms are made from, recognised by their names and their first bytes.
import { cutTo } from '@sheaf/xlsform/text'
import { budgets } from '../../../budgets.js'
import { hasDoubleExtension } from '../../uploads/index.js'
import { formRefused } from './compiling.errors.js'

export const largestFormBytes = budgets.bodies.formBytes

const spreadsheet = /\.(xlsx|xlsm|xls|csv|md)$/i

export const isSpreadsheet = (name: string): boolean => spreadsheet.test(name)

const startsWith = (bytes: Buffer, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte)

/** The ending that fits the content. */
export const endingOf = (bytes: Buffer): 'xlsx' | 'xls' | 'csv' => {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return 'xlsx'
  return startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]) ? 'xls' : 'csv'
}

const endingsOf = { xlsx: ['xlsx', 'xlsm'], xls: ['xls'], csv: ['csv', 'md'] } as const

/** A file with a wrong ending would later be handed out under that name. */
export const refuseOddFile = (name: string, bytes: Buffer): void => {
  const shown = `'${cutTo(name, 100)}'`
  const ending = spreadsheet.exec(name)?.[1]?.toLowerCase()
  if (ending === undefined || hasDoubleExtension(name)) {
    throw formRefused(`Unsupported file type: ${shown}. Send an .xlsx, .xls or .csv file.`)
  }
  const real = endingOf(bytes)
  if (!(endingsOf[real] as readonly string[]).includes(ending)) {
    throw formRefused(`${shown} is no .${ending} file: its content is that of an .${real} file, or it is damaged.`)
  }
}
