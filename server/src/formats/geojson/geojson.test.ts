import { describe, expect, it } from 'vitest'
import { geometryOf } from './index.js'

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
  ])('%j is %j', (text, geometry) => expect(geometryOf(text, false)).toEqual(geometry))

  it('simple style is the point alone', () => expect(geometryOf('1 2', true)).toEqual(point))
})
