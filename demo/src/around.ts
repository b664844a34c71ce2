// What stands around the records: reviews, notes, labels, dashboards, a dataview, an export, rest services.
import type { HouseholdRecord } from '@sheaf/server/example'
import { type Api, inLanes } from './api.js'
import type { People } from './people.js'
import { type Form, idsOf } from './sending.js'

const statusOf = { approved: '1', rejected: '2' } as const
const reviewsAtOnce = 500

export const reviewAll = async ({ joseph }: People, form: Form, records: readonly HouseholdRecord[]): Promise<void> => {
  const ids = await idsOf(joseph, form)
  const idOf = ({ instanceId, correction }: HouseholdRecord) => ids.get(correction?.instanceId ?? instanceId)
  const reviews = records.flatMap((record) => {
    const instance = idOf(record)
    const { review } = record
    if (instance === undefined || review === undefined) return []
    return [{ instance, status: statusOf[review.status], ...(review.comment && { note: review.comment }) }]
  })
  for (let from = 0; from < reviews.length; from += reviewsAtOnce) {
    await joseph.post('/api/v1/submissionreview', reviews.slice(from, from + reviewsAtOnce))
  }
  const labelled = records.flatMap((record) => {
    const id = idOf(record)
    return id === undefined || record.tags.length === 0 ? [] : [{ id, tags: record.tags.join(',') }]
  })
  await inLanes(6, labelled, async ({ id, tags }) => {
    await joseph.post(`/api/v1/data/${form.formid}/${id}/labels`, { tags })
  })
  const remarks = ['Called them: it is right.', 'Grace will go there again on Thursday.', 'See the photo.']
  for (const [at, { id }] of labelled.slice(0, 24).entries()) {
    await joseph.post('/api/v1/notes', { instance: id, note: remarks[at % remarks.length] })
  }
}

interface Widget {
  readonly title: string
  readonly column: string
  readonly view_type: string
  readonly group_by?: string
  readonly description?: string
}

export const householdWidgets: readonly Widget[] = [
  { title: 'Where drinking water comes from', column: 'water/water_source', view_type: 'horizontal-bar' },
  { title: 'Records over time', column: '_submission_time', view_type: 'time-based' },
  { title: 'Visits by sub-county', column: 'visit/subcounty', view_type: 'pie' },
  { title: 'Worry about food, by roof', column: 'living/worry', group_by: 'household/roof', view_type: 'vertical-bar' },
  { title: 'Toilets', column: 'water/toilet', view_type: 'horizontal-bar' },
  { title: 'Minutes to the water', column: 'water/water_minutes', view_type: 'vertical-bar' },
]

export const waterWidgets: readonly Widget[] = [
  { title: 'State', column: 'working/state', view_type: 'pie' },
  { title: 'State by kind', column: 'point/kind', group_by: 'working/state', view_type: 'vertical-bar' },
  { title: 'Inspections over time', column: '_submission_time', view_type: 'time-based' },
  { title: 'Litres a minute', column: 'working/flow', view_type: 'vertical-bar' },
]

export const addWidgets = async (api: Api, form: Form, widgets: readonly Widget[]): Promise<void> => {
  for (const widget of widgets) await api.post('/api/v1/widgets', { ...widget, content_object: form.url })
}

export const addDataview = async (api: Api, form: Form): Promise<void> => {
  const { project } = await api.get<{ project: string }>(`/api/v1/forms/${form.formid}`)
  await api.post('/api/v1/dataviews', {
    name: 'Households that drink from the river or lake',
    xform: form.url,
    project,
    columns: ['visit/subcounty', 'visit/village', 'household/head_name', 'water/water_source', 'water/water_minutes'],
    query: [{ column: 'water/water_source', filter: '=', value: 'river' }],
  })
}

/** What is sent from now on is forwarded. */
export const addServices = async (api: Api, form: Form, receiver: { well: string; down: string }): Promise<void> => {
  for (const service_url of [receiver.well, receiver.down]) {
    await api.post('/api/v1/restservices', { xform: form.formid, name: 'generic_json', service_url })
  }
}

const exportSeconds = 60

export const exportOnce = async (api: Api, form: Form): Promise<void> => {
  const path = `/api/v1/forms/${form.formid}/export_async?format=xlsx`
  const { job_uuid: job } = await api.get<{ job_uuid: string }>(path)
  for (let waited = 0; waited < exportSeconds * 4; waited++) {
    const { job_status: status } = await api.get<{ job_status: string }>(`${path}&job_uuid=${job}`)
    if (/success/i.test(status)) return
    if (/fail/i.test(status)) throw new Error(`The export ended as ${status}.`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
