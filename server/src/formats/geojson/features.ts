// Records as GeoJSON: places turned round to longitude first, altitude and accuracy dropped.
import type { FormShape, Slot } from '../columns/index.js'
import { type Answers, placeOf, valuesOf } from '../instance/index.js'

type Position = readonly [number, number]

export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly Geometry[] }

/** As JSON: answers and built-in fields. */
export type DataRecord = Readonly<Record<string, unknown>>

export interface FeatureOptions {
  readonly geoField?: string | undefined
  readonly fields: readonly string[]
  readonly isSimpleStyle: boolean
  readonly title?: string | undefined
}

const points = new Set(['geopoint', 'start-geopoint', 'background-geopoint'])

/** A question whose answer is one point. */
export const isPoint = ({ type }: Pick<Slot, 'type'>): boolean => points.has(type)

export const hasPlaces = ({ questions }: FormShape): boolean => questions.some(({ kind }) => kind === 'geo')

const positionOf = (text: string): Position | undefined => {
  const place = placeOf(text)
  return place === null ? undefined : [place.longitude, place.latitude]
}

const collection = (geometries: readonly Geometry[]): Geometry | null =>
  geometries.length === 0 ? null : { type: 'GeometryCollection', geometries }

/** A ring needs four positions, of which the last is the first. */
const isRing = (positions: readonly Position[]): boolean => {
  const [first, last] = [positions[0], positions.at(-1)]
  return positions.length >= 4 && first?.[0] === last?.[0] && first?.[1] === last?.[1]
}

/** The text of a point, a trace or a shape; null where a part of it is no place. */
export const geometryOf = (text: string, isSimpleStyle: boolean): Geometry | null => {
  const parts = text.split(';').filter((part) => part.trim() !== '')
  const positions = parts.map(positionOf).filter((position): position is Position => position !== undefined)
  const [first] = positions
  if (first === undefined || positions.length !== parts.length) return null
  if (positions.length === 1) {
    const point: Geometry = { type: 'Point', coordinates: first }
    return isSimpleStyle ? point : collection([point])
  }
  return isRing(positions)
    ? { type: 'Polygon', coordinates: [positions] }
    : { type: 'LineString', coordinates: positions }
}

const valuesAt = (record: DataRecord, places: readonly Pick<Slot, 'key' | 'repeats'>[]): string[] =>
  places.flatMap((place) => valuesOf(record as Answers, place))

const geometryOfField = (record: DataRecord, shape: FormShape, field: string, isSimpleStyle: boolean) => {
  const slots = shape.slotsOf(field)
  const [value] = valuesAt(record, slots.length === 0 ? [{ key: field, repeats: [] }] : slots)
  return value === undefined ? null : geometryOf(value, isSimpleStyle)
}

const geometryOfAll = (record: DataRecord, { questions }: FormShape): Geometry | null => {
  const positions = valuesAt(record, questions.filter(isPoint)).map(positionOf)
  return collection(positions.flatMap((at) => (at === undefined ? [] : [{ type: 'Point', coordinates: at } as const])))
}

/** Of what the record holds itself: somebody may ask for `constructor`. */
const answerIn = (record: DataRecord, field: string): unknown =>
  (Object.hasOwn(record, field) ? record[field] : undefined) ?? null

/** One record as a Feature, as JSON text. */
export const featureOf = (record: DataRecord, shape: FormShape, options: FeatureOptions): string => {
  const { geoField, fields, isSimpleStyle, title } = options
  const geometry =
    geoField === undefined ? geometryOfAll(record, shape) : geometryOfField(record, shape, geoField, isSimpleStyle)
  const properties: [string, unknown][] = [
    ['id', record._id],
    ['xform', record._xform_id],
    ...fields.map((field): [string, unknown] => [field, answerIn(record, field)]),
    ...(title === undefined ? [] : [['title', answerIn(record, title)] as [string, unknown]]),
  ]
  return JSON.stringify({ type: 'Feature', geometry, properties: Object.fromEntries(properties) })
}
