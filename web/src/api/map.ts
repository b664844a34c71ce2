// Maps: where pictures of the ground come from, and places put together by the server.
import { careful, type Schemas } from './client'
import { errorOf } from './errors'
import type { RecordFilter } from './records'

export interface Tiles {
  readonly url: string
  readonly attribution: string
}

let options: Promise<Tiles | null> | undefined

/** Asked once; null where maps show outlines alone. */
export const getMapOptions = (): Promise<Tiles | null> => {
  options ??= careful('/web/options').then(async (answer) => {
    if (!answer.ok) throw errorOf(answer.status, undefined, answer.headers)
    return ((await answer.json()) as { tiles: Tiles | null }).tiles
  })
  options.catch(() => {
    options = undefined
  })
  return options
}

/** Of a box as the API writes it, the polygon. */
export const cornersOf = (box: string): string => {
  const [west, south, east, north] = box.split(',').map(Number)
  return JSON.stringify([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ])
}

export type Clusters = Schemas['Clusters']

export const getClusters = async (
  formId: number,
  filter: RecordFilter,
  { bbox, zoom, geo_field }: { bbox: string; zoom: number; geo_field: string },
  signal?: AbortSignal,
): Promise<Clusters> => {
  // The box is what is in sight; a box that was chosen is asked for by its corners.
  const polygon = filter.polygon ?? (filter.bbox === undefined ? undefined : cornersOf(filter.bbox))
  const given = { query: filter.query, search: filter.search, polygon, bbox, zoom, geo_field }
  const query = new URLSearchParams(
    Object.entries(given)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]),
  )
  const answer = await careful(`/api/v1/data/${formId}/clusters?${query}`, signal ? { signal } : {})
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
  return body as Clusters
}
