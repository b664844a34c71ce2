import { describe, expect, it } from 'vitest'
import { rowXml, sheetNames } from './index.js'

describe('sheetNames', () => {
  it('have at most 31 characters, none that a spreadsheet refuses, and are unique whatever the case', () => {
    const long = 'x'.repeat(40)
    expect(sheetNames(['a/b', 'A_B', long, long, ''])).toEqual([
      'a_b',
      'A_B2',
      'x'.repeat(31),
      `${'x'.repeat(30)}2`,
      'sheet',
    ])
  })
})

describe('rowXml', () => {
  it('writes numbers as numbers only where a spreadsheet keeps every digit', () => {
    const numbers = ['12', '-1.5', '0', '007', '1234567890123456', '1e5', '', 'n/a']
    expect(numbers.map((text) => rowXml([text], [true]).includes('<v>'))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })

  it('cuts a text at what a cell holds', () => {
    expect(rowXml(['y'.repeat(40_000)], []).match(/y/g)).toHaveLength(32_767)
  })
})
