// Points, traces and shapes by the type of their question: the table of cases, and what holds for whatever points.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atOnce } from '../turns/index.js'
import { firstAnswer, geometryIn, positionsOf } from './index.js'

const geometryOf = (text: string, type?: string) => atOnce(geometryIn(text, type))
const shown = (text: string, type?: string) => {
  const geometry = geometryOf(text, type)
  const notation = { position: (x: number, y: number) => `${x},${y}`, between: ' ' }
  return geometry && `${geometry.kind} ${atOnce(positionsOf(geometry, notation))}`
}

describe('by the type of the question', () => {
  it.each([
    ['geopoint', '1 2 0 0', 'Point 2,1'],
    ['geopoint', '0 0 0 0', 'Point 0,0'],
    ['geopoint', '1 2 0 0;', 'Point 2,1'],
    ['start-geopoint', '1 2', 'Point 2,1'],
    ['geopoint', '1 2;3 4', undefined],
    ['geopoint', '1,5 2,5 0 0', undefined],
    ['geotrace', '1 2 0 0;3 4 0 0', 'LineString 2,1 4,3'],
    ['geotrace', '1 2 0.0 0.0; 3 4 0.0 0.0; ', 'LineString 2,1 4,3'],
    ['geotrace', '1 2;3 4;;5 6', 'LineString 2,1 4,3 6,5'],
    ['geotrace', '0 0;0 1;1 1;0 0', 'LineString 0,0 1,0 1,1 0,0'],
    ['geotrace', '1 2;1 2', 'LineString 2,1 2,1'],
    ['geotrace', '1 2 0 0', undefined],
    ['geotrace', '1 2;x', undefined],
    ['geotrace', '1 2 x y;3 4', undefined],
    ['geotrace', '1 2;3 4 0 0 5', undefined],
    ['geotrace', '1 2 -3.5 1e1 ; 3 4 +5', 'LineString 2,1 4,3'],
    ['geoshape', '0 0;0 1 x;1 1', undefined],
    ['geopoint', '1 2 x y', 'Point 2,1'],
    ['geotrace', '1,5 2,5;1,6 2,6', undefined],
    ['geotrace', '', undefined],
    ['geotrace', ' ; ;', undefined],
    ['geotrace', '1 179;1 -179', 'LineString 179,1 -179,1'],
    ['geoshape', '0 0;0 1;1 1;0 0', 'Polygon 0,0 1,0 1,1 0,0'],
    ['geoshape', '0 0;0 1;1 1', 'Polygon 0,0 1,0 1,1 0,0'],
    ['geoshape', '0 0;0 1;1 1;', 'Polygon 0,0 1,0 1,1 0,0'],
    ['geoshape', '0 0;1 1;0 1;0 0', 'Polygon 0,0 1,0 1,1 0,0'],
    ['geoshape', '0 0;1 1;0 1', 'Polygon 0,0 1,0 1,1 0,0'],
    ['geoshape', '0 0;1 1;2 2', 'Polygon 0,0 1,1 2,2 0,0'],
    ['geoshape', '0 0;0 1;0 0;0 1;0 0', undefined],
    ['geoshape', '0 0;0 1', undefined],
    ['geoshape', '0 0', undefined],
    ['geoshape', '0 0;0 1;91 1', undefined],
  ])('%s %j is %j', (type, text, expected) => expect(shown(text, type)).toBe(expected))

  it('what is no question for a place is read as it looks: a calculation may hold a place', () => {
    expect(shown('1 2 0 0', 'calculate')).toBe('Point 2,1')
    expect(shown('1 2;3 4')).toBe('LineString 2,1 4,3')
    expect(shown('0 0;1 1;0 1;0 0', 'text')).toBe('Polygon 0,0 1,0 1,1 0,0')
    expect(shown('0 0;0 0;0 0;0 0', 'text')).toBe('LineString 0,0 0,0 0,0 0,0')
  })
})

type Point = readonly [number, number]
const degrees = (most: number) =>
  fc.integer({ min: -most * 100, max: most * 100 }).map((hundredths) => hundredths / 100)
const point: fc.Arbitrary<Point> = fc.tuple(degrees(90), degrees(180))
const ending = fc.constantFrom('', ';', ' ;', '; ')
const rest = fc.constantFrom('', ' 0 0', ' 0.0 0.0', ' 1500.5 4')
const textOf = (points: readonly Point[], tail: string, end: string) =>
  points.map(([latitude, longitude]) => `${latitude} ${longitude}${tail}`).join(';') + end

const pairs = (numbers: readonly number[]): string[] =>
  Array.from({ length: numbers.length / 2 }, (_, at) => `${numbers[2 * at]} ${numbers[2 * at + 1]}`)

const flatArea = (numbers: readonly number[]): number => {
  let area = 0
  for (let at = 0; at + 3 < numbers.length; at += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers.slice(at, at + 4)
    area += (x2 - x1) * (y2 + y1)
  }
  return -area
}

describe('whatever points', () => {
  it('a trace is a line of exactly its points, in their order, unless it has fewer than two', () => {
    fc.assert(
      fc.property(fc.array(point, { maxLength: 40 }), rest, ending, (points, tail, end) => {
        const geometry = geometryOf(textOf(points, tail, end), 'geotrace')
        const numbers = points.flatMap(([latitude, longitude]) => [longitude, latitude])
        expect(geometry).toEqual(points.length < 2 ? undefined : { kind: 'LineString', numbers })
      }),
    )
  })

  it('a shape is a closed ring against the clock of the same points, or nothing where fewer than three differ', () => {
    fc.assert(
      fc.property(fc.array(point, { maxLength: 40 }), fc.boolean(), rest, ending, (points, isClosed, tail, end) => {
        const [first] = points
        const given = isClosed && first !== undefined ? [...points, first] : points
        const geometry = geometryOf(textOf(given, tail, end), 'geoshape')
        const own = new Set(points.map(([latitude, longitude]) => `${longitude} ${latitude}`))
        const numbers = geometry?.numbers ?? []
        expect(geometry?.kind).toBe(own.size < 3 ? undefined : 'Polygon')
        if (geometry === undefined) return
        expect(numbers.slice(0, 2)).toEqual(numbers.slice(-2))
        expect(flatArea(numbers)).toBeGreaterThanOrEqual(-1e-6)
        expect(new Set(pairs(numbers))).toEqual(own)
      }),
    )
  })

  it('whichever way round a shape was walked, it is the same ring', () => {
    fc.assert(
      fc.property(fc.uniqueArray(point, { minLength: 3, maxLength: 20, selector: String }), (points) => {
        const [first, ...others] = points as [Point, ...Point[]]
        const there = geometryOf(textOf([first, ...others, first], '', ''), 'geoshape')
        const back = geometryOf(textOf([first, ...others.reverse(), first], '', ''), 'geoshape')
        fc.pre(Math.abs(flatArea(there?.numbers ?? [])) > 1e-6)
        expect(back).toEqual(there)
      }),
    )
  })

  it('any text at all is a geometry or none, of every type', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789 .;,-+eE\tx') }),
        fc.constantFrom('geopoint', 'geotrace', 'geoshape', undefined),
        (text, type) => {
          const numbers = geometryOf(text, type)?.numbers ?? []
          expect(numbers.every(Number.isFinite)).toBe(true)
        },
      ),
    )
  })
})

describe('firstAnswer', () => {
  it('takes the first answer, wherever versions of the form have the question, with the type of that question', () => {
    const slots = [
      { key: 'r/way', repeats: ['r'], type: 'geotrace' },
      { key: 'r/way', repeats: [], type: 'geoshape' },
    ]
    const shape = { slotsOf: (key: string) => (key === 'r/way' ? slots : []) } as never
    expect(firstAnswer({ r: [{}, { 'r/way': '1 2' }] }, shape, 'r/way')).toEqual({ text: '1 2', type: 'geotrace' })
    expect(firstAnswer({ 'r/way': '3 4' }, shape, 'r/way')).toEqual({ text: '3 4', type: 'geoshape' })
    expect(firstAnswer({ other: '5 6' }, shape, 'other')).toEqual({ text: '5 6', type: undefined })
    expect(firstAnswer({}, shape, 'r/way')).toBeUndefined()
  })
})
