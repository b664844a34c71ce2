// Workbooks and edits of chance, for tests.
import fc from 'fast-check'
import {
  addColumn,
  addLanguage,
  addSheet,
  moveColumn,
  removeColumn,
  removeLanguage,
  renameColumn,
  renameLanguage,
} from './columns'
import {
  clearCells,
  deleteRows,
  duplicateRows,
  fillDown,
  insertRows,
  insertRowsOf,
  moveRows,
  rangeOf,
  setCells,
} from './edits'
import { replaceAll } from './find'
import { pasteTable } from './paste'
import { renameAt } from './rename'
import type { Edit } from './steps'
import { deleteWithEnds, wrapRows } from './structure'
import { sheetFromGrid, type Workbook } from './workbook'

export const cellText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      'text',
      'integer',
      'select_one yn',
      'begin_group',
      'end_group',
      'yn',
      'a',
      'b',
      'age',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('${a} > 5', '${age} = ${a}', ' a ', '“a”', 'two\nlines', '"quoted"', '1,5', 'a\tb'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }).map((text) => text.replace(/\r/g, '')) },
)

const rows = (width: number) => fc.array(fc.array(cellText, { minLength: width, maxLength: width }), { maxLength: 7 })

const sheet = (name: string, head: readonly string[]) =>
  fc
    .tuple(
      fc.shuffledSubarray([...head], { minLength: 1 }),
      fc.array(fc.constantFrom('notes', 'my column'), { maxLength: 2 }),
    )
    .chain(([known, more]) => {
      const columns = [...known, ...more]
      return rows(columns.length).map((body) => sheetFromGrid(name, [columns, ...body]))
    })

export const anyWorkbook: fc.Arbitrary<Workbook> = fc
  .tuple(
    sheet('survey', ['type', 'name', 'label', 'label::French (fr)', 'relevant']),
    fc.option(sheet('choices', ['list_name', 'name', 'label']), { nil: undefined }),
    fc.option(sheet('notes of ours', ['a', 'b']), { nil: undefined }),
  )
  .map((sheets) => ({ sheets: sheets.filter((one) => one !== undefined) }))

type Make = (book: Workbook) => Edit | null

const place = fc.record({ row: fc.nat(8), column: fc.nat(5) })
const name = fc.constantFrom('survey', 'choices', 'notes of ours')
const table = fc
  .integer({ min: 1, max: 3 })
  .chain((width) =>
    fc.array(fc.array(cellText, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 3 }),
  )

/** One thing that somebody does. */
export const anyEdit: fc.Arbitrary<Make> = fc
  .record({ on: name, a: place, b: place, text: cellText, table, count: fc.integer({ min: 1, max: 3 }) })
  .chain(({ on, a, b, text, table: pasted, count }) =>
    fc.constantFrom<Make>(
      (book) =>
        setCells(book, on, [
          { ...a, text },
          { ...b, text: 'b' },
        ]),
      (book) => renameAt(book, on, a, text),
      (book) => insertRows(book, on, a.row, count),
      (book) => insertRowsOf(book, on, a.row, [{ name: text, hint: 'h' }]),
      (book) => deleteRows(book, on, Math.min(a.row, b.row), Math.max(a.row, b.row)),
      (book) => deleteWithEnds(book, on, Math.min(a.row, b.row), Math.max(a.row, b.row)),
      (book) => duplicateRows(book, on, a.row, a.row + count),
      (book) => moveRows(book, on, Math.min(a.row, b.row), Math.max(a.row, b.row), count),
      (book) => wrapRows(book, on, a.row, a.row + count, 'repeat', { name: 'r', label: 'R' }),
      (book) => clearCells(book, on, rangeOf(a, b)),
      (book) => fillDown(book, on, rangeOf(a, b), count),
      (book) => pasteTable(book, on, rangeOf(a, b), pasted),
      (book) => replaceAll(book, text, 'c'),
      (book) => addColumn(book, on, text, a.column),
      (book) => removeColumn(book, on, a.column),
      (book) => renameColumn(book, on, a.column, text),
      (book) => moveColumn(book, on, a.column, b.column),
      (book) => addLanguage(book, 'Spanish (es)'),
      (book) => removeLanguage(book, 'French (fr)'),
      (book) => renameLanguage(book, 'French (fr)', 'Arabic (ar)'),
      (book) => addSheet(book, 'settings'),
    ),
  )
