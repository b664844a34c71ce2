// Countries, from the public domain (Natural Earth): coarse ones, enough for a small picture.
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** The edge of a country or of one of its islands, with how far it reaches: west, south, east, north. */
export interface Outline {
  readonly ring: readonly (readonly number[])[]
  readonly bounds: readonly [number, number, number, number]
}

const outlineOf = (ring: readonly (readonly number[])[]): Outline => {
  const edge = (place: number, pick: (a: number, b: number) => number) =>
    ring.map((point) => point[place] ?? 0).reduce((a, b) => pick(a, b))
  return { ring, bounds: [edge(0, Math.min), edge(1, Math.min), edge(0, Math.max), edge(1, Math.max)] }
}

let known: Promise<readonly Outline[]> | undefined

/** Loaded once; without them the dots stand alone. */
export const loadOutlines = (): Promise<readonly Outline[]> => {
  known ??= import('world-atlas/countries-110m.json')
    .then(({ default: atlas }) => {
      const topology = atlas as unknown as Topology<{ countries: GeometryCollection }>
      return feature(topology, topology.objects.countries).features.flatMap(({ geometry }) => {
        if (geometry.type === 'Polygon') return geometry.coordinates.map(outlineOf)
        return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat().map(outlineOf) : []
      })
    })
    .catch(() => [])
  return known
}
