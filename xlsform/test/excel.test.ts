// What spreadsheet programs make of what people type: numbers, dates, marks of formats, blanks. Whatever reads a form, a browser or
// the server, from the file or after an editor has written it anew, finds the same.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import { compileSheets } from '../src/sheets.js'
import { readSheetsSync } from '../src/workbook/read-workbook.js'
import { compileWorkbook, readSheets, writeWorkbook } from '../src/workbook.js'
import { asText, type ExcelCell, type ExcelSheet, excelCell, excelFile, textsOf } from './support/excel-cells.js'
import { laterOutcomeOf, outcomeOf } from './support/outcomes.js'
import { randomForm } from './support/random-forms.js'
import { text } from './support/workbooks.js'

const blanks = fc.record({ rows: fc.nat(3), columns: fc.nat(3) })

const rowsOf = (cell: fc.Arbitrary<ExcelCell>) =>
  fc.array(fc.option(fc.record({ cells: fc.array(cell, { maxLength: 6 }), isHidden: fc.boolean() }), { freq: 8 }), {
    maxLength: 7,
  })

const sheetNamed = (name: string, cell: fc.Arbitrary<ExcelCell>): fc.Arbitrary<ExcelSheet> =>
  fc.record({
    name: fc.constant(name),
    isHidden: fc.boolean(),
    rows: rowsOf(cell),
    blanks,
    isMerged: fc.boolean(),
  })

/** In the order that they are written in. */
const anyBook = fc.tuple(
  ...['survey', 'choices', 'settings', 'Notes & <more>'].map((name) => sheetNamed(name, excelCell)),
)

/** A form that works, its cells written in all the ways that programs have. */
const formBook = fc
  .tuple(randomForm, fc.infiniteStream(fc.constantFrom(...asText)), blanks, sheetNamed('notes', excelCell))
  .map(([csv, ways, around, notes]): ExcelSheet[] => [
    ...readSheetsSync(text(csv)).map(({ name, rows }): ExcelSheet => {
      const last = rows.at(-1)?.number ?? 0
      const byNumber = new Map(rows.map((row) => [row.number, row]))
      const cellsIn = (number: number): ExcelCell[] => {
        const cells: ExcelCell[] = []
        const row = byNumber.get(number)
        for (const [at, column] of row?.columns.entries() ?? []) {
          while (cells.length < column) cells.push({ text: '', write: (place) => `<c r="${place}"/>` })
          cells.push((ways.next().value ?? asText[0])(row?.texts[at] ?? ''))
        }
        return cells
      }
      return {
        name,
        isHidden: name !== 'survey',
        rows: Array.from({ length: last }, (_, at) => ({ cells: cellsIn(at + 1), isHidden: at % 3 === 2 })),
        blanks: around,
        isMerged: false,
      }
    }),
    notes,
  ])

describe('a workbook of a spreadsheet program', () => {
  it('is read cell for cell as it is meant, in browsers as on the server', async () => {
    await fc.assert(
      fc.asyncProperty(anyBook, async (book) => {
        const bytes = excelFile(book)
        const meant = book.map((sheet) => ({ name: sheet.name, rows: textsOf(sheet) }))
        expect(readSheetsSync(bytes)).toEqual(meant)
        expect(await readSheets(bytes)).toEqual(meant)
      }),
      { numRuns: 150 },
    )
  })

  it('is the same after it was written anew, and its bytes are the same from then on', async () => {
    await fc.assert(
      fc.asyncProperty(anyBook, async (book) => {
        const sheets = await readSheets(excelFile(book))
        const written = await writeWorkbook(sheets)
        const again = await readSheets(written)
        expect(again).toEqual(sheets)
        expect(readSheetsSync(written)).toEqual(sheets)
        expect(await writeWorkbook(again)).toEqual(written)
      }),
      { numRuns: 60 },
    )
  })

  it('compiles to one XForm or to the same mistakes: from the file, in browsers, of its sheets, and written anew', async () => {
    let works = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(formBook, anyBook), async (book) => {
        const bytes = excelFile(book)
        const options = { fileName: 'form.xlsx', allowUnlabelled: true }
        const outcome = outcomeOf(() => compile(bytes, options))
        if ('xform' in outcome) works += 1
        expect(await laterOutcomeOf(() => compileWorkbook(bytes, options))).toEqual(outcome)
        const sheets = await readSheets(bytes)
        expect(outcomeOf(() => compileSheets(sheets, options))).toEqual(outcome)
        const written = await writeWorkbook(sheets)
        expect(outcomeOf(() => compile(written, options))).toEqual(outcome)
      }),
      { numRuns: 80 },
    )
    expect(works).toBeGreaterThan(20)
  })

  it('with a date that no calendar has is opened where a form does not mean it, and refused where it does', async () => {
    const strange: ExcelCell = { text: '-5', write: (place) => `<c r="${place}" s="1"><v>-5</v></c>` }
    const plain = (...texts: string[]) => ({
      cells: texts.map((one) => asText[0]?.(one) as ExcelCell),
      isHidden: false,
    })
    const rest = { isHidden: false, isMerged: false, blanks: { rows: 0, columns: 0 } }
    const survey: ExcelSheet = {
      name: 'survey',
      ...rest,
      rows: [plain('type', 'name', 'label'), plain('text', 'a', 'A')],
    }
    const notes: ExcelSheet = { name: 'notes', ...rest, rows: [{ cells: [strange], isHidden: false }] }
    const bytes = excelFile([survey, notes])
    expect(compile(bytes).formId).toBe('data')
    const sheets = await readSheets(bytes)
    expect(sheets).toEqual(readSheetsSync(bytes))
    expect(sheets[1]?.rows[0]?.texts).toEqual(['-5'])
    expect(compileSheets(sheets)).toEqual(compile(bytes))
    const refused = excelFile([{ ...survey, rows: [...survey.rows, { cells: [strange], isHidden: false }] }, notes])
    await expect(readSheets(refused)).rejects.toMatchObject({ problems: [{ code: 'unreadable-date', row: 3 }] })
  })
})
