import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyEdit, anyWorkbook } from './arbitrary'
import { renameColumn } from './columns'
import { deleteRows, duplicateRows, insertRowsOf, moveRows, setCells } from './edits'
import { mergeWorkbooks, settleOtherwise } from './merge'
import { applyEdit, type Edit } from './steps'
import { fromSheets, gridFrom, type Sheet, sheetFromGrid, toSheets, type Workbook } from './workbook'

const edited = (book: Workbook, ...makes: ((book: Workbook) => Edit | null)[]): Workbook =>
  makes.reduce((now, make) => {
    const edit = make(now)
    return edit === null ? now : applyEdit(now, edit)
  }, book)
/** As it comes from the server: the same texts, other ids. */
const reloaded = (book: Workbook): Workbook => fromSheets(toSheets(book))
const grids = ({ sheets }: Workbook) => sheets.map((sheet) => [sheet.name, gridFrom(sheet)])
const without = (grid: string[][], isKept: (row: string[]) => boolean) => grid.filter(isKept)

const base: Workbook = {
  sheets: [
    sheetFromGrid('survey', [
      ['type', 'name', 'label'],
      ['text', 'first', 'First?'],
      ['integer', 'age', 'How old?'],
      ['select_one yn', 'well', 'Well?'],
      ['note', 'bye', 'Bye'],
    ]),
    sheetFromGrid('choices', [
      ['list_name', 'name', 'label'],
      ['yn', 'yes', 'Yes'],
      ['yn', 'no', 'No'],
    ]),
  ],
}
const survey = ({ sheets: [sheet] }: Workbook) => gridFrom(sheet as Sheet)

describe('mergeWorkbooks', () => {
  it('takes everything of the one who alone has changed something', () => {
    fc.assert(
      fc.property(anyWorkbook, fc.array(anyEdit, { maxLength: 5 }), (book, edits) => {
        const theirs = reloaded(edited(book, ...edits))
        expect(mergeWorkbooks(book, book, theirs)).toMatchObject({ conflicts: [] })
        expect(toSheets(mergeWorkbooks(book, book, theirs).merged)).toEqual(toSheets(theirs))
        expect(toSheets(mergeWorkbooks(book, theirs, book).merged)).toEqual(toSheets(theirs))
        expect(toSheets(mergeWorkbooks(reloaded(book), theirs, theirs).merged)).toEqual(toSheets(theirs))
      }),
      { numRuns: 150 },
    )
  })

  it('gives the same whoever was first, where nothing conflicts', () => {
    fc.assert(
      fc.property(
        anyWorkbook,
        fc.array(anyEdit, { maxLength: 3 }),
        fc.array(anyEdit, { maxLength: 3 }),
        (book, a, b) => {
          const [mine, theirs] = [reloaded(edited(book, ...a)), reloaded(edited(book, ...b))]
          const there = mergeWorkbooks(book, mine, theirs)
          const back = mergeWorkbooks(book, theirs, mine)
          expect(there.conflicts.length === 0).toBe(back.conflicts.length === 0)
          if (there.conflicts.length === 0) expect(toSheets(there.merged)).toEqual(toSheets(back.merged))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('puts together what two people did to different rows and cells', () => {
    const mine = edited(
      base,
      (book) => setCells(book, 'survey', [{ row: 1, column: 2, text: 'Age?' }]),
      (book) => insertRowsOf(book, 'survey', 1, [{ type: 'date', name: 'born', label: 'Born?' }]),
    )
    const theirs = reloaded(
      edited(
        base,
        (book) => setCells(book, 'survey', [{ row: 1, column: 1, text: 'years' }]),
        (book) => deleteRows(book, 'survey', 3, 3),
        (book) => insertRowsOf(book, 'choices', 2, [{ list_name: 'yn', name: 'dk', label: 'No idea' }]),
      ),
    )
    const { merged, conflicts } = mergeWorkbooks(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(grids(merged)).toEqual([
      [
        'survey',
        [
          ['type', 'name', 'label'],
          ['text', 'first', 'First?'],
          ['date', 'born', 'Born?'],
          ['integer', 'years', 'Age?'],
          ['select_one yn', 'well', 'Well?'],
        ],
      ],
      [
        'choices',
        [
          ['list_name', 'name', 'label'],
          ['yn', 'yes', 'Yes'],
          ['yn', 'no', 'No'],
          ['yn', 'dk', 'No idea'],
        ],
      ],
    ])
  })

  it('keeps mine and says so where both changed one cell, and can be settled the other way', () => {
    const mine = edited(base, (book) => setCells(book, 'survey', [{ row: 1, column: 2, text: 'Age?' }]))
    const theirs = reloaded(edited(base, (book) => setCells(book, 'survey', [{ row: 1, column: 2, text: 'Years?' }])))
    const { merged, conflicts } = mergeWorkbooks(base, mine, theirs)
    expect(conflicts).toMatchObject([
      { kind: 'cell', sheet: 'survey', header: 'label', base: 'How old?', mine: 'Age?', theirs: 'Years?' },
    ])
    expect(survey(merged)[2]).toEqual(['integer', 'age', 'Age?'])
    const settled = edited(merged, (book) => settleOtherwise(book, conflicts[0] as never))
    expect(survey(settled)[2]).toEqual(['integer', 'age', 'Years?'])
  })

  it('keeps a row that one has removed and the other changed, and can remove it', () => {
    const mine = edited(base, (book) => deleteRows(book, 'survey', 1, 1))
    const theirs = reloaded(edited(base, (book) => setCells(book, 'survey', [{ row: 1, column: 2, text: 'Years?' }])))
    const { merged, conflicts } = mergeWorkbooks(base, mine, theirs)
    expect(conflicts).toMatchObject([{ kind: 'row', sheet: 'survey', removedBy: 'mine' }])
    expect(survey(merged)[2]).toEqual(['integer', 'age', 'Years?'])
    const settled = edited(merged, (book) => settleOtherwise(book, conflicts[0] as never))
    expect(survey(settled)).toEqual(without(survey(base), ([, name]) => name !== 'age'))
  })

  it('follows a row that was moved while somebody else changed it', () => {
    const mine = edited(base, (book) => moveRows(book, 'survey', 3, 3, 0))
    const theirs = reloaded(edited(base, (book) => setCells(book, 'survey', [{ row: 3, column: 2, text: 'Goodbye' }])))
    const { merged, conflicts } = mergeWorkbooks(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(survey(merged)[1]).toEqual(['note', 'bye', 'Goodbye'])
  })

  it('follows a column that was renamed while somebody else wrote into it', () => {
    const mine = edited(base, (book) => renameColumn(book, 'survey', 2, 'label::English (en)'))
    const theirs = reloaded(edited(base, (book) => setCells(book, 'survey', [{ row: 0, column: 2, text: 'Name?' }])))
    const { merged, conflicts } = mergeWorkbooks(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(survey(merged).slice(0, 2)).toEqual([
      ['type', 'name', 'label::English (en)'],
      ['text', 'first', 'Name?'],
    ])
  })

  it('says where both have ordered the rows in different ways', () => {
    const mine = edited(base, (book) => moveRows(book, 'survey', 3, 3, 0))
    const theirs = reloaded(edited(base, (book) => moveRows(book, 'survey', 0, 0, 3)))
    expect(mergeWorkbooks(base, mine, theirs).conflicts).toEqual([{ kind: 'order', sheet: 'survey', of: 'rows' }])
  })

  it('takes what both have added once', () => {
    const add = (book: Workbook) => insertRowsOf(book, 'survey', 2, [{ type: 'date', name: 'born', label: 'Born?' }])
    const { merged, conflicts } = mergeWorkbooks(base, edited(base, add), reloaded(edited(base, add)))
    expect(conflicts).toEqual([])
    expect(survey(merged)).toHaveLength(6)
  })

  it('leaves a copied row with whoever copied it', () => {
    const mine = edited(base, (book) => duplicateRows(book, 'survey', 1, 1))
    const theirs = reloaded(edited(base, (book) => setCells(book, 'survey', [{ row: 1, column: 2, text: 'Years?' }])))
    const { merged, conflicts } = mergeWorkbooks(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(survey(merged).slice(2, 4)).toEqual([
      ['integer', 'age', 'Years?'],
      ['integer', 'age', 'How old?'],
    ])
  })
})
