import { describe, expect, it } from 'vitest'
import type { FormShape } from '../columns/index.js'
import { featureKeys, featureMaker, geometryOf } from './index.js'

const shown = async (text: string, isSimpleStyle: boolean) =>
  JSON.parse(await geometryOf(text, undefined, isSimpleStyle))

describe('geometryOf', () => {
  const point = { type: 'Point', coordinates: [2, 1] }

  it.each([
    ['1 2 0 0', { type: 'GeometryCollection', geometries: [point] }],
    [
      '1 2;3 4',
      {
        type: 'LineString',
        coordinates: [
          [2, 1],
          [4, 3],
        ],
      },
    ],
    [
      '1 2;3 4;',
      {
        type: 'LineString',
        coordinates: [
          [2, 1],
          [4, 3],
        ],
      },
    ],
    [
      '1 2;1 2',
      {
        type: 'LineString',
        coordinates: [
          [2, 1],
          [2, 1],
        ],
      },
    ],
    [
      '0 0;0 1;1 1;0 0',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    ],
    ['', null],
    ['x y', null],
    ['1', null],
    ['1 2;x', null],
    ['95 2', null],
  ])('%j is %j', async (text, geometry) => expect(await shown(text, false)).toEqual(geometry))

  it('simple style is the point alone', async () => expect(await shown('1 2', true)).toEqual(point))
})

const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 0)
  await work()
  clearInterval(counting)
  return turns
}

describe('a trace of very many points', () => {
  it('is whole, and others have a turn while it is read', async () => {
    const text = Array.from({ length: 300_000 }, (_, at) => `${at % 90} ${at % 180}`).join(';')
    let geometry = ''
    const turns = await turnsDuring(async () => {
      geometry = await geometryOf(text, 'geotrace', false)
    })
    const { type, coordinates } = JSON.parse(geometry)
    expect([type, coordinates.length, coordinates[1000], coordinates.at(-1)]).toEqual([
      'LineString',
      300_000,
      [1000 % 180, 1000 % 90],
      [299_999 % 180, 299_999 % 90],
    ])
    expect(turns).toBeGreaterThan(1)
  })

  it('gives way among empty parts too, and where the last is no place', async () => {
    expect(await turnsDuring(() => geometryOf(';'.repeat(4_000_000), 'geotrace', false))).toBeGreaterThan(0)
    expect(await geometryOf(`${'1 2;'.repeat(5000)}x`, 'geotrace', false)).toBe('null')
  })
})

describe('featureMaker', () => {
  const slot = (key: string, repeats: string[] = []) => ({ key, name: key, type: 'geopoint', kind: 'geo', repeats })
  const shapeWith = (slots: ReturnType<typeof slot>[]) =>
    ({
      questions: slots,
      slotsOf: (key: string) => slots.filter((one) => one.key === key),
    }) as unknown as FormShape
  const options = { fields: [], isSimpleStyle: false }

  it('of points in repeats: those of one question after the other, however they stand in the record', async () => {
    const shape = shapeWith([slot('r/a', ['r']), slot('r/b', ['r']), slot('c')])
    const record = { _id: 1, c: '9 9', r: [{ 'r/b': '1 2', 'r/a': '3 4' }, { 'r/a': '5 6' }, { 'r/a': 'x' }] }
    const { geometry } = JSON.parse(await featureMaker(shape, options).inTurns(record))
    expect(geometry.geometries.map(({ coordinates }: { coordinates: number[] }) => coordinates)).toEqual([
      [4, 3],
      [6, 5],
      [2, 1],
      [9, 9],
    ])
  })

  it('takes as long as the record is, not as long as the record times the questions of the form', async () => {
    let looks = 0
    const entry = new Proxy(
      { 'r/t': 'x' },
      {
        get: (target, key) => {
          looks += 1
          return Reflect.get(target, key)
        },
      },
    )
    const shape = shapeWith(Array.from({ length: 1000 }, (_, at) => slot(`r/g${at}`, ['r'])))
    await featureMaker(shape, options).inTurns({ _id: 1, r: Array.from({ length: 1000 }, () => entry) })
    expect(looks).toBeLessThan(10_000)
  })

  it('names what is read of a record for it; undefined where that is much', () => {
    const shape = shapeWith([slot('r/a', ['r']), slot('r/b', ['r']), slot('c')])
    expect(featureKeys(shape, { ...options, fields: ['x'], title: 't' })).toEqual([
      '_id',
      '_xform_id',
      'r',
      'c',
      'x',
      't',
    ])
    expect(featureKeys(shape, { ...options, geoField: 'r/b' })).toEqual(['_id', '_xform_id', 'r', 'r/b'])
    expect(featureKeys(shape, { ...options, geoField: 'unknown' })).toEqual(['_id', '_xform_id', 'unknown'])
    const wide = shapeWith(Array.from({ length: 100 }, (_, at) => slot(`g${at}`)))
    expect(featureKeys(wide, options)).toBeUndefined()
  })
})
