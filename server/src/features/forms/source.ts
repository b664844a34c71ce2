// The one source of a form in an upload, and what else the fields of the upload say.
import { randomBytes } from 'node:crypto'
import type { UploadedForm } from '../../platform/http/index.js'
import type { Source } from './definition.js'
import { formRefused, noSource, notFetched } from './forms.errors.js'

/** Forms with 100,000 choices are 4 MB. */
export const largestFormBytes = 10 * 1024 * 1024

const spreadsheet = /\.(xlsx|xlsm|xls|csv|md)$/i
const doubled = /\.(exe|js|php|html?|svg|sh|bat)\./i

export const hasSource = ({ fields, files }: UploadedForm): boolean =>
  files.some(({ field }) => field === 'xls_file' || field === 'xml_file') ||
  ['text_xls_form', 'xls_url', 'csv_url', 'remote_xls_url', 'flow_results_file'].some((name) => Boolean(fields[name]))

export const sourceOf = ({ fields, files }: UploadedForm): Source => {
  const file = (name: string) => files.find(({ field }) => field === name)
  const xform = file('xml_file')
  if (xform !== undefined) return { kind: 'xform', name: xform.name, bytes: xform.bytes }
  for (const name of ['xls_url', 'csv_url', 'remote_xls_url']) if (fields[name]) throw notFetched(name)
  if (file('flow_results_file') !== undefined)
    throw formRefused('Flow packages are not read here. Send an XLSForm as xls_file.')
  const sheet = file('xls_file')
  if (sheet !== undefined) {
    if (!spreadsheet.test(sheet.name) || doubled.test(sheet.name)) {
      throw formRefused(`Unsupported file type: '${sheet.name.slice(0, 100)}'. Send an .xlsx, .xls or .csv file.`)
    }
    return { kind: 'spreadsheet', name: sheet.name, bytes: sheet.bytes }
  }
  const { text_xls_form: text } = fields
  if (typeof text === 'string' && text.trim() !== '') {
    const name = `uploaded_form_${randomBytes(4).toString('hex')}.csv`
    return { kind: 'spreadsheet', name, bytes: Buffer.from(text) }
  }
  throw noSource()
}
