import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthFault } from '../../../test/support/growth.js'
import { csvLine, defused } from './cells.js'
import { CsvDefuser } from './defuser.js'

describe('defused', () => {
  it.each([
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['=1+1', "'=1+1"],
    ['+SUM(A1)', "'+SUM(A1)"],
    ['%x', "'%x"],
    ['\tx', "'\tx"],
    ['\r=x', "'\r=x"],
    ['\n=x', "'\n=x"],
    ['-', "'-"],
    ['some text with = in middle', 'some text with = in middle'],
    ['-42', '-42'],
    ['+1.5', '+1.5'],
    ['-1.2627557 36.7926442 0.0 30.0', '-1.2627557 36.7926442 0.0 30.0'],
    ['-1 0;-1 1', "'-1 0;-1 1"],
    ['a|b', 'a\\|b'],
    ['=a|b', "'=a\\|b"],
    ['', ''],
  ])('%j is %j', (text, safe) => expect(defused(text)).toBe(safe))

  it('long texts are written as short ones are, whatever stands in them', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '"', '|', 'é', '😀', ','), minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(texts, (text) => {
        const times = Math.ceil(10_000 / text.length)
        const long = text.repeat(times)
        expect(csvLine([long])).toBe(
          `${/[",]/.test(long) ? `"${long.replaceAll('|', '\\|').replaceAll('"', '""')}"` : long.replaceAll('|', '\\|')}\n`,
        )
      }),
    )
  })

  it('a sign with numbers that are none takes no longer than its length asks for', async () => {
    const nearly = (size: number) => `-1${' 11'.repeat(size / 3)} x`
    expect(defused(nearly(66))).toBe(`'${nearly(66)}`)
    for (const text of [
      nearly,
      (size: number) => `-${'1'.repeat(size)}x`,
      (size: number) => `-1${' '.repeat(size)}x`,
    ]) {
      expect(await growthFault(300_000, text, defused)).toBeUndefined()
    }
  })
})

/** As PostgreSQL writes it. */
const raw = (rows: readonly string[][]): Buffer =>
  Buffer.from(
    rows
      .map((cells) => cells.map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
      .map((line) => `${line}\n`)
      .join(''),
  )

const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.stringMatching(/^[=+\-@%\t\r\n |",é0-9.;]{0,12}$/),
  fc.constantFrom('-1.5 36.8 0.0 5.0', '+7', '-', '"', '""', '-1\n-2', '-1"', `-${'9'.repeat(5000)}`, '😀|'),
)
const table = fc
  .integer({ min: 2, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }))

describe('CsvDefuser', () => {
  it('writes every cell as defused does, wherever the stream is cut, and counts the rows', () => {
    fc.assert(
      fc.property(table, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (rows, cuts) => {
        const bytes = raw(rows)
        const defuser = new CsvDefuser()
        const out: Buffer[] = []
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = bytes.length > 3000 ? 1777 : (cuts[turn % cuts.length] as number)
          out.push(defuser.push(bytes.subarray(at, at + size)))
          at += size
        }
        expect(Buffer.concat(out).toString()).toBe(raw(rows.map((cells) => cells.map(safeOf))).toString())
        expect(defuser.rows).toBe(rows.length)
      }),
      { numRuns: 500 },
    )
  })

  it('a table written with csvLine is read back cell by cell', () => {
    fc.assert(
      fc.property(table, (rows) => {
        fc.pre(rows.every((cells) => cells.some((one) => one !== '')))
        const text = rows.map(csvLine).join('')
        expect(parse(text, { relaxColumnCount: true, record_delimiter: '\n' })).toEqual(
          rows.map((cells) => cells.map(defused)),
        )
      }),
    )
  })
})

/** A number of thousands of digits is taken for a text: no spreadsheet has such numbers. */
const safeOf = (text: string): string => {
  const safe = defused(text)
  return safe === text && /^[+-]/.test(text) && text.length > 4096 ? `'${text}` : safe
}
