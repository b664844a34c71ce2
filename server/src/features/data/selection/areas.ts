// Where records are: a box or a polygon of a map, and the question whose answers are the places.
import { cutTo } from '@sheaf/xlsform/text'
import { budgets } from '../../../budgets.js'
import type { FormShape } from '../../../formats/columns/index.js'
import { isPoint } from '../../../formats/geojson/index.js'
import type { AnswerPlace } from '../../../formats/query/index.js'

/** Degrees. A box whose west is greater than its east lies across the antimeridian. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Longitude and latitude. */
export type Position = readonly [number, number]

export type Area =
  | { readonly kind: 'box'; readonly box: Box }
  | { readonly kind: 'polygon'; readonly ring: readonly Position[] }

/** Where the places of a record are: answers, or what the server keeps as `_geolocation`. */
export type Places = '_geolocation' | readonly AnswerPlace[]

const kept = '_geolocation'

/** The one point of a form is what is kept of its records, in an index. */
const isKept = ({ questions }: FormShape, key: string): boolean => {
  const points = questions.filter(isPoint)
  const [only] = points
  return points.length === 1 && only?.key === key && only.repeats.length === 0
}

/** Undefined for what is no question for a place. */
export const placesOf = (shape: FormShape, field: string | undefined): Places | undefined => {
  if (!field || field === kept || isKept(shape, field)) return kept
  const slots = shape.slotsOf(field)
  return slots.length > 0 && slots.every(({ kind }) => kind === 'geo') ? slots : undefined
}

export const noPlaces = (field: string): string => `"${cutTo(field, 100)}" is no question for a place.`

/** Maps go round: what they show may lie a turn or more to the east or to the west. */
const mostDegrees = 3600

const numberPattern = /^[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][-+]?\d{1,2})?$/

/** Into the turn from -180 to 180. */
const turned = (longitude: number): number => {
  const rest = (((longitude + 180) % 360) + 360) % 360
  return rest - 180
}

const within180 = (longitude: number): boolean => Math.abs(longitude) <= 180

/** West and east of one turn, or of all of it. */
const acrossOf = (west: number, east: number): { west: number; east: number } => {
  if (east - west >= 360) return { west: -180, east: 180 }
  return within180(west) && within180(east) ? { west, east } : { west: turned(west), east: turned(east) }
}

/** `west,south,east,north`; a text that says what is wrong with it. */
export const boxIn = (text: string): Box | string => {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length !== 4 || !parts.every((part) => numberPattern.test(part))) {
    return 'Must be four numbers with commas between them: west,south,east,north in degrees.'
  }
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number)
  if (Math.abs(south) > 90 || Math.abs(north) > 90) return 'South and north must lie between -90 and 90.'
  if (south > north) return 'South must not be greater than north.'
  if (Math.abs(west) > mostDegrees || Math.abs(east) > mostDegrees) {
    return `West and east must lie between -${mostDegrees} and ${mostDegrees}.`
  }
  return { ...acrossOf(west, east), south, north }
}

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((number) => typeof number === 'number' && Number.isFinite(number)) &&
  Math.abs(value[0]) <= mostDegrees &&
  Math.abs(value[1]) <= 90

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `[[longitude, latitude], …]`; a text that says what is wrong with it. */
export const ringIn = (text: string): Position[] | string => {
  const given = parsed(text)
  const { corners } = budgets.areas
  if (!Array.isArray(given) || !given.every(isPosition)) {
    return 'Must be a JSON list of corners, each [longitude, latitude] in degrees.'
  }
  const [first, last] = [given[0], given.at(-1)]
  const isClosed = given.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1]
  const ring = isClosed ? given.slice(0, -1) : given
  if (ring.length < 3) return 'Must have three corners at least.'
  return ring.length > corners ? `Must not have more than ${corners} corners.` : ring
}

/** The box around a ring, for the index; its longitudes may lie in any turn. */
export const boxAround = (ring: readonly Position[]): Box => {
  const longitudes = ring.map(([longitude]) => longitude)
  const latitudes = ring.map(([, latitude]) => latitude)
  const across = acrossOf(Math.min(...longitudes), Math.max(...longitudes))
  return { ...across, south: Math.min(...latitudes), north: Math.max(...latitudes) }
}
