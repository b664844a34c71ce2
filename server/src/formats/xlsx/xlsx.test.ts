import { deflateRawSync } from 'node:zlib'
import { read, utils } from '@e965/xlsx'
import { readSheetsSync } from '@sheaf/xlsform'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { zipOf } from '../../../test/support/imports.js'
import {
  type CellKind,
  rowWriter,
  rowXml,
  SharedTexts,
  sheetEnd,
  sheetNames,
  sheetPath,
  sheetStart,
  workbookParts,
} from './index.js'

const packed = (parts: ReadonlyMap<string, string>): Buffer =>
  zipOf([...parts].map(([name, text]) => ({ name, data: deflateRawSync(text), size: Buffer.byteLength(text) })))

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

  it('are cut between characters as people see them, also where a number follows', () => {
    const long = `${'x'.repeat(29)}👩‍👩‍👧`
    expect(sheetNames([long, long])).toEqual(['x'.repeat(29), `${'x'.repeat(29)}2`])
  })
})

/** What stands in the cell: its number, or its text in quotes. */
const inCell = (text: string | null, kind: CellKind): string => {
  const xml = rowXml([text], [kind])
  return /<v>(.*)<\/v>/.exec(xml)?.[1] ?? (/<t[ >]/.test(xml) ? `"${text}"` : '')
}

describe('rowXml', () => {
  it.each<[CellKind, string | null, string]>([
    ['number', '12', '12'],
    ['number', '-1.5', '-1.5'],
    ['number', '0', '0'],
    ['number', '1.50', '1.50'],
    ['number', '123456789012345', '123456789012345'],
    ['number', '1234567890123456', '"1234567890123456"'],
    ['number', '1234567890.123456', '"1234567890.123456"'],
    ['number', '007', '"007"'],
    ['number', '1e5', '"1e5"'],
    ['number', '=1', '"=1"'],
    ['number', '', ''],
    ['number', null, ''],
    ['calculated', '12.5', '12.5'],
    ['calculated', '1.50', '"1.50"'],
    ['calculated', '-0', '"-0"'],
    ['calculated', '007', '"007"'],
    ['calculated', '2024-01-02', '"2024-01-02"'],
    ['text', '12', '"12"'],
    ['text', '2024-01-02', '"2024-01-02"'],
    ['date', '2024-01-02', '45293'],
    ['date', '1900-03-01', '61'],
    ['date', '9999-12-31', '2958465'],
    ['date', '1900-02-28', '"1900-02-28"'],
    ['date', '2023-02-29', '"2023-02-29"'],
    ['date', '0099-01-01', '"0099-01-01"'],
    ['date', '2024', '"2024"'],
    ['time', '06:00', '0.25'],
    ['time', '12:00:00.000+02:00', '0.5'],
    ['time', '24:00:00', '"24:00:00"'],
    ['datetime', '2024-01-02T06:00:00.000+03:00', '45293.25'],
    ['datetime', '2024-01-02T06:00:00Z', '45293.25'],
    ['datetime', '2024-01-02T23:59:59.999', '45293.9999999884'],
    ['datetime', '2024-01-02', '"2024-01-02"'],
    ['datetime', 'yesterday', '"yesterday"'],
  ])('a %s %j is %s', (kind, text, cell) => expect(inCell(text, kind)).toBe(cell))

  it('cuts a text at what a cell holds, and never within a character', () => {
    expect(rowXml(['y'.repeat(40_000)]).match(/y/g)).toHaveLength(32_767)
    expect(rowXml([`${'y'.repeat(32_766)}😀`]).match(/y+[^<]*/)?.[0]).toBe('y'.repeat(32_766))
  })

  it('writes what spreadsheets read as codes so that they read it as it stands', () => {
    expect(rowXml(['_x0041__x0042_ _x1_'])).toContain('>_x005F_x0041__x005F_x0042_ _x1_<')
    // The code of another character would end it.
    expect(rowXml(['_x0041\u0001 _x0041 b'])).toContain('>_x005F_x0041_x0001_ _x005F_x0041 b<')
    expect(rowXml(['a\u0001b\tc\nd\u0085'])).toContain('>a_x0001_b\tc\nd\u0085<')
  })
})

const fileOf = (rows: readonly string[]): Buffer =>
  packed(new Map([...workbookParts(['data']), [sheetPath(0), sheetStart + rows.join('') + sheetEnd]]))

describe('texts', () => {
  it('are read back as they were, whatever spreadsheets could take them for', () => {
    const unit = fc.constantFrom('_', 'x', '0', '4', '1', 'D', '\u0001', '\u001f', '\r', '\n', '<', '&', 'é', '😀')
    const text = fc.oneof(fc.string({ unit, minLength: 1 }), fc.string({ unit: 'grapheme', minLength: 1 }))
    fc.assert(
      fc.property(
        fc.array(
          text.map((one) => one.replace(/[\ufffe\uffff]/g, '')).filter((one) => one !== ''),
          { minLength: 1 },
        ),
        (texts) => {
          const [sheet] = readSheetsSync(fileOf([rowXml(texts)]))
          expect(sheet?.rows[0]?.texts).toEqual(texts)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('times with zones', () => {
  const rows = [
    rowXml(
      ['2020-01-02T03:04:05.178+02:00', '2020-01-02T03:04:05Z', '2020-01-02T03:04:05+0545'],
      Array(3).fill('datetime'),
    ),
    rowXml(['07:00:00.000+05:30', '07:00:00', '07:00:00+01:23'], Array(3).fill('time')),
  ]
  const file = fileOf(rows)

  it('are dates for every program, and show where it was that time', () => {
    const { data: sheet } = read(file, { cellDates: true }).Sheets
    const shown = ['A1', 'B1', 'C1', 'A2', 'B2', 'C2'].map((place) => [sheet?.[place].t, sheet?.[place].w])
    expect(shown).toEqual([
      ['d', '2020-01-02 03:04:05+02:00'],
      ['d', '2020-01-02 03:04:05Z'],
      ['d', '2020-01-02 03:04:05+05:45'],
      ['d', '07:00:00+05:30'],
      ['d', '07:00:00'],
      ['d', '07:00:00'],
    ])
  })

  it('take fewer formats than programs have room for', () => {
    expect(
      workbookParts(['data'])
        .get('xl/styles.xml')
        ?.match(/<numFmt /g)?.length,
    ).toBeLessThan(200)
  })
})

describe('texts that come again', () => {
  const written = (rows: readonly string[][]) => {
    const texts = new SharedTexts()
    const xml = rows.map(rowWriter(rows[0]?.map(() => 'text') ?? [], texts)).join('')
    const file = packed(new Map([...workbookParts(['data'], texts.all), [sheetPath(0), sheetStart + xml + sheetEnd]]))
    return { xml, file, shared: [...texts.all] }
  }

  it('are read back as they were, wherever they stand, with every blank and line', () => {
    const text = fc.oneof(
      fc.constantFrom('yes', ' a', 'b ', 'c  d', 'e\nf', '\tg', '<&>"', '_x0041_', 'é😀', 'x'.repeat(300)),
      fc.string({ minLength: 1, maxLength: 20 }).filter((one) => /^[\x20-\ud7ff]+$/.test(one)),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 30 }), (rows) => {
        const sheet = read(written(rows).file).Sheets.data
        expect(utils.sheet_to_json(sheet ?? {}, { header: 1, raw: true, blankrows: true })).toEqual(rows)
      }),
      { numRuns: 40 },
    )
  })

  it('stand in the workbook once; what every row has for itself stands in its cell, and fills no memory', () => {
    const rows = Array.from({ length: 5000 }, (_, n) => [n % 2 === 0 ? 'yes' : 'no', `Person ${n}`])
    const { xml, shared } = written(rows)
    expect(xml.match(/<c t="s">/g)?.length).toBeGreaterThan(5000 - 1)
    expect(xml).toContain('<c t="s"><v>0</v></c><c t="inlineStr"><is><t>Person 4998</t></is></c>')
    expect(shared.length).toBeLessThan(1000)
  })
})
