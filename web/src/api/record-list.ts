// Records of a form: pages of them, and what is done with many at once.
import { api, careful, got } from './client'
import { asApiError, errorOf } from './errors'

export interface Attachment {
  readonly id: number
  readonly name: string
  readonly mimetype: string
  readonly download_url: string
  readonly small_download_url: string
  readonly medium_download_url: string
}

/** Answers by question, and built-in fields; only those that were asked for. */
export interface RecordRow {
  readonly _id: number
  readonly _uuid: string
  readonly _attachments?: readonly Attachment[]
  readonly [key: string]: unknown
}

export type Asked = Readonly<Record<string, string>>

export const recordsKey = (formId: number) => ['form', formId, 'records'] as const

export interface RecordPage {
  readonly rows: readonly RecordRow[]
  readonly total: number
  /** In a form of millions a total may be an estimate at first. */
  readonly isExact: boolean
}

const ask = async (formId: number, asked: Asked, signal?: AbortSignal): Promise<Response> => {
  const address = new URL(`/api/v1/data/${formId}?${new URLSearchParams(asked)}`, location.href)
  const answer = await careful(new Request(address, signal === undefined ? {} : { signal }))
  if (!answer.ok) throw errorOf(answer.status, await answer.json().catch(() => undefined), answer.headers)
  return answer
}

export const listRecords = async (formId: number, asked: Asked, signal?: AbortSignal): Promise<RecordPage> => {
  const answer = await ask(formId, asked, signal)
  const rows = (await answer.json()) as RecordRow[]
  const total = answer.headers.get('x-total-count')
  return {
    rows,
    total: total === null ? rows.length : Number(total),
    isExact: answer.headers.get('x-total-count-exact') !== 'false',
  }
}

export const countRecords = async (formId: number, asked: Asked): Promise<number> => {
  const [counted] = (await (await ask(formId, { ...asked, count: 'true' })).json()) as { count: number }[]
  return counted?.count ?? 0
}

/** A query that asks for something more. Free text has no room for it. */
export const narrowed = (query: string | undefined, more: object): string => {
  if (query === undefined || query === '') return JSON.stringify(more)
  try {
    return JSON.stringify({ $and: [JSON.parse(query), more] })
  } catch {
    return query
  }
}

/** What can be done with all that match, at once. */
export const mostAtOnce = 20_000
const idsPerPage = 10_000

export const idsOfAll = async (formId: number, asked: Asked): Promise<number[]> => {
  const ids: number[] = []
  for (let page = 1; ids.length < mostAtOnce; page += 1) {
    const { rows } = await listRecords(formId, {
      ...asked,
      fields: '["_id"]',
      page: String(page),
      page_size: String(idsPerPage),
    })
    ids.push(...rows.map(({ _id }) => _id))
    if (rows.length < idsPerPage) break
  }
  return ids.slice(0, mostAtOnce)
}

const inParts = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

const idsPerCall = 1000

/** What was done of many: where it broke in the middle, some of it was. */
export interface Done<T> {
  readonly made: readonly T[]
  /** So many records it was done for, and for so many not. */
  readonly count: number
  readonly left: number
  /** Records whose answer was lost on the way: it may be done for them, too. */
  readonly unsure: readonly number[]
}

/** Part by part. Where nothing was done, that is thrown which stood against it. */
const inTurn = async <T>(
  ids: readonly number[],
  run: (part: readonly number[]) => Promise<readonly T[]>,
  size = idsPerCall,
): Promise<Done<T>> => {
  const made: T[] = []
  let count = 0
  for (const part of inParts(ids, size)) {
    try {
      made.push(...(await run(part)))
      count += part.length
    } catch (thrown) {
      if (count === 0) throw thrown
      return { made, count, left: ids.length - count, unsure: asApiError(thrown).mayBeDone ? part : [] }
    }
  }
  return { made, count, left: 0, unsure: [] }
}

/** Counts what was really done: others may have deleted some, or brought them back. */
const counted = <T>(done: Done<T>): Done<T> => ({ ...done, count: done.made.length })

/** Answers the numbers of those that this deleted, which are those to bring back. */
export const deleteMany = async (formId: number, ids: readonly number[]): Promise<Done<number>> =>
  counted(
    await inTurn(ids, async (part) => {
      const body = { instance_ids: [...part] }
      const done = await got(api.DELETE('/api/v1/data/{pk}', { params: { path: { pk: formId } }, body }))
      return done.instance_ids ?? []
    }),
  )

/** Answers the numbers of those that this brought back. */
export const restoreMany = async (formId: number, ids: readonly number[]): Promise<Done<number>> =>
  counted(
    await inTurn(ids, async (part) => {
      const body = { instance_ids: [...part] }
      const done = await got(api.POST('/api/v1/data/{pk}/restore', { params: { path: { pk: formId } }, body }))
      return done.instance_ids ?? []
    }),
  )

export type ReviewStatus = '1' | '2' | '3'

/** Answers the numbers of the reviews, by which they can be taken back. */
export const reviewMany = (ids: readonly number[], status: ReviewStatus, note: string): Promise<Done<number>> =>
  inTurn(ids, async (part) => {
    const body = part.map((instance) => ({ instance, status, ...(note !== '' && { note }) }))
    const reviews = await got(api.POST('/api/v1/submissionreview', { body }))
    return [reviews].flat().map(({ id }) => id)
  })

/** A few at a time: these have no call for many. */
const oneByOne = (ids: readonly number[], run: (id: number) => Promise<unknown>): Promise<Done<unknown>> =>
  inTurn(ids, (part) => Promise.all(part.map(run)), 4)

export const takeReviewsBack = (ids: readonly number[]): Promise<Done<unknown>> =>
  oneByOne(ids, (id) => got(api.DELETE('/api/v1/submissionreview/{id}', { params: { path: { id } } })))

/** Which labels came to which records: those that had one already keep it when this is taken back. */
export interface Labelled {
  readonly instance_ids: readonly number[]
  readonly tags: readonly string[]
}

export const labelMany = (formId: number, ids: readonly number[], tags: readonly string[]): Promise<Done<Labelled>> =>
  inTurn(ids, async (part) => {
    const body = { instance_ids: part, tags }
    const answer = await got(api.POST('/api/v1/data/{pk}/labels', { params: { path: { pk: formId } }, body }))
    return answer.changed
  })

export const takeLabelsBack = async (formId: number, labelled: readonly Labelled[]): Promise<void> => {
  for (const { instance_ids, tags } of labelled) {
    const body = { instance_ids, tags }
    await got(api.DELETE('/api/v1/data/{pk}/labels', { params: { path: { pk: formId } }, body }))
  }
}

/** Times of records have no zone, and are UTC. */
export const inUtc = (time: unknown): string => {
  const text = typeof time === 'string' ? time : ''
  return /(Z|[+-]\d\d:?\d\d)$/.test(text) || text === '' ? text : `${text}Z`
}
