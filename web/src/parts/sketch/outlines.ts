// Outlines of countries, from the public domain (Natural Earth): coarse ones, enough for a small picture.
import { mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

type Line = readonly (readonly number[])[]

let known: Promise<readonly Line[]> | undefined

/** Loaded once; without them the dots stand alone. */
export const loadOutlines = (): Promise<readonly Line[]> => {
  known ??= import('world-atlas/countries-110m.json')
    .then(({ default: atlas }) => {
      const topology = atlas as unknown as Topology<{ countries: GeometryCollection }>
      return mesh(topology, topology.objects.countries).coordinates
    })
    .catch(() => [])
  return known
}
