import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyWorkbook, cellText } from './arbitrary'
import { readTable, tableAsHtml, tableAsText } from './clipboard'
import { addLanguage, languagesOf, moveColumn, removeLanguage, renameLanguage } from './columns'
import { duplicateRows, fillDown, insertRowsOf, moveRows, type Range, rangeOf, setCells } from './edits'
import { findIn, replaceAll } from './find'
import { pasteTable } from './paste'
import { renameAt } from './rename'
import { applyEdit, type Edit } from './steps'
import { deleteWithEnds, hiddenRows, shapesOf, wholeBlocks, wrapRows } from './structure'
import { useWorkbook } from './use-workbook'
import { gridFrom, type Sheet, sheetFromGrid, sheetNamed, textsOf, type Workbook } from './workbook'

const done = (book: Workbook, edit: Edit | null): Workbook => (edit === null ? book : applyEdit(book, edit))
const gridOn = (book: Workbook, name = 'survey') => gridFrom(sheetNamed(book, name) as Sheet)

const family: Workbook = {
  sheets: [
    sheetFromGrid('survey', [
      ['type', 'name', 'label', 'relevant'],
      ['text', 'first', 'Name?', ''],
      ['begin_repeat', 'person', 'Person', ''],
      ['integer', 'age', 'How old is ${first}?', ''],
      ['begin_group', 'school', 'School', '${age} > 5'],
      ['select_one yn', 'pupil', 'At school?', ''],
      ['end_group', '', '', ''],
      ['end_repeat', '', '', ''],
      ['note', 'bye', 'Bye', '${pupil} = "yes"'],
    ]),
    sheetFromGrid('choices', [
      ['list_name', 'name', 'label'],
      ['yn', 'yes', 'Yes'],
      ['yn', 'no', 'No'],
      ['colours', 'red', 'Red'],
    ]),
    sheetFromGrid('settings', [
      ['form_title', 'default_language'],
      ['Family', 'English (en)'],
    ]),
  ],
}
const survey = sheetNamed(family, 'survey') as Sheet

describe('copying and pasting', () => {
  it('gives back whatever was copied', () => {
    const tables = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cellText, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      )
    fc.assert(
      fc.property(tables, (table) => {
        expect(readTable(tableAsText(table))).toEqual(table)
      }),
      { numRuns: 1000 },
    )
  })

  it('a sheet pasted over its own place stays what it is', () => {
    fc.assert(
      fc.property(anyWorkbook, (book) => {
        const [sheet] = book.sheets as [Sheet]
        const table = sheet.rows.map((row) => textsOf(sheet, row))
        fc.pre(table.length > 0 && table[0]?.length !== 0)
        const range = rangeOf({ row: 0, column: 0 }, { row: table.length - 1, column: sheet.columns.length - 1 })
        const pasted = done(book, pasteTable(book, sheet.name, range, readTable(tableAsText(table))))
        fc.pre(!gridOn(pasted)[0]?.includes('never'))
        expect(gridOn(pasted)).toEqual(gridOn(book))
      }),
    )
  })

  it('reads what Excel, LibreOffice and Google put on the clipboard', () => {
    expect(readTable('text\tage\t"two\nlines"\r\ninteger\tn\t"say ""hi"""\r\n')).toEqual([
      ['text', 'age', 'two\nlines'],
      ['integer', 'n', 'say "hi"'],
    ])
    expect(readTable('"Well" is a word\tb')).toEqual([['"Well" is a word', 'b']])
    expect(readTable('a\tb\nc')).toEqual([
      ['a', 'b'],
      ['c', ''],
    ])
    expect(readTable('list,name\nyn,"yes, sir"\n')).toEqual([
      ['list', 'name'],
      ['yn', 'yes, sir'],
    ])
    expect(readTable('Hello, dear friend\nand others, too')).toEqual([['Hello, dear friend'], ['and others, too']])
    expect(readTable('one, two')).toEqual([['one, two']])
  })

  it('shows other programs a table of texts', () => {
    expect(tableAsHtml([['<b>', 'a\nb']])).toContain('&lt;b&gt;')
    expect(tableAsHtml([['<b>', 'a\nb']])).toContain('a<br>b')
  })

  it('repeats what is pasted over as many cells as are chosen, and grows the sheet', () => {
    const chosen: Range = { top: 7, bottom: 10, start: 3, end: 4 }
    const grid = gridOn(
      done(
        family,
        pasteTable(family, 'survey', chosen, [
          ['x', 'y'],
          ['z', ''],
        ]),
      ),
    )
    expect(grid).toHaveLength(12)
    expect(grid[0]).toEqual(['type', 'name', 'label', 'relevant', ''])
    expect(grid.slice(8).map((row) => row.slice(3))).toEqual([
      ['x', 'y'],
      ['z', ''],
      ['x', 'y'],
      ['z', ''],
    ])
  })

  it('takes a table with headers by its headers', () => {
    const table = [
      ['name', 'type', 'label::French (fr)'],
      ['born', 'date', 'Né ?'],
    ]
    const grid = gridOn(done(family, pasteTable(family, 'survey', { top: 1, bottom: 1, start: 0, end: 0 }, table)))
    expect(grid[0]).toEqual(['type', 'name', 'label', 'relevant', 'label::French (fr)'])
    expect(grid[2]).toEqual(['date', 'born', '', '', 'Né ?'])
    expect(grid).toHaveLength(10)
  })
})

describe('rows', () => {
  it('are filled down from the first of them, or from a pattern', () => {
    const range = { top: 0, bottom: 3, start: 3, end: 3 }
    const one = done(
      family,
      setCells(family, 'survey', [
        { row: 0, column: 3, text: 'a' },
        { row: 1, column: 3, text: 'b' },
      ]),
    )
    expect(
      gridOn(done(one, fillDown(one, 'survey', range)))
        .slice(1, 5)
        .map((row) => row[3]),
    ).toEqual(['a', 'a', 'a', 'a'])
    expect(
      gridOn(done(one, fillDown(one, 'survey', range, 2)))
        .slice(1, 5)
        .map((row) => row[3]),
    ).toEqual(['a', 'b', 'a', 'b'])
  })

  it('say how deep they stand and where their group ends', () => {
    expect(shapesOf(survey).map(({ depth }) => depth)).toEqual([0, 0, 1, 1, 2, 1, 0, 0])
    expect(shapesOf(survey)[1]).toMatchObject({ kind: 'begin', counterpart: 6, type: 'begin_repeat' })
    expect([...hiddenRows(survey, new Set([survey.rows[3]?.id ?? 0]))]).toEqual([4, 5])
    expect(wholeBlocks(survey, 0, 1)).toEqual({ from: 0, to: 6 })
  })

  it('move with their whole group', () => {
    const { from, to } = wholeBlocks(survey, 1, 1)
    const names = gridOn(done(family, moveRows(family, 'survey', from, to, 0))).map((row) => row[1])
    expect(names.slice(1)).toEqual(['person', 'age', 'school', 'pupil', '', '', 'first', 'bye'])
    const back = gridOn(done(family, moveRows(family, 'survey', 0, 0, 8))).map((row) => row[1])
    expect(back.slice(1)).toEqual(['person', 'age', 'school', 'pupil', '', '', 'bye', 'first'])
    expect(moveRows(family, 'survey', 1, 6, 4)).toBeNull()
  })

  it('that begin a group go with the row that ends it, and leave the questions', () => {
    const names = gridOn(done(family, deleteWithEnds(family, 'survey', 3, 3))).map((row) => row[0])
    expect(names).toEqual(['type', 'text', 'begin_repeat', 'integer', 'select_one yn', 'end_repeat', 'note'])
  })

  it('become a group of their own', () => {
    const grid = gridOn(done(family, wrapRows(family, 'survey', 0, 0, 'group', { name: 'g', label: 'G' })))
    expect(grid.slice(1, 4).map((row) => row.slice(0, 3))).toEqual([
      ['begin_group', 'g', 'G'],
      ['text', 'first', 'Name?'],
      ['end_group', '', ''],
    ])
  })

  it('are added by their headers, with columns that are missing', () => {
    const grid = gridOn(done(family, insertRowsOf(family, 'survey', 99, [{ type: 'note', hint: 'H' }])))
    expect(grid[0]).toEqual(['type', 'name', 'label', 'relevant', 'hint'])
    expect(grid.at(-1)).toEqual(['note', '', '', '', 'H'])
  })
})

describe('languages and columns', () => {
  it('a language gets a column for each text that is in use, on all sheets', () => {
    const french = done(family, addLanguage(family, 'French (fr)'))
    expect(gridOn(french)[0]).toEqual(['type', 'name', 'label', 'label::French (fr)', 'relevant'])
    expect(gridOn(french, 'choices')[0]).toEqual(['list_name', 'name', 'label', 'label::French (fr)'])
    expect(languagesOf(french)).toEqual(['French (fr)'])
    expect(addLanguage(french, 'French (fr)')).toBeNull()
    expect(gridOn(done(french, removeLanguage(french, 'French (fr)')))).toEqual(gridOn(family))
  })

  it('a language is renamed in headers and in the settings', () => {
    const english = done(family, addLanguage(family, 'English (en)'))
    const renamed = done(english, renameLanguage(english, 'English (en)', 'Kiswahili (sw)'))
    expect(languagesOf(renamed)).toEqual(['Kiswahili (sw)'])
    expect(gridOn(renamed, 'settings')[1]).toEqual(['Family', 'Kiswahili (sw)'])
  })

  it('a column moves with its texts', () => {
    expect(gridOn(done(family, moveColumn(family, 'survey', 2, 0)))[1]).toEqual(['Name?', 'text', 'first', ''])
    expect(gridOn(done(family, moveColumn(family, 'survey', 0, 4)))[1]).toEqual(['first', 'Name?', '', 'text'])
  })
})

describe('names', () => {
  it('of a question are renamed wherever they are used, and told', () => {
    const edit = renameAt(family, 'survey', { row: 2, column: 1 }, 'years')
    expect(edit?.told).toEqual({ kind: 'renamed', from: 'age', to: 'years', count: 1 })
    expect(gridOn(done(family, edit))[4]).toEqual(['begin_group', 'school', 'School', '${years} > 5'])
  })

  it('of a list are renamed with all its choices and the questions that use it', () => {
    const edit = renameAt(family, 'choices', { row: 0, column: 0 }, 'yes_no')
    expect(edit?.told).toMatchObject({ count: 2 })
    expect(gridOn(done(family, edit))[5]?.[0]).toBe('select_one yes_no')
    expect(gridOn(done(family, edit), 'choices').map((row) => row[0])).toEqual([
      'list_name',
      'yes_no',
      'yes_no',
      'colours',
    ])
  })

  it('of a list that exists move the choice there alone', () => {
    const edit = renameAt(family, 'choices', { row: 0, column: 0 }, 'colours')
    expect(edit?.told).toBeUndefined()
    expect(gridOn(done(family, edit), 'choices').map((row) => row[0])).toEqual([
      'list_name',
      'colours',
      'yn',
      'colours',
    ])
  })

  it('of a copied row take no reference from the first', () => {
    const model = useWorkbook(family)
    model.apply(duplicateRows(family, 'survey', 2, 2))
    const edit = renameAt(model.book.value, 'survey', { row: 3, column: 1 }, 'years', model.known.value)
    expect(edit?.told).toBeUndefined()
    model.apply(edit)
    expect(gridOn(model.book.value)[5]?.[3]).toBe('${age} > 5')
  })

  it('that two rows of a file have leave what says them, and tell it', () => {
    const copied = done(family, duplicateRows(family, 'survey', 2, 2))
    const edit = renameAt(copied, 'survey', { row: 3, column: 1 }, 'years')
    expect(edit?.told).toEqual({ kind: 'stayed', from: 'age', to: 'years', count: 1 })
    expect(gridOn(done(copied, edit))[5]?.[3]).toBe('${age} > 5')
  })
})

describe('finding', () => {
  it('finds on all sheets and replaces what is found', () => {
    expect(findIn(family, 'YES')).toHaveLength(3)
    expect(findIn(family, 'yes', { hasCase: true, isWhole: true })).toEqual([{ sheet: 'choices', row: 0, column: 1 }])
    const edit = replaceAll(family, '${age}', '$&', {})
    expect(edit?.told?.count).toBe(1)
    expect(gridOn(done(family, edit))[4]?.[3]).toBe('$& > 5')
    expect(findIn(family, 'a.e')).toEqual([])
  })
})
