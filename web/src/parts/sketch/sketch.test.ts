import { describe, expect, it } from 'vitest'
import { frameOf, radiusOf } from './sketch-frame'

const at = (longitude: number, latitude: number) => ({ center: [longitude, latitude], count: 1 })

describe('the frame of a small map', () => {
  it('holds every place, with room around them, and never more than the world', () => {
    const frame = frameOf([at(30, -2), at(40, 6)])
    expect([frame.west < 30, frame.west + frame.width > 40, frame.north > 6, frame.north - frame.height < -2]).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(frameOf([at(-180, -80), at(180, 80)]).width).toBe(360)
    expect(frameOf([at(36.8, -1.3)])).toMatchObject({ west: expect.closeTo(34.8), width: 4 })
  })

  it('dots grow with what they stand for, within bounds', () => {
    expect([radiusOf(1), radiusOf(4), radiusOf(1e9)]).toEqual([3, 5, 11])
  })
})
