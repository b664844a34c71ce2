import { read, SSF, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { limits } from '../limits.js'
import { fail } from '../problems.js'
import { booleanText, dateText, isDateFormat, numberText } from './cell-text.js'
import { type RawSheet, SheetReader, type SheetRules } from './raw-sheet.js'
import { rulesBySheet } from './workbook.js'

interface BiffCell {
  t: string
  v?: unknown
  z?: unknown
}

// A formula that failed shows the author the same text as in the newer format.
const errorTexts = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
])

/** The sheets of a legacy .xls file. */
export const readBiff = (bytes: Uint8Array, rules?: SheetRules): RawSheet[] => {
  const book = parse(bytes)
  if (book.SheetNames.length > limits.sheets)
    fail('too-many-sheets', `The workbook has ${book.SheetNames.length} sheets; at most ${limits.sheets} are read.`)
  const is1904 = book.Workbook?.WBProps?.date1904 === true
  const rulesOf = rulesBySheet(book.SheetNames, rules)
  return book.SheetNames.map((name) => readSheet(name, book.Sheets[name], is1904, rulesOf(name)))
}

const parse = (bytes: Uint8Array): WorkBook => {
  if (bytes.byteLength > limits.legacyBytes)
    fail(
      'file-too-large',
      `An .xls file of more than ${limits.legacyBytes / 1024 / 1024} MB is not read. Save it as .xlsx.`,
    )
  try {
    return read(bytes, {
      type: 'array',
      dense: true,
      cellNF: true,
      cellHTML: false,
      cellText: false,
      cellFormula: false,
    })
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message))
      return fail('encrypted-file', 'The file is protected by a password. Save it without one.')
    return fail('unreadable-file', 'The file starts like an .xls spreadsheet but cannot be read. Save it as .xlsx.')
  }
}

// Rows and cells are walked by the keys that exist: one stray cell may sit at the far corner of the grid.
const readSheet = (
  name: string,
  sheet: WorkSheet | undefined,
  is1904: boolean,
  rules: SheetRules | undefined,
): RawSheet => {
  const reader = new SheetReader(name, rules)
  const rows = (sheet?.['!data'] ?? []) as unknown as Record<string, Record<string, BiffCell> | undefined>
  for (const [rowKey, cells] of Object.entries(rows)) {
    const row = Number(rowKey) + 1
    // Of what is not read, nothing is refused.
    const place = rules?.isData === true || !reader.reaches(row) ? null : { sheet: name, row }
    for (const [column, cell] of Object.entries(cells ?? {})) reader.add(row, Number(column), text(cell, is1904, place))
    if (reader.isOver) break
  }
  return reader.sheet
}

const daySeconds = 86_400

// Day numbers of this format carry errors of milliseconds from programs that computed them. A time stays a time of day.
const wholeSeconds = (serial: number): number => {
  const seconds = Math.round(serial * daySeconds)
  return (serial < 1 ? Math.min(seconds, daySeconds - 1) : seconds) / daySeconds
}

/** `place`: for what is refused; null for data, of which nothing is. */
const text = (cell: BiffCell, is1904: boolean, place: { sheet: string; row: number } | null): string => {
  if (typeof cell.v === 'boolean') return booleanText(cell.v)
  if (typeof cell.v === 'string') return cell.v
  if (typeof cell.v !== 'number') return ''
  if (cell.t === 'e') return errorTexts.get(cell.v) ?? ''
  const isDate =
    typeof cell.z === 'string' ? isDateFormat(cell.z) : typeof cell.z === 'number' && SSF.is_date(String(cell.z))
  if (!isDate) return numberText(cell.v)
  const date = dateText(wholeSeconds(cell.v), is1904)
  if (place === null) return date ?? numberText(cell.v)
  return (
    date ??
    fail('unreadable-date', `The date in this cell cannot be read (day number ${cell.v}). Type it as text.`, place)
  )
}
