import type { RawSheet } from '@sheaf/xlsform/sheets'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyEdit, anyWorkbook } from './arbitrary'
import { insertRows, setCells } from './edits'
import { findIn } from './find'
import { applyEdit } from './steps'
import { typeInto } from './typing'
import { useWorkbook } from './use-workbook'
import {
  emptyWorkbook,
  fromSheets,
  holdsTheSame,
  isEmptyRow,
  type Sheet,
  saysTheSame,
  sheetFromGrid,
  sheetNamed,
  textAt,
  toSheets,
} from './workbook'

const rawText = fc.string({ unit: 'binary', minLength: 1, maxLength: 4 })
const rawSheets: fc.Arbitrary<RawSheet[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('survey', 'choices', 'settings', 'other', 'Notes '),
    rows: fc
      .uniqueArray(
        fc.record({
          // Also far below the others.
          number: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 60, max: 900 })),
          cells: fc.uniqueArray(fc.tuple(fc.nat(6), rawText), {
            selector: ([column]) => column,
            minLength: 1,
            maxLength: 5,
          }),
        }),
        { selector: ({ number }) => number, maxLength: 6 },
      )
      .map((rows) =>
        rows
          .sort((a, b) => a.number - b.number)
          .map(({ number, cells }) => {
            const sorted = cells.sort(([a], [b]) => a - b)
            return { number, columns: sorted.map(([column]) => column), texts: sorted.map(([, text]) => text) }
          }),
      ),
  }),
  { selector: ({ name }) => name, maxLength: 4 },
)

describe('a workbook that is edited', () => {
  it('keeps every cell of every sheet that it was opened with', () => {
    fc.assert(
      fc.property(rawSheets, (sheets) => {
        expect(toSheets(fromSheets(sheets))).toEqual(sheets)
      }),
    )
  })

  it('is known again whatever order a file gives its sheets, and only with every cell', () => {
    fc.assert(
      fc.property(rawSheets, (sheets) => {
        const [book, turned] = [fromSheets(sheets), fromSheets(sheets.toReversed())]
        expect(holdsTheSame(book, turned)).toBe(true)
        const more = setCells(turned, turned.sheets[0]?.name ?? '', [{ row: 900, column: 0, text: 'more' }])
        if (more !== null) expect(holdsTheSame(book, applyEdit(turned, more))).toBe(false)
      }),
    )
  })

  it('refuses a text at the far end of a grid, instead of making a million rows for it', () => {
    const far = { name: 'notes', rows: [{ number: 1_048_576, columns: [0], texts: ['x'] }] }
    expect(() => fromSheets([far])).toThrow('1048575 empty rows')
  })

  it('takes no more time for a text far to the right than for one nearby', () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => ({ number: at + 1, columns: [0], texts: ['text'] }))
    const corner = { name: 'survey', rows: [...rows, { number: 60_001, columns: [16_383], texts: ['far'] }] }
    const book = fromSheets([corner])
    const [sheet] = book.sheets as [Sheet]
    // Column by column these would be a thousand million cells, and no test waits for that long.
    expect(toSheets(book)).toEqual([corner])
    expect(sheet.rows.filter((row) => isEmptyRow(sheet, row))).toEqual([])
    expect(findIn(book, 'FAR')).toEqual([{ sheet: 'survey', row: 59_999, column: 16_383 }])
  })

  it('has the texts of a row in the order of its columns, without those of a removed one', () => {
    const grid = [
      ['a', 'b', 'c'],
      ['1', '2', '3'],
      ['', '2', ''],
    ]
    const sheet = sheetFromGrid('notes', grid)
    const [a, , c] = sheet.columns
    const turned: Sheet = { ...sheet, columns: [c, a].filter((one) => one !== undefined) }
    expect(toSheets({ sheets: [turned] })[0]?.rows).toEqual([
      { number: 1, columns: [0, 1], texts: ['c', 'a'] },
      { number: 2, columns: [0, 1], texts: ['3', '1'] },
    ])
    expect(turned.rows.map((row) => isEmptyRow(turned, row))).toEqual([false, true])
    expect(sheet.rows.map((row) => isEmptyRow(sheet, row))).toEqual([false, false])
  })

  it('begins with the sheets and columns that people know', () => {
    expect(emptyWorkbook().sheets.map(({ name }) => name)).toEqual(['survey', 'choices', 'settings'])
    expect(toSheets(emptyWorkbook())[1]).toEqual({
      name: 'choices',
      rows: [{ number: 1, columns: [0, 1, 2], texts: ['list_name', 'name', 'label'] }],
    })
  })

  it('is after undoing everything what it was, and after redoing everything what it became', () => {
    fc.assert(
      fc.property(anyWorkbook, fc.array(anyEdit, { maxLength: 8 }), (book, edits) => {
        const model = useWorkbook(book)
        const states = [toSheets(book)]
        for (const make of edits) if (model.apply(make(model.book.value))) states.push(toSheets(model.book.value))
        const last = states.length - 1
        for (let at = last - 1; at >= 0; at -= 1) {
          model.undo()
          expect(model.sheets.value).toEqual(states[at])
        }
        expect(model.mayUndo.value).toBe(false)
        for (let at = 1; at <= last; at += 1) {
          model.redo()
          expect(model.sheets.value).toEqual(states[at])
        }
        expect(model.mayRedo.value).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('references follow a name that passed through another one, or through none, when it is free again', () => {
    const model = useWorkbook({
      sheets: [
        sheetFromGrid('survey', [
          ['type', 'name', 'relevant'],
          ['integer', 'kid_age', ''],
          ['integer', 'age', ''],
          ['text', 'why', '${kid_age} > 5 and ${age} > 20'],
        ]),
      ],
    })
    const place = { row: 0, column: 1 }
    const name = (text: string) => {
      model.apply(typeInto(model.book.value, 'survey', place, text, model.known.value))
      return textAt(model.book.value.sheets[0] as Sheet, { row: 2, column: 2 })
    }
    expect(name('age')).toBe('${kid_age} > 5 and ${age} > 20')
    expect(name('age_of_kid')).toBe('${age_of_kid} > 5 and ${age} > 20')
    expect(name('')).toBe('${age_of_kid} > 5 and ${age} > 20')
    expect(name('age')).toBe('${age_of_kid} > 5 and ${age} > 20')
    expect(name('years')).toBe('${years} > 5 and ${age} > 20')
    model.undo()
    expect(name('kid')).toBe('${kid} > 5 and ${age} > 20')
  })

  it('never changes the workbook that an edit was made for', () => {
    fc.assert(
      fc.property(anyWorkbook, anyEdit, (book, make) => {
        const before = JSON.stringify(book)
        const edit = make(book)
        if (edit !== null) applyEdit(book, edit)
        expect(JSON.stringify(book)).toBe(before)
      }),
    )
  })

  it('says whether something is not saved, also after undoing', () => {
    const model = useWorkbook(emptyWorkbook())
    expect(model.isChanged.value).toBe(false)
    model.apply({
      steps: [{ kind: 'rows', sheet: 'survey', at: 0, removed: [], added: [{ id: -1, cells: ['text'] }] }],
    })
    expect(model.isChanged.value).toBe(true)
    model.undo()
    expect(model.isChanged.value).toBe(false)
    model.redo()
    model.markSaved()
    expect(model.isChanged.value).toBe(false)
  })

  it('takes back what followed from an edit with it, and follows neither undo nor redo', () => {
    const [type] = sheetNamed(emptyWorkbook(), 'survey')?.columns ?? []
    const model = useWorkbook(emptyWorkbook(), (_, after) =>
      (sheetNamed(after, 'survey')?.rows.length ?? 0) === 1
        ? setCells(after, 'survey', [{ row: 0, column: 0, text: 'text' }])
        : null,
    )
    model.apply(insertRows(model.book.value, 'survey', 0, 1))
    expect(sheetNamed(model.book.value, 'survey')?.rows[0]?.cells[type?.id ?? 0]).toBe('text')
    const book = model.book.value
    model.apply(insertRows(model.book.value, 'survey', 0, 2))
    model.undo()
    expect([toSheets(model.book.value), model.mayRedo.value]).toEqual([toSheets(book), true])
    model.undo()
    expect([sheetNamed(model.book.value, 'survey')?.rows, model.mayUndo.value]).toEqual([[], false])
    model.redo()
    model.redo()
    expect(sheetNamed(model.book.value, 'survey')?.rows).toHaveLength(3)
  })

  it('tells what is typed into an open cell to those who keep it, without it being an edit', () => {
    const model = useWorkbook(emptyWorkbook())
    model.typing.value = setCells(model.book.value, 'survey', [{ row: 0, column: 0, text: 'tex' }])
    expect([model.isChanged.value, model.mayUndo.value]).toEqual([true, false])
    expect(sheetNamed(model.withTyped.value, 'survey')?.rows).toHaveLength(1)
    model.typing.value = null
    expect([model.isChanged.value, model.withTyped.value === model.book.value]).toEqual([false, true])
  })

  it('says where undo has changed something', () => {
    const model = useWorkbook(fromSheets([{ name: 'survey', rows: [{ number: 1, columns: [0], texts: ['type'] }] }]))
    const [column] = sheetNamed(model.book.value, 'survey')?.columns ?? []
    model.apply({
      steps: [{ kind: 'rows', sheet: 'survey', at: 0, removed: [], added: [{ id: -2, cells: ['text'] }] }],
    })
    model.apply({
      steps: [
        {
          kind: 'cells',
          sheet: 'survey',
          changes: [{ row: -2, column: column?.id ?? 0, before: 'text', after: 'note' }],
        },
      ],
    })
    model.undo()
    expect(model.touched.value).toEqual({ sheet: 'survey', row: 0, column: 0 })
  })

  it('is the same as another that says the same, whatever its ids', () => {
    fc.assert(
      fc.property(anyWorkbook, (book) => {
        expect(saysTheSame(book, fromSheets(toSheets(book)))).toBe(true)
      }),
    )
  })
})
