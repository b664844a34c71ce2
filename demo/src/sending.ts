// Records on their way in, as a phone sends them.
import { type Answers, drawPicture, instanceXml, type Picture } from '@sheaf/server/example'
import { type Api, inLanes, type Part } from './api.js'
import { organization } from './people.js'

export interface Form {
  readonly formid: number
  readonly id_string: string
  readonly version: string
  readonly url: string
}

export interface ToSend {
  readonly instanceId: string
  readonly submitted: Date
  readonly answers: Answers
  readonly pictures: readonly Picture[]
  readonly by: Api
  readonly replaces?: string
}

/** More keep two cores no busier. */
const lanes = 12

export const sendAll = (form: Form, records: readonly ToSend[], onSent: () => void): Promise<void> =>
  inLanes(lanes, records, async (record) => {
    const xml = instanceXml({ id: form.id_string, version: form.version }, record)
    const pictures: Part[] = []
    for (const { name, draw } of record.pictures) {
      pictures.push({ name, filename: name, type: 'image/jpeg', content: await drawPicture(draw()) })
    }
    const filled = { name: 'xml_submission_file', filename: 'submission.xml', type: 'text/xml', content: xml }
    await record.by.upload(`/${organization}/submission`, [filled, ...pictures])
    onSent()
  })

/** Ids by instance ids. */
export const idsOf = async (api: Api, form: Form): Promise<Map<string, number>> => {
  const rows = await api.get<{ _id: number; _uuid: string }[]>(
    `/api/v1/data/${form.formid}?fields=${encodeURIComponent('["_id","_uuid"]')}`,
  )
  return new Map(rows.map(({ _id, _uuid }) => [_uuid, _id]))
}
