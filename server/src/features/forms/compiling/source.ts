// The one source of a form in an upload.
import { randomBytes } from 'node:crypto'
import type { UploadedForm } from '../../../platform/http/index.js'
import type { Outbound } from '../../../platform/outbound/index.js'
import { textOf } from '../../../platform/words/index.js'
import { formRefused, noSource } from './compiling.errors.js'
import type { Source } from './definition.js'
import { fetchForm } from './fetch-form.js'
import { refuseOddFile } from './file-kinds.js'

const fileFields = ['xml_file', 'xls_file', 'flow_results_file']
const addressFields = ['xls_url', 'csv_url', 'remote_xls_url']

export const hasSource = ({ fields, files }: UploadedForm): boolean =>
  files.some(({ field }) => fileFields.includes(field)) ||
  ['text_xls_form', ...addressFields].some((name) => Boolean(fields[name]))

/** Of several, an XForm counts first, then an address, then a spreadsheet, then text. */
export const sourceOf = async (
  { fields, files }: UploadedForm,
  outbound: Outbound,
  callerId: number,
): Promise<Source> => {
  const file = (name: string) => files.find(({ field }) => field === name)
  const xform = file('xml_file')
  if (xform !== undefined) return { kind: 'xform', name: xform.name, bytes: xform.bytes }
  const address = addressFields.map((name) => fields[name]).find(Boolean)
  if (address !== undefined) return fetchForm(outbound, textOf(address), callerId)
  if (file('flow_results_file') !== undefined) {
    throw formRefused('Flow packages are not read here. Send an XLSForm as xls_file.')
  }
  const sheet = file('xls_file')
  if (sheet !== undefined) {
    refuseOddFile(sheet.name, sheet.bytes)
    return { kind: 'spreadsheet', name: sheet.name, bytes: sheet.bytes }
  }
  const { text_xls_form: text } = fields
  if (typeof text === 'string' && text.trim() !== '') {
    const name = `uploaded_form_${randomBytes(4).toString('hex')}.csv`
    return { kind: 'spreadsheet', name, bytes: Buffer.from(text) }
  }
  throw noSource()
}
