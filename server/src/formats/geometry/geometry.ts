// The text of a point, a trace or a shape as what it is on a map, by the type of its question. A trace may have a million
// points: they are read and written in turns.
import { placeOf } from '../instance/index.js'
import type { Turns } from '../turns/index.js'

export interface Geometry {
  readonly kind: 'Point' | 'LineString' | 'Polygon'
  /** Longitude and latitude in turn; of a Polygon its one ring, which ends where it begins and goes against the clock. */
  readonly numbers: readonly number[]
}

/** Points between two moments at which others may have a turn. */
const pointsPerTurn = 1000

/** One after the other: split at once, a million of them take as long as reading them. */
function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(';', from)
    const part = text.slice(from, end === -1 ? text.length : end)
    from += part.length + 1
    yield part
  }
}

/** Beside the two numbers that say where, a place on a way has those for its height and how exact it is, and nothing else: what is more
 * might be the next place. One place alone is read as everywhere. */
const wholePlace = /^\s*\S+\s+\S+(?:\s+[+-]?[\d.]+(?:[eE][+-]?\d+)?){0,2}\s*$/

/** Undefined where a part is no place, or where there is none. Blank parts are passed over: many texts end with a semicolon. */
function* numbersIn(text: string): Turns<number[] | undefined> {
  const numbers: number[] = []
  const isWay = text.includes(';')
  let parts = 0
  for (const part of partsOf(text)) {
    parts += 1
    if (parts % pointsPerTurn === 0) yield
    if (part.trim() === '') continue
    const place = isWay && !wholePlace.test(part) ? null : placeOf(part)
    if (place === null) return undefined
    numbers.push(place.longitude, place.latitude)
  }
  return numbers.length === 0 ? undefined : numbers
}

const isSame = (numbers: readonly number[], one: number, other: number): boolean =>
  numbers[one] === numbers[other] && numbers[one + 1] === numbers[other + 1]

const isClosed = (numbers: readonly number[]): boolean => isSame(numbers, 0, numbers.length - 2)

/** An area needs three points that differ. */
function* isArea(numbers: readonly number[]): Turns<boolean> {
  let second = 0
  for (let at = 2; at < numbers.length; at += 2) {
    if (at % (2 * pointsPerTurn) === 0) yield
    if (isSame(numbers, 0, at)) continue
    if (second === 0) second = at
    else if (!isSame(numbers, second, at)) return true
  }
  return false
}

/** Twice the area that lies to the left of the ring, as on a flat map; what lies to the right counts as less than nothing. */
function* areaOf(ring: readonly number[]): Turns<number> {
  const [x = 0, y = 0] = ring
  let area = 0
  for (let at = 0; at + 3 < ring.length; at += 2) {
    if (at % (2 * pointsPerTurn) === 0) yield
    const [x1, y1] = [(ring[at] as number) - x, (ring[at + 1] as number) - y]
    const [x2, y2] = [(ring[at + 2] as number) - x, (ring[at + 3] as number) - y]
    area += x1 * y2 - x2 * y1
  }
  return area
}

function* reversed(numbers: readonly number[]): Turns<number[]> {
  const others: number[] = []
  for (let at = numbers.length - 2; at >= 0; at -= 2) {
    if (at % (2 * pointsPerTurn) === 0) yield
    others.push(numbers[at] as number, numbers[at + 1] as number)
  }
  return others
}

/** RFC 7946 wants the area to the left of its ring. */
function* polygonOf(numbers: readonly number[]): Turns<Geometry> {
  const [x = 0, y = 0] = numbers
  const ring = isClosed(numbers) ? numbers : [...numbers, x, y]
  return { kind: 'Polygon', numbers: (yield* areaOf(ring)) < 0 ? yield* reversed(ring) : ring }
}

const points: ReadonlySet<string> = new Set(['geopoint', 'start-geopoint', 'background-geopoint'])

/** What the text is: by the type of the question, and where that is none for places, as of a calculation, by the text itself.
 * Undefined for what is nothing on a map: a part that is no place, a trace of one point, a shape of fewer than three. */
export function* geometryIn(text: string, type: string | undefined): Turns<Geometry | undefined> {
  const numbers = yield* numbersIn(text)
  if (numbers === undefined) return undefined
  const isOne = numbers.length === 2
  if (type === 'geoshape') return (yield* isArea(numbers)) ? yield* polygonOf(numbers) : undefined
  if (type === 'geotrace') return isOne ? undefined : { kind: 'LineString', numbers }
  if (isOne) return { kind: 'Point', numbers }
  if (type !== undefined && points.has(type)) return undefined
  const isRing = numbers.length >= 8 && isClosed(numbers) && (yield* isArea(numbers))
  return isRing ? yield* polygonOf(numbers) : { kind: 'LineString', numbers }
}

export interface Notation {
  readonly position: (longitude: number, latitude: number) => string
  readonly between: string
}

/** The positions one after the other. */
export function* positionsOf({ numbers }: Geometry, { position, between }: Notation): Turns<string> {
  const pieces: string[] = []
  for (let from = 0; from < numbers.length; from += 2 * pointsPerTurn) {
    const to = Math.min(numbers.length, from + 2 * pointsPerTurn)
    const piece: string[] = []
    for (let at = from; at < to; at += 2) piece.push(position(numbers[at] as number, numbers[at + 1] as number))
    pieces.push(piece.join(between))
    yield
  }
  return pieces.join(between)
}
