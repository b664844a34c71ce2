import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { delimiterOf } from './csv.js'
import { momentOf, timeOf } from './dates.js'
import { CsvRefused, type CsvRow, csvRows } from './index.js'

const dateOf = (text: string) => momentOf(text)?.date

describe('dates', () => {
  it.each([
    ['2013-01-31', '2013-01-31'],
    ['2013/1/31', '2013-01-31'],
    ['20130131', '2013-01-31'],
    ['01/31/2013', '2013-01-31'],
    ['1/2/2013', '2013-01-02'],
    ['31/01/2013', '2013-01-31'],
    ['31.1.2013', '2013-01-31'],
    ['31-Jan-2013', '2013-01-31'],
    ['January 31, 2013', '2013-01-31'],
    ['2013-01-31 00:00:00', '2013-01-31'],
    ['2012-02-29', '2012-02-29'],
    ['2013-02-29', undefined],
    ['2014-13-01', undefined],
    ['2014-0903', undefined],
    ['31/31/2013', undefined],
    ['yesterday', undefined],
    ['2013-01-31 25:00', undefined],
  ])('%s is %s', (text, date) => {
    expect(dateOf(text)).toBe(date)
  })

  it('a date with a time keeps its fraction and its zone; without a zone it is UTC', () => {
    expect(momentOf('2013-01-31T10:00:00.123+03:00')?.dateTime).toBe('2013-01-31T10:00:00.123+03:00')
    expect(momentOf('2013-01-31 10:00')?.dateTime).toBe('2013-01-31T10:00:00+00:00')
    expect(momentOf('1/31/2013 12:05 am')?.dateTime).toBe('2013-01-31T00:05:00+00:00')
    expect([timeOf('7:05'), timeOf('07:05:09.5Z'), timeOf('24:00'), timeOf('13:00 pm')]).toEqual([
      '07:05:00',
      '07:05:09.5Z',
      undefined,
      undefined,
    ])
  })
})

const rowsOf = async (source: Iterable<Uint8Array>): Promise<string[][]> => {
  const rows: CsvRow[] = []
  for await (const row of csvRows(source)) rows.push(row)
  return rows.map(({ cells }) => cells)
}

const inPieces = (text: string, size: number): Buffer[] => {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

describe('CSV', () => {
  it('is separated by what stands most often in the first line, outside of quotes', () => {
    expect(['a,b', 'a;b;c,d', 'a\tb', 'a|b', '"a;b;c",d', 'a'].map(delimiterOf)).toEqual([
      ',',
      ';',
      '\t',
      '|',
      ',',
      ',',
    ])
  })

  it('gives back what was written, in whatever pieces it arrives', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ',', ';', '\n', ' ') })
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 7 }), async (rows, size) => {
        const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\n')
        expect(await rowsOf(inPieces(text, size))).toEqual(rows)
      }),
      { numRuns: 50 },
    )
  })

  it('is read without its byte order mark, with quotes inside of cells, and refused in other encodings', async () => {
    expect(await rowsOf([Buffer.from('\ufeffa,b\r\nx"y,2\r\n')])).toEqual([
      ['a', 'b'],
      ['x"y', '2'],
    ])
    await expect(rowsOf([Buffer.from([0xff, 0xfe, 0x61, 0])])).rejects.toThrow(CsvRefused)
  })

  it('a line without an end is refused after a megabyte, and costs no more than reading it', async () => {
    let read = 0
    function* endless() {
      for (; ; read += 1) yield Buffer.alloc(64 * 1024, 'x')
    }
    await expect(rowsOf(endless())).rejects.toThrow(/longer than 1048576 characters/)
    expect(read).toBeLessThan(40)
  })

  it('a quote that is never closed ends the reading after a megabyte', async () => {
    let read = 0
    function* endless() {
      yield Buffer.from('a\n"')
      for (; ; read += 1) yield Buffer.alloc(64 * 1024, 'x')
    }
    await expect(rowsOf(endless())).rejects.toThrow(/never closed/)
    expect(read).toBeLessThan(40)
  })
})

describe('the parser', () => {
  const pieces = fc.array(fc.constantFrom('a', 'b c', '"', '""', ',', ',', '\n', '\n', ' '), { maxLength: 30 })

  it('reads whatever is written as the library does, in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 5 }), async (parts, size) => {
        const text = `x,y\n${parts.join('')}`
        let expected: string[][] | undefined
        try {
          expected = parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true })
        } catch {
          expected = undefined
        }
        if (expected === undefined) await expect(rowsOf(inPieces(text, size))).rejects.toThrow(CsvRefused)
        else expect(await rowsOf(inPieces(text, size))).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('takes every kind of line end', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      for (const size of [1, 2, 50]) {
        expect(await rowsOf(inPieces(['a,b', '"1",2', '', '3,"4"'].join(end) + end, size))).toEqual([
          ['a', 'b'],
          ['1', '2'],
          ['3', '4'],
        ])
      }
    }
  })
})
