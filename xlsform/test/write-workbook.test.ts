import { read, utils } from '@e965/xlsx'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import { compileSheets, gridOf, sheetOf } from '../src/sheets.js'
import type { RawSheet } from '../src/workbook/raw-sheet.js'
import { readSheetsSync } from '../src/workbook/read-workbook.js'
import { readSheets, writeWorkbook } from '../src/workbook.js'
import { corpus, outcomeOf } from './support/outcomes.js'
import { randomForm } from './support/random-forms.js'
import { text } from './support/workbooks.js'

/** Whatever somebody may have typed, and what the format could take for something else. */
const cell = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('_', 'x', '0', '4', '1', 'D', '\u0001', '\r', '\n', '\ud800', '\uffff', '<', '&'),
  }),
  fc.constantFrom('=1+1', '@a', '-1', "'quoted", ' leads', 'trails ', '\ttab', 'a\nb', 'a\r\nb', '007', '1e5', 'TRUE'),
  fc.constantFrom('2024-05-06', '_x0041_', '_x005F_', ']]>', '<![CDATA[', '&amp;', '\u2028', '😀', '\u0000'),
  fc.integer({ min: 1000, max: 32_767 }).map((length) => 'é'.repeat(length)),
)
const row = fc.array(fc.oneof(fc.constant(''), cell), { maxLength: 6 })
const sheets: fc.Arbitrary<RawSheet[]> = fc
  .tuple(
    ...['survey', 'choices', 'settings', 'Notes & <more>', 'entities'].map((name) =>
      fc.tuple(fc.constant(name), fc.array(row, { maxLength: 8 })),
    ),
  )
  .map((all) => all.map(([name, rows]) => sheetOf(name, rows)))

describe('writeWorkbook', () => {
  it('is read back cell for cell, whatever is in the cells', async () => {
    await fc.assert(
      fc.asyncProperty(sheets, async (given) => {
        const bytes = await writeWorkbook(given)
        expect(readSheetsSync(bytes)).toEqual(given)
        expect(await readSheets(bytes)).toEqual(given)
      }),
      { numRuns: 150 },
    )
  })

  it('is read by another program, too', async () => {
    // That program drops what no text should hold, and takes line ends as XML does.
    const isPlain = (value: string): boolean =>
      /^[\t\n\u{20}-\u{5e}\u{60}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u.test(value)
    await fc.assert(
      fc.asyncProperty(sheets, async (given) => {
        const plain = given.map(({ name, rows }) => ({
          name,
          rows: rows.filter(({ texts }) => texts.every(isPlain)),
        }))
        const book = read(await writeWorkbook(plain), { type: 'array' })
        expect(book.SheetNames).toEqual(plain.map(({ name }) => name))
        for (const { name, rows } of plain) {
          const found = rows.map(({ number, columns }) =>
            columns.map((c) => book.Sheets[name]?.[utils.encode_cell({ r: number - 1, c })]),
          )
          expect(found.map((cells) => cells.map((one) => one?.v))).toEqual(rows.map(({ texts }) => texts))
          for (const one of found.flat()) expect([one?.t, one?.f]).toEqual(['s', undefined])
        }
      }),
      { numRuns: 60 },
    )
  })

  it.each(corpus)('of the sheets of %s compiles to the same form', async (name, bytes) => {
    const options = { fileName: name }
    const again = await writeWorkbook(readSheetsSync(bytes))
    expect(compile(again, options)).toEqual(compile(bytes, options))
  })

  it('of any sheets compiles to what the sheets compile to', async () => {
    await fc.assert(
      fc.asyncProperty(randomForm, async (csv) => {
        const given = readSheetsSync(text(csv))
        const bytes = await writeWorkbook(given)
        expect(outcomeOf(() => compile(bytes))).toEqual(outcomeOf(() => compileSheets(given)))
      }),
      { numRuns: 60 },
    )
  })

  it('puts survey, choices and settings first, and keeps the others in their order', async () => {
    const names = ['notes', 'settings', 'entities', 'Survey', 'choices']
    const bytes = await writeWorkbook(names.map((name) => sheetOf(name, [['a']])))
    expect(readSheetsSync(bytes).map(({ name }) => name)).toEqual([
      'Survey',
      'choices',
      'settings',
      'notes',
      'entities',
    ])
  })

  it('has a bold header that stays in sight, columns as wide as their texts, and cells that stay texts', async () => {
    const long = 'A label that is longer than any column should be wide, or nothing else would be seen'
    const bytes = await writeWorkbook([
      sheetOf('survey', [
        ['type', 'name', 'label'],
        ['text', 'a', long],
        ['note', 'b', 'x\ny'],
      ]),
    ])
    const files = read(bytes, { type: 'array', bookFiles: true }) as unknown as {
      files: Record<string, { content: Uint8Array }>
    }
    const part = (name: string): string => Buffer.from(files.files[name]?.content ?? []).toString()
    const sheet = part('xl/worksheets/sheet1.xml')
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect([...sheet.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([10, 10, 50])
    expect([...sheet.matchAll(/<c r="(\w+)" s="(\d)"/g)].map(([, place, style]) => `${place}:${style}`)).toEqual([
      'A1:3',
      'B1:3',
      'C1:3',
      'A2:1',
      'B2:1',
      'C2:1',
      'A3:1',
      'B3:1',
      'C3:2',
    ])
    const [, ...styles] = [
      ...(part('xl/styles.xml').split('<cellXfs')[1] ?? '').matchAll(/<xf numFmtId="(\d+)" fontId="(\d)"/g),
    ]
    // 49 is the format «Text».
    expect(styles.map(([, format, font]) => `${format} ${font}`)).toEqual(['49 0', '49 0', '49 1'])
  })

  it('gives the same bytes for the same sheets', async () => {
    const given = [
      sheetOf('survey', [
        ['type', 'name'],
        ['text', 'a'],
      ]),
    ]
    expect(await writeWorkbook(given)).toEqual(await writeWorkbook(given))
  })

  it('keeps empty rows and columns between others', async () => {
    const grid = [
      ['', 'type', '', 'name'],
      ['', '', '', ''],
      ['', 'text', '', 'a'],
    ]
    const [sheet] = readSheetsSync(await writeWorkbook([sheetOf('survey', grid)]))
    expect(gridOf(sheet as RawSheet)).toEqual(grid)
  })

  it.each([
    ['no sheet at all', [], 'no-sheets'],
    ['a name that programs refuse', [sheetOf('a/b', [])], 'invalid-sheet-name'],
    ['a name that is too long', [sheetOf('a'.repeat(32), [])], 'invalid-sheet-name'],
    ['two sheets of one name', [sheetOf('a', []), sheetOf('A', [])], 'duplicate-sheet'],
    ['a cell that programs cut off', [sheetOf('a', [['x'.repeat(32_768)]])], 'cell-too-long'],
    [
      'a column beyond the last',
      [{ name: 'a', rows: [{ number: 1, columns: [16_384], texts: ['x'] }] }],
      'too-many-columns',
    ],
    [
      'a row beyond the last',
      [{ name: 'a', rows: [{ number: 1_048_577, columns: [0], texts: ['x'] }] }],
      'too-many-rows',
    ],
  ])('refuses %s', async (_, given, code) => {
    await expect(writeWorkbook(given)).rejects.toMatchObject({ problems: [expect.objectContaining({ code })] })
  })
})
