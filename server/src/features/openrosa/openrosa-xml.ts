// What the OpenRosa protocol says, as XML.
import { escapeAttribute, escapeText } from '../../formats/xml/index.js'
import type { ErrorRenderer } from '../../platform/http/index.js'

export const xmlType = 'text/xml; charset=utf-8'

const message = (text: string, nature: string): string =>
  `<?xml version='1.0' encoding='UTF-8' ?>\n<OpenRosaResponse xmlns="http://openrosa.org/http/response"><message nature="${nature}">${escapeText(text)}</message></OpenRosaResponse>`

export const plainMessage = (text: string): string => message(text, '')

export const xmlErrors: ErrorRenderer = (error, requestId) => ({
  contentType: xmlType,
  headers: { 'x-openrosa-version': '1.0' },
  body: plainMessage(error.status >= 500 ? `${error.message} (${requestId})` : error.message),
})

export interface Receipt {
  /** What a person reads; `Successful submission.` by default. */
  readonly message?: string
  readonly formId: string
  readonly version: string
  readonly uuid: string
  readonly isEncrypted: boolean
  readonly submittedAt: Date
  readonly modifiedAt: Date
}

/** ISO 8601 with a zone and microseconds, as clients of this protocol know it. */
const timeText = (date: Date): string => `${date.toISOString().slice(0, -1)}000+00:00`

let lastTime = { at: Number.NaN, text: '' }
/** What is received together is received at the same moment. */
const time = (date: Date): string => {
  const at = date.getTime()
  if (at !== lastTime.at) lastTime = { at, text: timeText(date) }
  return lastTime.text
}

const attribute = (name: string, value: string): string => (value === '' ? '' : ` ${name}="${escapeAttribute(value)}"`)

export const receiptXml = (receipt: Receipt): string => `<OpenRosaResponse xmlns="http://openrosa.org/http/response">
    <message>${escapeText(receipt.message ?? 'Successful submission.')}</message>
    <submissionMetadata xmlns="http://www.opendatakit.org/xforms"${attribute('id', receipt.formId)}${attribute('version', receipt.version)}${receipt.isEncrypted ? ' encrypted="yes"' : ''}${attribute('instanceID', `uuid:${receipt.uuid}`)} submissionDate="${time(receipt.submittedAt)}" isComplete="true" markedAsCompleteDate="${time(receipt.modifiedAt)}"/>
</OpenRosaResponse>`

export interface ListedForm {
  readonly id: number
  readonly owner: string
  readonly idString: string
  readonly title: string
  readonly version: string
  readonly hash: string
  readonly description: string
  readonly hasMedia: boolean
}

const element = (name: string, text: string): string => `<${name}>${escapeText(text)}</${name}>`

const head = '<?xml version="1.0" encoding="utf-8"?>\n'

/** What stands before the addresses of a form. */
export type BaseOf = (form: Pick<ListedForm, 'owner'>) => string

export const formListXml = (forms: readonly ListedForm[], baseOf: BaseOf): string => {
  const entries = forms.map((form) => {
    const base = baseOf(form)
    return `<xform>${element('formID', form.idString)}${element('name', form.title)}${element('version', form.version)}${element('hash', form.hash)}${element('descriptionText', form.description)}${element('downloadUrl', `${base}/forms/${form.id}/form.xml`)}${form.hasMedia ? element('manifestUrl', `${base}/xformsManifest/${form.id}`) : ''}</xform>`
  })
  return `${head}<xforms xmlns="http://openrosa.org/xforms/xformsList">${entries.join('')}</xforms>`
}

export interface MediaFile {
  readonly name: string
  readonly hash: string
  readonly address: string
}

export const manifestXml = (files: readonly MediaFile[]): string => {
  const entries = files.map(
    ({ name, hash, address }) =>
      `<mediaFile>${element('filename', name)}${element('hash', hash)}${element('downloadUrl', address)}</mediaFile>`,
  )
  return `${head}<manifest xmlns="http://openrosa.org/xforms/xformsManifest">${entries.join('')}</manifest>`
}
