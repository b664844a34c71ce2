// Records as GeoJSON: places turned round to longitude first, altitude and accuracy dropped.
import type { FormShape, Slot } from '../columns/index.js'
import { firstAnswer, geometryIn, type Notation, positionsOf } from '../geometry/index.js'
import { type Answers, placeOf, valuesAt, valuesOf, type Whereabouts, whereaboutsOf } from '../instance/index.js'
import { atOnce, inTurns, type Turns } from '../turns/index.js'

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

/** JSON of a position. */
const positionOf = (text: string): string | undefined => {
  const place = placeOf(text)
  return place === null ? undefined : `[${place.longitude},${place.latitude}]`
}

const collection = (geometries: readonly string[]): string =>
  geometries.length === 0 ? 'null' : `{"type":"GeometryCollection","geometries":[${geometries.join(',')}]}`

const pointAt = (position: string): string => `{"type":"Point","coordinates":${position}}`

/** Points between two moments at which others may have a turn. */
const pointsPerTurn = 1000

/** Most places are one point, which needs no list. */
const geometryOfPoint = (text: string, isSimpleStyle: boolean): string => {
  const position = positionOf(text)
  if (position === undefined) return 'null'
  return isSimpleStyle ? pointAt(position) : collection([pointAt(position)])
}

const notation: Notation = { position: (longitude, latitude) => `[${longitude},${latitude}]`, between: ',' }

const isLong = (type: string | undefined): boolean => type === 'geotrace' || type === 'geoshape'

function* geometrySteps(text: string, type: string | undefined, isSimpleStyle: boolean): Turns<string> {
  if (!isLong(type) && !text.includes(';')) return geometryOfPoint(text, isSimpleStyle)
  const geometry = yield* geometryIn(text, type)
  if (geometry === undefined) return 'null'
  const positions = yield* positionsOf(geometry, notation)
  switch (geometry.kind) {
    case 'Point':
      return isSimpleStyle ? pointAt(positions) : collection([pointAt(positions)])
    case 'LineString':
      return `{"type":"LineString","coordinates":[${positions}]}`
    case 'Polygon':
      return `{"type":"Polygon","coordinates":[[${positions}]]}`
  }
}

/** An answer to a question of this type as JSON; null where it is nothing on a map. */
export const geometryOf = (text: string, type: string | undefined, isSimpleStyle: boolean): Promise<string> =>
  inTurns(geometrySteps(text, type, isSimpleStyle))

function* geometryOfField(record: DataRecord, shape: FormShape, field: string, isSimpleStyle: boolean): Turns<string> {
  const answer = firstAnswer(record, shape, field)
  return answer === undefined ? 'null' : yield* geometrySteps(answer.text, answer.type, isSimpleStyle)
}

interface Points {
  readonly slots: readonly Slot[]
  /** Undefined where they are few and in no repeat: each is looked for by its key. */
  readonly places: Whereabouts<Slot> | undefined
}

const fewSlots = 8

const pointsOf = new WeakMap<FormShape, Points>()

/** Made once for each shape. */
const pointsIn = (shape: FormShape): Points => {
  const known = pointsOf.get(shape)
  if (known !== undefined) return known
  const slots = shape.questions.filter(isPoint)
  const isPlain = slots.length <= fewSlots && slots.every(({ repeats }) => repeats.length === 0)
  const points = { slots, places: isPlain ? undefined : whereaboutsOf(slots) }
  pointsOf.set(shape, points)
  return points
}

function* geometryOfAll(record: DataRecord, shape: FormShape): Turns<string> {
  const { slots, places } = pointsIn(shape)
  const values = places && valuesAt(record as Answers, places)
  const points: string[] = []
  for (const slot of slots) {
    for (const value of (values === undefined ? valuesOf(record as Answers, slot) : values.get(slot)) ?? []) {
      const position = positionOf(value)
      if (position !== undefined) points.push(pointAt(position))
      if (points.length % pointsPerTurn === 0) yield
    }
  }
  return collection(points)
}

/** So many fields are asked for by name; of a record with more, all is read. */
const fewKeys = 50

/** Fields of a record that its feature is made of: the rest may be megabytes. Undefined for all of them. */
export const featureKeys = (shape: FormShape, { geoField, fields, title }: FeatureOptions): string[] | undefined => {
  const slots = geoField === undefined ? pointsIn(shape).slots : shape.slotsOf(geoField)
  const places = slots.map(({ key, repeats }) => repeats[0] ?? key)
  const asked = [geoField, title].flatMap((name) => (name === undefined ? [] : [name]))
  const keys = [...new Set(['_id', '_xform_id', ...places, ...fields, ...asked])]
  return keys.length > fewKeys ? undefined : keys
}

/** Of what the record holds itself: somebody may ask for `constructor`. */
const answerIn = (record: DataRecord, field: string): unknown =>
  (Object.hasOwn(record, field) ? record[field] : undefined) ?? null

type Properties = (record: DataRecord) => string

/** As an object that is written out: the last of two equal names counts, and numbers as names come first. */
const anyProperties =
  ({ fields, title }: FeatureOptions): Properties =>
  (record) => {
    const properties: [string, unknown][] = [
      ['id', record._id],
      ['xform', record._xform_id],
      ...fields.map((field): [string, unknown] => [field, answerIn(record, field)]),
      ...(title === undefined ? [] : [['title', answerIn(record, title)] as [string, unknown]]),
    ]
    return JSON.stringify(Object.fromEntries(properties))
  }

/** The same text, put together from names that are written out once. */
const properties = (options: FeatureOptions): Properties => {
  const { fields, title } = options
  const any = anyProperties(options)
  const names = ['id', 'xform', ...fields, ...(title === undefined ? [] : ['title'])]
  if (new Set(names).size < names.length || names.some((name) => /^\d+$/.test(name))) return any
  const asked = [...fields, ...(title === undefined ? [] : [title])]
  const heads = names.slice(2).map((name) => `,${JSON.stringify(name)}:`)
  return (record) => {
    const { _id: id, _xform_id: xform } = record
    if (typeof id !== 'number' || typeof xform !== 'number') return any(record)
    let text = `{"id":${id},"xform":${xform}`
    for (const [place, field] of asked.entries()) text += heads[place] + JSON.stringify(answerIn(record, field))
    return `${text}}`
  }
}

export interface FeatureMaker {
  /** As JSON text; others have a turn while many points are read. */
  inTurns(record: DataRecord): Promise<string>
  /** The same at once, for a small record: waiting for nothing takes longer than making its feature. */
  atOnce(record: DataRecord): string
}

/** Makes Features of records; prepared once for a list. */
export const featureMaker = (shape: FormShape, options: FeatureOptions): FeatureMaker => {
  const { geoField, isSimpleStyle } = options
  const propertiesOf = properties(options)
  function* steps(record: DataRecord): Turns<string> {
    const geometry = yield* geoField === undefined
      ? geometryOfAll(record, shape)
      : geometryOfField(record, shape, geoField, isSimpleStyle)
    return `{"type":"Feature","geometry":${geometry},"properties":${propertiesOf(record)}}`
  }
  return { inTurns: (record) => inTurns(steps(record)), atOnce: (record) => atOnce(steps(record)) }
}
