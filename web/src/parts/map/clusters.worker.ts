// Puts places together where they are close, away from the page, which stays quick meanwhile.
import Supercluster from 'supercluster'
import type { FoundPlace, ToWorker } from './clusters'

interface PointFacts {
  readonly at: number
}
type Counts = Record<number, number>

let index: Supercluster<PointFacts, { counts: Counts }> | undefined
let categoryOf: Uint8Array = new Uint8Array()

const load = ({ longitudes, latitudes, categories }: Extract<ToWorker, { kind: 'load' }>) => {
  categoryOf = categories
  index = new Supercluster<PointFacts, { counts: Counts }>({
    // It counts in tiles of 512 pixels, the map in tiles of 256.
    radius: 80,
    maxZoom: 17,
    map: ({ at }) => ({ counts: { [categoryOf[at] ?? 0]: 1 } }),
    reduce: (sum, { counts }) => {
      const both: Counts = { ...sum.counts }
      for (const [category, count] of Object.entries(counts)) {
        both[Number(category)] = (both[Number(category)] ?? 0) + count
      }
      sum.counts = both
    },
  })
  index.load(
    Array.from(longitudes, (longitude, at) => ({
      type: 'Feature' as const,
      geometry: { type: 'Point' as const, coordinates: [longitude, latitudes[at] ?? 0] },
      properties: { at },
    })),
  )
}

const find = ({ box, zoom }: Extract<ToWorker, { kind: 'find' }>): FoundPlace[] =>
  (index?.getClusters([...box], zoom) ?? []).map(({ geometry, properties }) => {
    const [longitude = 0, latitude = 0] = geometry.coordinates
    if (!('cluster' in properties)) return { longitude, latitude, count: 1, at: properties.at }
    return {
      longitude,
      latitude,
      count: properties.point_count,
      counts: properties.counts,
      zoomTo: index?.getClusterExpansionZoom(properties.cluster_id) ?? zoom + 1,
    }
  })

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'load') load(data)
  else postMessage({ request: data.request, places: find(data) })
})
