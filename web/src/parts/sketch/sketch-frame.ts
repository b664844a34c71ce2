// Where places stand in a small picture: the part of the world around them, as wide as the picture is.

export interface Place {
  readonly center: readonly number[]
  readonly count: number
}

export interface Frame {
  readonly west: number
  readonly north: number
  /** Degrees of longitude and latitude that the picture shows. */
  readonly width: number
  readonly height: number
}

/** Degrees around a single place, so that something can be recognized. */
const least = 4

/** Of pictures that are twice as wide as high. Degrees of latitude are longer than those of longitude, the more so the further from the
 * equator. */
export const frameOf = (places: readonly Place[], ratio = 2): Frame => {
  const pick = (place: number, of: (a: number, b: number) => number) =>
    places.map(({ center }) => center[place] ?? 0).reduce((a, b) => of(a, b), places[0]?.center[place] ?? 0)
  const [west, south, east, north] = [pick(0, Math.min), pick(1, Math.min), pick(0, Math.max), pick(1, Math.max)]
  const middle = { x: (west + east) / 2, y: (south + north) / 2 }
  const stretch = Math.max(0.2, Math.cos((middle.y * Math.PI) / 180))
  const wanted = Math.max(least, (east - west) * 1.5, ((north - south) * 1.5 * ratio) / stretch)
  const width = Math.min(360, wanted)
  const height = (width * stretch) / ratio
  return { west: middle.x - width / 2, north: middle.y + height / 2, width, height }
}

/** From 3 for one record to 11 for many. */
export const radiusOf = (count: number): number => Math.min(11, 3 + Math.log2(Math.max(1, count)))
