// Records as XML: what was received, word for word, in an envelope that says what the server knows about it.
import { escapeAttribute, escapeText } from '@sheaf/xlsform/text'
import { takingTurns } from '../turns/index.js'

export interface XmlRecord {
  /** The record as JSON. */
  readonly record: Readonly<Record<string, unknown>>
  /** As received. */
  readonly xml: string
  /** ISO 8601 with a zone. */
  readonly createdAt: string
}

/** The root element alone: no declaration, no comments or instructions before it. */
export const rootElementOf = (xml: string): string =>
  xml.replace(/^\u{feff}?(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/u, '').trimEnd()

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return String(value)
}

const attachmentFields = [
  'id',
  'name',
  'xform',
  'filename',
  'instance',
  'mimetype',
  'download_url',
  'small_download_url',
  'medium_download_url',
]
const noteFields = ['id', 'owner', 'note', 'instance_field', 'created_by']

/** A record may have a thousand notes of ten thousand characters: others have a turn in between. */
const elements = async (name: string, fields: readonly string[], values: unknown): Promise<string> => {
  const pause = takingTurns()
  let text = ''
  for (const value of (values ?? []) as Record<string, unknown>[]) {
    const inner = fields.map((field) => `<${field}>${escapeText(textOf(value[field]))}</${field}>`)
    text += `<${name}>${inner.join('')}</${name}>`
    await pause()
  }
  return text
}

const attributesOf = ({ record, createdAt }: XmlRecord): [string, unknown][] => [
  ['dateCreated', createdAt],
  ['duration', record._duration],
  ['edited', record._edited],
  ['extDatasetId', record._ext_dataset_id],
  ['formVersion', record._version],
  ...(record._last_edited_by === null ? [] : [['lastEditedBy', record._last_edited_by] as [string, unknown]]),
  ['lastModified', record._date_modified],
  ['mediaAllReceived', record._media_all_received],
  ['mediaCount', record._media_count],
  ['objectID', record._id],
  ['reviewComment', record._review_comment],
  ['reviewStatus', record._review_status],
  ['status', record._status],
  ['submissionTime', record._submission_time],
  ['submittedBy', record._submitted_by],
  ['totalMedia', record._total_media],
]

export const batchStart = (serverTime: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<submission-batch serverTime="${escapeAttribute(serverTime)}">`

export const batchEnd = '</submission-batch>'

export const batchItem = async (item: XmlRecord): Promise<string> => {
  const attributes = attributesOf(item).map(([name, value]) => ` ${name}="${escapeAttribute(textOf(value))}"`)
  const attachments = await elements('attachments', attachmentFields, item.record._attachments)
  const notes = await elements('notes', noteFields, item.record._notes)
  return `<submission-item${attributes.join('')}>${rootElementOf(item.xml)}<linked-resources>${attachments}${notes}</linked-resources></submission-item>`
}
