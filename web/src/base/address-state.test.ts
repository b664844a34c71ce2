import { describe, expect, it } from 'vitest'
import { asFlag, asJson, asList, asNumber, asOneOf, asText, readFrom, writtenTo } from './address-state'

describe('state in the address', () => {
  it('is read as it was written', () => {
    const list = ['a,b', 'c d', 'é']
    const query = writtenTo({ page: '2' }, 'columns', list, [], asList)
    expect(query).toMatchObject({ page: '2' })
    expect(readFrom(query, 'columns', [], asList)).toEqual(list)
    expect(readFrom({ n: '-12.5' }, 'n', 0, asNumber)).toBe(-12.5)
    expect(readFrom({ on: 'yes' }, 'on', false, asFlag)).toBe(true)
  })

  it('leaves out what it is without saying so', () => {
    expect(writtenTo({ q: 'ana', page: '2' }, 'q', '', '', asText)).toEqual({ page: '2' })
  })

  it('whatever stands there, the initial value is used where it cannot be read', () => {
    const isPair = (value: unknown): value is [number, number] => Array.isArray(value) && value.length === 2
    expect(readFrom({ n: '1e999' }, 'n', 7, asNumber)).toBe(7)
    expect(readFrom({ at: '[1' }, 'at', [0, 0] as [number, number], asJson(isPair))).toEqual([0, 0])
    expect(readFrom({ look: 'blue' }, 'look', 'light', asOneOf('light', 'dark'))).toBe('light')
    expect(readFrom({ columns: '%E0%A4%A' }, 'columns', ['x'], asList)).toEqual(['x'])
    expect(readFrom({ q: ['first', 'second'] }, 'q', '', asText)).toBe('first')
  })
})
