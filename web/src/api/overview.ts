// What the overview of a form asks besides its figures: the latest records, where they are, and what needs attention.
import { api, careful, got, gotWithHeaders, type Schemas } from './client'
import { errorOf } from './errors'
import type { Question } from './form-model'

const read = async <T>(path: string): Promise<T> => {
  const answer = await careful(path)
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
  return body as T
}

export type Latest = Readonly<Record<string, unknown>> & { readonly _id: number }

/** The questions that tell records apart best, from the first of the form: a few words each. */
export const tellingQuestions = (questions: readonly Question[], most = 3): Question[] =>
  questions
    .filter(
      ({ kind, repeat, isAutomatic }) =>
        repeat === undefined && !isAutomatic && ['text', 'choice', 'number', 'date', 'choices'].includes(kind),
    )
    .slice(0, most)

export const latestKey = (formId: number, keys: readonly string[]) =>
  ['form', formId, 'latest', keys.join(',')] as const

export const listLatest = (formId: number, keys: readonly string[], most = 6): Promise<Latest[]> => {
  const fields = ['_id', '_uuid', '_submission_time', '_submitted_by', '_review_status', ...keys]
  const asked = new URLSearchParams({
    sort: '{"_submission_time":-1}',
    page_size: String(most),
    fields: JSON.stringify(fields),
  })
  return read(`/api/v1/data/${formId}?${asked}`)
}

export type Clusters = Schemas['Clusters']

export const clustersKey = (formId: number, filter: object = {}) =>
  ['form', formId, 'clusters', JSON.stringify(filter)] as const

const world = [-180, -85, 180, 85] as const

/** The zoom at which this box is about so many pixels wide. */
const zoomFor = (west: number, east: number): number => {
  const width = Math.max(east - west, 0.0005)
  return Math.max(1, Math.min(16, Math.floor(Math.log2((640 * 360) / (width * 256)))))
}

/** Places put together as finely as a small picture shows them: first where they are, then those within that. */
export const getPlaces = async (formId: number): Promise<Clusters['clusters']> => {
  const ask = (box: readonly number[], zoom: number) =>
    read<Clusters>(`/api/v1/data/${formId}/clusters?bbox=${box.join(',')}&zoom=${zoom}`)
  const { clusters } = await ask(world, 2)
  if (clusters.length === 0) return clusters
  const edge = (place: number, pick: (a: number, b: number) => number) =>
    clusters.map(({ bounds }) => bounds[place] ?? 0).reduce((a, b) => pick(a, b))
  const [west, south, east, north] = [edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)]
  const around = [west - 0.001, Math.max(-85, south - 0.001), east + 0.001, Math.min(85, north + 0.001)]
  return (
    await ask(
      around.map((one) => Number(one.toFixed(5))),
      zoomFor(west, east),
    )
  ).clusters
}

export const incompleteQuery = '{"_media_all_received":false}'

const countRecords = async (formId: number, query: string): Promise<number> => {
  const [found] = await read<{ count: number }[]>(
    `/api/v1/data/${formId}?count=true&query=${encodeURIComponent(query)}`,
  )
  return found?.count ?? 0
}

export interface Attention {
  readonly incomplete: number
  readonly paused: readonly Schemas['RestService'][]
  readonly failedDeliveries: number
}

export const attentionKey = (formId: number) => ['form', formId, 'attention'] as const

/** More services than these are looked at on their own page. */
const mostServices = 5

export const getAttention = async (
  formId: number,
  { manages, seesData }: { manages: boolean; seesData: boolean },
): Promise<Attention> => {
  const incomplete = seesData ? await countRecords(formId, incompleteQuery) : 0
  if (!manages) return { incomplete, paused: [], failedDeliveries: 0 }
  const services = (
    await got(api.GET('/api/v1/restservices', { params: { query: { xform: String(formId) } } as never }))
  ).filter(({ xform }) => xform === formId)
  const failed = await Promise.all(
    services.slice(0, mostServices).map(async ({ id }) => {
      const path = { pk: id }
      const { data, headers } = await gotWithHeaders(
        api.GET('/api/v1/restservices/{pk}/deliveries', {
          params: { path, query: { state: 'failed', page_size: 1 } } as never,
        }),
      )
      return Number(headers.get('x-total-count') ?? data.length)
    }),
  )
  return {
    incomplete,
    paused: services.filter(({ active }) => !active),
    failedDeliveries: failed.reduce((sum, count) => sum + count, 0),
  }
}
