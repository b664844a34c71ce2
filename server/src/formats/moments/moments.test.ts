import { describe, expect, it } from 'vitest'
import { dayOf, momentOf, zonedTime, zonedTimeFault } from './index.js'

describe('moments', () => {
  it.each([
    ['2020-08-31', '2020-08-31T00:00:00.000000Z'],
    ['2020-08-31T10:11:12', '2020-08-31T10:11:12.000000Z'],
    ['2020-08-31T10:11:12Z', '2020-08-31T10:11:12.000000Z'],
    ['2020-08-31T10:11:12+03:00', '2020-08-31T07:11:12.000000Z'],
    ['2020-08-31T10:11:12.123456-0330', '2020-08-31T13:41:12.123456Z'],
    ['2020-02-29', '2020-02-29T00:00:00.000000Z'],
    ['2021-02-29', undefined],
    ['2020-13-01', undefined],
    ['2020-01-01T25:00:00', undefined],
    ['0000-01-01', undefined],
    ['0001-01-01T00:00:00+01:00', undefined],
    ['2020-01-01T00:00:00 00:00', undefined],
    ['2020-1-1', undefined],
    ['', undefined],
  ])('%s is %s', (written, moment) => expect(momentOf(written)).toBe(moment))

  it('the day of a time is the one that stands there', () => {
    expect(dayOf('2020-08-31T23:00:00-05:00')).toBe('2020-08-31')
    expect(dayOf('soon')).toBeUndefined()
  })
})

describe('a point in time that callers name', () => {
  it.each([
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z'],
    ['2030-01-01t00:00:00.5z', '2030-01-01T00:00:00.500Z'],
    ['2030-01-01 00:00-0330', '2030-01-01T03:30:00.000Z'],
    ['2030-01-01T24:00:00Z', undefined],
    ['2030-02-30T00:00:00Z', undefined],
    ['2030-12-31T23:59:60Z', undefined],
    ['2030-01-01T00:00:00+99:99', undefined],
    ['2030-01-01T00:00:00', undefined],
    ['2030-01-01', undefined],
    ['9999-12-31T23:59:59-12:00', undefined],
    ['10000-01-01T00:00:00Z', undefined],
    ['infinity', undefined],
    ['', undefined],
  ])('%s is %s', (written, moment) => {
    expect(zonedTime(written)?.toISOString()).toBe(moment)
    expect(zonedTimeFault(written) === undefined).toBe(moment !== undefined)
  })
})
