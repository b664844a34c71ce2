// What a receiver is tried with: shaped like a submission, and plainly none.
import { escapeAttribute } from '../../formats/xml/index.js'
import type { ForwardedRecord } from './kinds.js'

interface FormInfo {
  readonly id: number
  readonly idString: string
  readonly uuid: string
  readonly version: string
}

const uuid = '00000000-0000-4000-8000-000000000000'

export const sampleRecord = (form: FormInfo, now: Date): ForwardedRecord => ({
  uuid,
  json: JSON.stringify({
    _id: 0,
    _uuid: uuid,
    _xform_id: form.id,
    _xform_id_string: form.idString,
    _version: form.version,
    _submission_time: now.toISOString().slice(0, 19),
    _submitted_by: null,
    _status: 'sample',
    _attachments: [],
    _tags: [],
    _notes: [],
    'form/uuid': form.uuid,
    'meta/instanceID': `uuid:${uuid}`,
  }),
  xml: `<sample id="${escapeAttribute(form.idString)}" version="${escapeAttribute(form.version)}"><meta><instanceID>uuid:${uuid}</instanceID></meta></sample>`,
})
