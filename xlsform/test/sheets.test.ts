// Sheets in hand are compiled as the workbook that holds them.
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import { limits } from '../src/limits.js'
import { checkExtents, checkSheets, compileSheets, gridOf, sheetOf } from '../src/sheets.js'
import { readSheetsSync } from '../src/workbook/read-workbook.js'
import { compileWorkbook, readSheets } from '../src/workbook.js'
import { corpus, laterOutcomeOf, outcomeOf } from './support/outcomes.js'
import { randomForm } from './support/random-forms.js'
import { type Cells, text, workbook, zip } from './support/workbooks.js'

/** The four ways to the same form. */
const expectOneOutcome = async (bytes: Uint8Array, fileName = 'form.xlsx'): Promise<void> => {
  const options = { fileName, keepUnshownLabels: true }
  const expected = outcomeOf(() => compile(bytes, options))
  const verbatim = readSheetsSync(bytes)
  expect(await readSheets(bytes)).toEqual(verbatim)
  expect(outcomeOf(() => compileSheets(verbatim, options))).toEqual(expected)
  const { form, problems, warnings } = checkSheets(verbatim, options)
  expect(form ?? { problems }).toEqual(expected)
  if (form !== null) expect({ problems, warnings }).toEqual({ problems: [], warnings: form.warnings })
  const grids = verbatim.map((sheet) => sheetOf(sheet.name, gridOf(sheet)))
  expect(outcomeOf(() => compileSheets(grids, options))).toEqual(expected)
  expect(await laterOutcomeOf(() => compileWorkbook(bytes, options))).toEqual(expected)
}

/** Slips, odd cells and odd sheets as people leave them. */
const oddCell = fc.oneof(
  fc.constantFrom('type', 'name', 'label', 'label::French (fr)', 'relevant', 'list_name', 'form_id', 'hint'),
  fc.constantFrom('text', 'integer', 'select_one yn', 'begin_group', 'end_group', 'calculate', 'yn', 'a', 'b', '${a}'),
  fc.constantFrom('', '  ', '\u00a0', ' a ', '“a”', 'a\r\nb', '_x000D_', '_x0041_', 'q\u0001', 'TRUE'),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const oddRows: fc.Arbitrary<Cells> = fc.array(fc.array(oddCell, { maxLength: 6 }), { maxLength: 9 })
const oddBook = fc.uniqueArray(
  fc.tuple(fc.constantFrom('survey', 'choices', 'settings', 'Survey ', 'entities', 'setings', 'notes'), oddRows),
  { selector: ([name]) => name.trim().toLowerCase(), minLength: 1, maxLength: 5 },
)

describe('compileSheets', () => {
  it.each(corpus)('gives for the sheets of %s what the file gives', (name, bytes) => expectOneOutcome(bytes, name))

  it('gives for the sheets of any form what the file gives, as text and as .xlsx', async () => {
    await fc.assert(
      fc.asyncProperty(randomForm, async (csv) => {
        await expectOneOutcome(text(csv), 'form.csv')
        const sheets = readSheetsSync(text(csv)).map((sheet): [string, Cells] => [sheet.name, gridOf(sheet)])
        await expectOneOutcome(workbook(Object.fromEntries(sheets)))
      }),
      { numRuns: 30 },
    )
  })

  it('finds the same mistakes in sheets that were filled at random', async () => {
    await fc.assert(
      fc.asyncProperty(oddBook, (book) => expectOneOutcome(workbook(Object.fromEntries(book)))),
      { numRuns: 150 },
    )
  })

  it('reads numbers, dates and yes or no as the file does', () =>
    expectOneOutcome(
      workbook({
        survey: [
          ['type', 'name', 'label', 'default', 'required'],
          ['text', 'a', 5, 0.1, true],
          ['date', 'b', 'When?', new Date(Date.UTC(2024, 4, 6)), false],
        ],
      }),
    ))

  it('cleans cells as reading a file does: blanks, no-break spaces, curly quotes and line ends', () => {
    const sheet = sheetOf('survey', [
      ['type', 'name', ' label '],
      ['text', 'a\u00a0', '“Quoted”\r\nlines'],
    ])
    expect(compileSheets([sheet]).model.children[0]).toMatchObject({ name: 'a', labels: [{ text: '"Quoted"\nlines' }] })
  })

  it('refuses what a file would be refused for: two sheets of one name, too many rows', () => {
    const plain = sheetOf('survey', [['type', 'name', 'label']])
    expect(() => compileSheets([plain, { ...plain, name: 'Survey ' }])).toThrow(/two sheets named 'survey'/)
    const rows = Array.from({ length: 50_002 }, (_, index) => ({ number: index + 1, columns: [0], texts: ['text'] }))
    expect(() => compileSheets([{ name: 'survey', rows }])).toThrow(/more than 50000 rows/)
  })
})

describe('checkSheets', () => {
  it('tells warnings beside problems, where compiling tells the problems alone', () => {
    const sheet = sheetOf('survey', [
      ['type', 'name', 'label', 'relevnt'],
      ['image', 'a', 'A'],
      ['txt', 'b', 'B'],
    ])
    const { form, problems, warnings } = checkSheets([sheet])
    expect(form).toBeNull()
    expect(problems.map(({ code }) => code)).toEqual(['unknown-type'])
    expect(warnings.map(({ code }) => code)).toEqual(['unknown-column', 'image-without-max-pixels'])
  })

  it('tells what keeps sheets from being read at all', () => {
    expect(checkSheets([])).toMatchObject({ form: null, problems: [{ code: 'missing-survey' }], warnings: [] })
  })
})

describe('files that are damaged or mean harm', () => {
  const book = workbook({
    survey: [['type', 'name', 'label'], ...Array.from({ length: 30 }, (_, n) => ['text', `q${n}`, `Q ${n}`])],
  })

  it('come to the same, however they are unpacked', async () => {
    const damage = fc.array(fc.tuple(fc.nat(book.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(40), async (changes, cut) => {
        const bytes = book.slice(0, book.length - Math.max(0, cut - 30))
        for (const [at, byte] of changes) bytes[at] = byte
        const expected = outcomeOf(() => compile(bytes))
        expect(await laterOutcomeOf(() => compileWorkbook(bytes))).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('are given up where they unpack to more than their directory says', async () => {
    const content = deflateRawSync(Buffer.alloc(limits.partBytes + 1))
    const bomb = zip([{ name: 'xl/workbook.xml', content, method: 8, declaredSize: 1000 }])
    const refused = { problems: [expect.objectContaining({ code: 'unpacks-too-large' })] }
    expect(outcomeOf(() => compile(bomb))).toEqual(refused)
    expect(await laterOutcomeOf(() => compileWorkbook(bomb))).toEqual(refused)
  })
})

describe('.xls files', () => {
  const legacy = workbook(
    {
      survey: [
        ['type', 'name', 'label'],
        ['text', 'a', 'A'],
      ],
    },
    'biff8',
  )

  it('are read in Node, cells as they stand', () => {
    expect(readSheetsSync(legacy).map(gridOf)).toEqual([
      [
        ['type', 'name', 'label'],
        ['text', 'a', 'A'],
      ],
    ])
    expect(compileSheets(readSheetsSync(legacy))).toEqual(compile(legacy))
  })

  it('are refused where there is no reader for them, with a word on what to do', async () => {
    const refused = { problems: [expect.objectContaining({ code: 'legacy-file' })] }
    await expect(compileWorkbook(legacy)).rejects.toMatchObject(refused)
    await expect(readSheets(legacy)).rejects.toThrow(/save it as \.xlsx/)
  })
})

describe('sheets that are opened together', () => {
  const low = (name: string, number: number, column = 0) => ({
    name,
    rows: [{ number, columns: [column], texts: ['x'] }],
  })
  const refusedFor = (sheets: Parameters<typeof checkExtents>[0]): unknown => {
    try {
      checkExtents(sheets)
    } catch (error) {
      return (error as { problems: readonly unknown[] }).problems
    }
    return []
  }

  it('may have texts far below and far to the right', () => {
    expect(refusedFor([low('survey', 99_000), low('notes', 900)])).toEqual([])
    expect(refusedFor([low('survey', 200, 16_383), low('notes', 99_000, 6)])).toEqual([])
  })

  it('are refused with a text in the far corner, with its sheet', () => {
    expect(refusedFor([low('survey', 3), low('notes', 60_000, 16_383)])).toEqual([
      expect.objectContaining({ code: 'too-many-cells', sheet: 'notes' }),
    ])
  })

  it('are refused for the empty rows of all of them, with the one that has the most', () => {
    const many = Array.from({ length: 60 }, (_, at) => low(`s${at}`, at === 7 ? 99_001 : 99_000))
    expect(refusedFor(many)).toEqual([
      expect.objectContaining({ code: 'too-many-empty-rows', sheet: 's7', row: 99_001 }),
    ])
  })

  it('are not refused for what is filled', () => {
    const columns = Array.from({ length: 50 }, (_, at) => at)
    const texts = columns.map(() => 'x')
    const rows = Array.from({ length: 50_000 }, (_, at) => ({ number: at + 1, columns, texts }))
    expect(
      refusedFor([
        { name: 'a', rows },
        { name: 'b', rows },
      ]),
    ).toEqual([])
  })
})
