import { cutTo } from '@sheaf/xlsform/text'
import { budgets } from '../../budgets.js'
import { AppError } from '../../platform/http/index.js'

/** Clients of this API family read `error`. */
export const importRefused = (message: string) =>
  new AppError({ code: 'import.refused', status: 400, message, body: { error: message } })

export const importFailed = (message: string) =>
  new AppError({
    code: 'import.failed',
    status: 400,
    message,
    body: { job_status: 'FAILURE', error: message },
  })

export const noCsvFile = () => importRefused('csv_file field empty')
export const noFile = () => importRefused('csv_file and xls_file field empty')
export const notCsv = () => importRefused('csv_file not a csv file')
export const notSpreadsheet = () => importRefused('xls_file not an xls or xlsx file')
export const encrypted = () =>
  importRefused('Records cannot be imported into an encrypted form: its submissions are encrypted on the device.')
export const inactive = () => importRefused('Form is inactive. Activate it before records are imported.')
export const noRows = () =>
  importRefused('The file has no rows. With overwrite it would delete all records and add none.')
export const tooManyRows = (most: number) => importRefused(`The file has more than ${most} rows. Split it.`)
export const tooManyImports = (most: number) =>
  new AppError({
    code: 'import.waiting',
    status: 429,
    message: `${most} of your imports wait or run. Send the file again when some of them are done.`,
    headers: { 'retry-after': '60' },
  })
/** `sheet`: of a workbook. */
export const spacesInHeader = (names: readonly string[], sheet: string | undefined) =>
  importRefused(
    sheet === undefined
      ? `CSV file fieldnames should not contain spaces: ${listed(names)}`
      : `Fieldnames should not contain spaces, in the sheet '${sheet}': ${listed(names)}`,
  )
export const repeatedColumns = (names: readonly string[]) =>
  importRefused(`Several columns say the same. Remove one of each: ${listed(names)}.`)
export const missingColumns = (names: readonly string[]) =>
  importRefused(`Sorry uploaded file does not match the form. The file is missing the column(s): ${listed(names)}.`)

export const unclearColumns = (names: readonly string[]) =>
  importRefused(
    `Columns without their groups, of which it is not clear which question they mean: ${listed(names)}. Export with group names, or write them out.`,
  )
export const labelsInHeader = (names: readonly string[]) =>
  importRefused(
    `Labels in place of the names of questions: ${listed(names)}. Export without include_labels_only, or write the names.`,
  )
export const labelsBelowHeader = () =>
  importRefused('The first row below the header holds labels. Take it out, or export without include_labels.')
export const unknownColumns = (names: readonly string[], reason: string) =>
  importRefused(`The form has no such question(s): ${listed(names)}. ${reason}`)
export const repeatAlone = (repeat: string) =>
  importRefused(
    `This is the table of the entries of '${repeat}' alone. Send the workbook (.xlsx), which holds all tables, or the CSV with all columns.`,
  )
export const zipped = (name: string) =>
  importRefused(
    `${cutTo(name, mostListed)}: a zip of CSV files is not imported. Send the workbook (.xlsx), which holds the same tables, or a CSV.`,
  )
export const unknownSheet = (name: string) =>
  importRefused(`The sheet '${name}' holds rows of a repeat that the form does not have. Take it out.`)
export const twoSheets = (name: string, repeat: string) =>
  importRefused(`The sheet '${name}' is a second one for the entries of '${repeat}'. Put all rows into one of them.`)
export const unlinkedSheet = (name: string, repeat: string) =>
  importRefused(`The sheet '${name}' holds entries within '${repeat}', for which there is no sheet.`)
export const lostRows = (name: string, rows: readonly number[]) =>
  importRefused(
    `In the sheet '${name}', _parent_index leads to no row, or to several, from row(s): ${rows.join(', ')}. Nothing can be told apart without it.`,
  )
export const recordTooLong = (row: number) =>
  importRefused(
    `The record in row ${row}, with its rows in other sheets, is longer than ${budgets.imports.rowCharacters} characters.`,
  )

const mostListed = 100

export const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, mostListed).map((name) => cutTo(name, mostListed))
  return [...shown, ...(names.length > shown.length ? [`… and ${names.length - shown.length} more`] : [])].join(', ')
}

/** Whether there is such a person makes no difference. */
export const noRole = (name: string): string =>
  `_submitted_by has no role on the form: ${cutTo(name, 100)}. Share the form with them, or leave it empty`

export const notThisVersion = (version: string): string =>
  `The record was made with version '${cutTo(version, 100)}' of the form, which cannot hold what the row changes`

export const fileNamed = 'Files are not imported, and overwrite would delete those that there are'

/** As the reference prints it: rows by number, the first one below the header being 1. */
export const badRows = (rows: ReadonlyMap<number, readonly string[]>, isAll: boolean) => {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
  const shown = [...rows].map(([number, messages]) => `${number}: [${messages.map(quoted).join(', ')}]`)
  const more = isAll ? '' : ' Further rows were not looked at.'
  return importRefused(`Invalid CSV data imported in row(s): {${shown.join(', ')}}${more}`)
}
