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
export const spacesInHeader = () => importRefused('CSV file fieldnames should not contain spaces')
export const repeatedColumns = (names: readonly string[]) =>
  importRefused(`Several columns say the same. Remove one of each: ${listed(names)}.`)
export const missingColumns = (names: readonly string[]) =>
  importRefused(`Sorry uploaded file does not match the form. The file is missing the column(s): ${listed(names)}.`)

const mostListed = 100

export const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, mostListed).map((name) => name.slice(0, mostListed))
  return [...shown, ...(names.length > shown.length ? [`… and ${names.length - shown.length} more`] : [])].join(', ')
}

/** Whether there is such a person makes no difference. */
export const noRole = (name: string): string =>
  `_submitted_by has no role on the form: ${name.slice(0, 100)}. Share the form with them, or leave it empty`

/** As the reference prints it: rows by number, the first one below the header being 1. */
export const badRows = (rows: ReadonlyMap<number, readonly string[]>, isAll: boolean) => {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
  const shown = [...rows].map(([number, messages]) => `${number}: [${messages.map(quoted).join(', ')}]`)
  const more = isAll ? '' : ' Further rows were not looked at.'
  return importRefused(`Invalid CSV data imported in row(s): {${shown.join(', ')}}${more}`)
}
