// Records of a form: lists by the filter of the address, one record, and what people do with it.
import { api, careful, got, type Schemas } from './client'
import { errorOf } from './errors'

/** A file of a record, with addresses of this server. */
export interface RecordFile {
  readonly id: number
  readonly name: string
  readonly mimetype: string
  readonly download_url: string
  readonly small_download_url: string
  readonly medium_download_url: string
}

export type Answers = Readonly<Record<string, unknown>>

/** What the server adds to the answers. */
export interface DataRecord extends Answers {
  readonly _id: number
  readonly _uuid: string
  readonly _version: string
  /** In UTC, without saying so. */
  readonly _submission_time: string
  readonly _submitted_by: string | null
  readonly _edited: boolean
  readonly _last_edited: string | null
  readonly _last_edited_by: string | null
  /** Of an earlier version: when it was made. */
  readonly _date_modified: string
  readonly _duration: string
  readonly _attachments: readonly RecordFile[]
  readonly _total_media: number
  readonly _media_count: number
  readonly _media_all_received: boolean
  readonly _tags: readonly string[]
  readonly _review_status: string | null
  readonly _review_comment: string | null
  readonly _review_date: string | null
}

export type Note = Schemas['Note']
export type Review = Schemas['Review']

/** What the address says of which records are meant, and in which order. */
export interface RecordFilter {
  readonly query?: string
  readonly search?: string
  readonly sort?: string
  /** Of the map: a box or a polygon, of the answers to a question. */
  readonly bbox?: string
  readonly polygon?: string
  readonly geo_field?: string
}

export const recordKey = (formId: number, recordId: string) => ['form', formId, 'record', recordId] as const

const path = (formId: number, recordId: string | number) => ({
  params: { path: { pk: formId, dataid: String(recordId) } },
})

export const getRecord = async (formId: number, recordId: string): Promise<DataRecord> =>
  (await got(api.GET('/api/v1/data/{pk}/{dataid}', path(formId, recordId)))) as unknown as DataRecord

export const getRecordXml = async (formId: number, recordId: number): Promise<string> => {
  const answer = await careful(`/api/v1/data/${formId}/${recordId}.xml`)
  if (!answer.ok) throw errorOf(answer.status, await answer.json().catch(() => undefined), answer.headers)
  return answer.text()
}

/** Oldest first. */
export const getHistory = async (formId: number, recordId: number): Promise<DataRecord[]> =>
  (await got(api.GET('/api/v1/data/{pk}/{dataid}/history', path(formId, recordId)))) as unknown as DataRecord[]

/** Refused with a conflict where the record is not the version that was seen. */
export const changeRecord = async (
  formId: number,
  { _id, _uuid }: Pick<DataRecord, '_id' | '_uuid'>,
  body: Answers,
): Promise<DataRecord> =>
  (await got(
    api.PATCH('/api/v1/data/{pk}/{dataid}', {
      params: { path: { pk: formId, dataid: String(_id) }, query: { based_on: _uuid } },
      body: body as never,
    }),
  )) as unknown as DataRecord

export const deleteRecord = (formId: number, recordId: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/data/{pk}/{dataid}', path(formId, recordId)))

export const restoreRecord = (formId: number, recordId: number): Promise<unknown> =>
  got(api.POST('/api/v1/data/{pk}/{dataid}/restore', path(formId, recordId)))

export const listNotes = (recordId: number): Promise<Note[]> =>
  got(api.GET('/api/v1/notes', { params: { query: { instance: recordId } } }))

/** About the record, or about one of its questions. */
export const addNote = (recordId: number, note: string, question: string | null = null): Promise<Note> =>
  got(
    api.POST('/api/v1/notes', {
      body: { instance: recordId, note, ...(question !== null && { instance_field: question }) },
    }),
  )

export const deleteNote = (noteId: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/notes/{id}', { params: { path: { id: noteId } } }))

export const listReviews = (recordId: number): Promise<Review[]> =>
  got(api.GET('/api/v1/submissionreview', { params: { query: { instance: recordId } } }))

export type ReviewStatus = '1' | '2' | '3'

export const addReview = (recordId: number, status: ReviewStatus, note: string): Promise<unknown> =>
  got(
    api.POST('/api/v1/submissionreview', {
      body: { instance: recordId, status, ...(note !== '' && { note }) } as never,
    }),
  )

export const deleteReview = (reviewId: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/submissionreview/{id}', { params: { path: { id: reviewId } } }))

export const addLabels = (formId: number, recordId: number, tags: readonly string[]): Promise<string[]> =>
  got(api.POST('/api/v1/data/{pk}/{dataid}/labels', { ...path(formId, recordId), body: { tags } as never })) as Promise<
    string[]
  >

export const removeLabel = (formId: number, recordId: number, label: string): Promise<unknown> =>
  got(
    api.DELETE('/api/v1/data/{pk}/{dataid}/labels/{tag_name}', {
      params: { path: { pk: formId, dataid: String(recordId), tag_name: label } },
    }),
  )

export interface RecordPage {
  readonly rows: readonly DataRecord[]
  readonly total: number
}

type Range =
  | { readonly start?: number; readonly limit?: number }
  | { readonly page: number; readonly page_size: number }

/** Some fields of some records. How many there are in all is told of pages, not of what is cut out by `start`. */
export const listRecords = async (
  formId: number,
  filter: RecordFilter,
  fields: readonly string[],
  range: Range,
  signal?: AbortSignal,
): Promise<RecordPage> => {
  const given = { ...filter, ...range, ...(fields.length > 0 && { fields: JSON.stringify(fields) }) }
  const query = new URLSearchParams(
    Object.entries(given)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]),
  )
  const answer = await careful(`/api/v1/data/${formId}?${query}`, signal ? { signal } : {})
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
  const rows = body as DataRecord[]
  return { rows, total: Number(answer.headers.get('x-total-count') ?? rows.length) }
}
