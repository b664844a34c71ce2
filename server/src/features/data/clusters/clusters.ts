// What a map shows of a form, or of a part of it.
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../../budgets.js'
import type { FormShape } from '../../../formats/columns/index.js'
import type { Deps } from '../../../platform/deps.js'
import { type FieldErrors, readerOf } from '../../../platform/http/index.js'
import {
  boxIn,
  chosenSlots,
  type DataPart,
  type ListQuery,
  noPlaces,
  placesOf,
  readList,
  type SeenForm,
  shapeOfForm,
} from '../selection/index.js'
import { type Cluster, listClusters } from './clusters.queries.js'
import { cellsIn, mostZoom } from './grid.js'

const zoomIn = (text: string): number | undefined => {
  const zoom = /^\d{1,2}$/.test(text.trim()) ? Number(text) : mostZoom + 1
  return zoom <= mostZoom ? zoom : undefined
}

const required = 'This field is required.'

/** All that is wrong with the two parameters that lists do not require. */
const faultsOf = ({ bbox, zoom: given }: ListQuery): FieldErrors => {
  const box = bbox ? boxIn(bbox) : undefined
  const zoom = given ? zoomIn(given) : undefined
  const isLarge = typeof box === 'object' && zoom !== undefined && cellsIn(box, zoom) > budgets.areas.cells
  return {
    // What is wrong with a box that is given is told by the filter that it is.
    ...(box === undefined && { bbox: [required] }),
    ...(!given && { zoom: [required] }),
    ...(given && zoom === undefined && { zoom: [`Must be a whole number from 0 to ${mostZoom}.`] }),
    ...(isLarge && {
      zoom: [
        `The box has more than ${budgets.areas.cells} cells at this zoom. Ask for a smaller box, or a lower zoom.`,
      ],
    }),
  }
}

/** A part shows the places of its own columns alone. */
const faultsOfPart = (shape: FormShape, { geo_field: field }: ListQuery, part: DataPart | undefined): FieldErrors => {
  if (part === undefined || !field || field === '_geolocation') return {}
  const isShown = chosenSlots(shape, part.columns).some(({ key }) => key === field)
  return isShown ? {} : { geo_field: [noPlaces(field)] }
}

/** A few centimetres: the rest of the digits is of no map. */
const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7

const clusterView = ({ count, id, longitude, latitude, west, south, east, north }: Cluster) => ({
  count,
  center: [rounded(longitude), rounded(latitude)],
  bounds: [west, south, east, north],
  ...(count === 1 && { id }),
})

/** The same records as the list of the same parameters. */
export const clustersOf = async (
  deps: Deps,
  { request, seen, part }: { request: FastifyRequest; seen: SeenForm; part?: DataPart },
) => {
  const query = request.query as ListQuery
  const db = deps.db.reading(readerOf(request), seen.form.asOf)
  const shape = await shapeOfForm(db, seen.form.id)
  const faults = { ...faultsOf(query), ...faultsOfPart(shape, query, part) }
  const list = await readList(db, seen, query, { part, faults })
  const zoom = zoomIn(query.zoom ?? '') ?? 0
  const box = boxIn(query.bbox ?? '')
  const places = placesOf(shape, query.geo_field)
  if (typeof box === 'string' || places === undefined)
    throw new Error('The list has refused what is no box or no place')
  const clusters = await listClusters(db, { list, area: { kind: 'box', box }, places, zoom })
  return { zoom, total: clusters.reduce((sum, { count }) => sum + count, 0), clusters: clusters.map(clusterView) }
}
