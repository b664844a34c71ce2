import { describe, expect, it } from 'vitest'
import { faultsByRow } from './faults'
import { applyEdit, type Edit } from './steps'
import { suggestionsFor } from './suggestions'
import { nameFrom, typeInto } from './typing'
import { emptyWorkbook, gridFrom, type Sheet, sheetFromGrid, sheetNamed, type Workbook } from './workbook'

const book: Workbook = {
  sheets: [
    sheetFromGrid('survey', [
      ['type', 'name', 'label', 'required', 'relevant', 'appearance', 'default'],
      ['select_one yn', 'well', 'All well?', '', '', '', ''],
      ['integer', 'age', 'How old?', '', '', '', ''],
      ['begin_group', 'school', 'School', '', '', '', ''],
      ['end_group', '', '', '', '', '', ''],
      ['select_one sizes', 'size', 'Size?', '', '', '', ''],
    ]),
    sheetFromGrid('choices', [
      ['list_name', 'name', 'label'],
      ['yn', 'yes', 'Yes'],
    ]),
  ],
}
const words = new Map([['date', 'Day']])
const offered = (column: number, text: string, { cursor = text.length, sheet = 'survey', row = 0 } = {}) =>
  suggestionsFor({
    book,
    sheet: sheetNamed(book, sheet) as Sheet,
    place: { row, column },
    text,
    cursor,
    typeWords: (name) => words.get(name) ?? name,
  })
const names = (...given: Parameters<typeof offered>) => offered(...given).map(({ name }) => name)

describe('suggestionsFor', () => {
  it('offers types by their name and by their plain words, what is there already first', () => {
    expect(names(0, 'integ')[0]).toBe('integer')
    expect(names(0, 'day')[0]).toBe('date')
    expect(names(0, 'date')[0]).toBe('date')
    expect(names(0, 'date')).toContain('dateTime')
  })

  it('offers the lists of the form behind a type that takes one, also those that are still to be written', () => {
    expect(offered(0, 'select_one')[0]).toMatchObject({ name: 'select_one', text: 'select_one ' })
    expect(names(0, 'select_one ')).toEqual(['select_one yn', 'select_one sizes'])
    expect(names(0, 'si', { sheet: 'choices' })).toEqual(['sizes'])
  })

  it('completes references within braces, and closes them', () => {
    expect(offered(4, '${a')[0]).toMatchObject({ name: 'age', words: 'How old?', text: '${age}', cursor: 6 })
    expect(offered(4, '${a} > 5', { cursor: 3 })[0]).toMatchObject({ text: '${age} > 5', cursor: 6 })
    expect(offered(4, '1 + $')[0]).toMatchObject({ text: '1 + ${well}' })
    expect(names(2, 'Costs 5$')).toEqual([])
    expect(names(2, 'You are ${')).toEqual(['well', 'age', 'school', 'size'])
  })

  it('completes functions, with their brackets', () => {
    expect(offered(4, 'tod')[0]).toMatchObject({ name: 'today', text: 'today()', cursor: 7 })
    expect(offered(4, 'not(sel')[0]).toMatchObject({ name: 'selected', text: 'not(selected(' })
    expect(names(2, 'tod')).toEqual([])
    expect(names(4, "'tod")).toEqual([])
  })

  it('offers yes and no, and the words that a type knows', () => {
    expect(names(3, '')).toEqual(['yes', 'no'])
    expect(offered(5, 'minimal qu')[0]).toMatchObject({ text: 'minimal quick' })
  })
})

describe('typeInto', () => {
  const done = (now: Workbook, edit: Edit | null) => (edit === null ? now : applyEdit(now, edit))
  const typed = (now: Workbook, sheet: string, row: number, column: number, text: string) =>
    done(now, typeInto(now, sheet, { row, column }, text))
  const rows = (now: Workbook, name = 'survey') => gridFrom(sheetNamed(now, name) as Sheet).slice(1)

  it('ends a group that is begun, and ends it as what it becomes', () => {
    const group = typed(emptyWorkbook(), 'survey', 0, 0, 'begin group')
    expect(rows(group).map(([type]) => type)).toEqual(['begin group', 'end_group'])
    expect(rows(typed(group, 'survey', 0, 0, 'begin_repeat')).map(([type]) => type)).toEqual([
      'begin_repeat',
      'end_repeat',
    ])
  })

  it('names a question after its label, each once', () => {
    const text = typed(typed(emptyWorkbook(), 'survey', 0, 0, 'text'), 'survey', 0, 2, 'What’s your  Näme?')
    expect(rows(text)[0]?.[1]).toBe('what_s_your_name')
    const second = typed(typed(text, 'survey', 1, 0, 'text'), 'survey', 1, 2, 'What’s your name')
    expect(rows(second)[1]?.[1]).toBe('what_s_your_name_2')
    expect(rows(typed(second, 'survey', 0, 2, 'Other'))[0]?.[1]).toBe('what_s_your_name')
  })

  it('names a choice after its label, within its list', () => {
    const choice = typed(typed(emptyWorkbook(), 'choices', 0, 0, 'yn'), 'choices', 0, 2, 'Yes')
    expect(rows(choice, 'choices')).toEqual([['yn', 'yes', 'Yes']])
  })

  it('finds a name for a text in any script', () => {
    expect([nameFrom('كم عمرك؟'), nameFrom('2 things'), nameFrom('How old is ${name}?')]).toEqual([
      '',
      'q_2_things',
      'how_old_is',
    ])
  })
})

describe('faultsByRow', () => {
  it('says what is wrong with a cell, mistakes before warnings, and keeps what did not change', () => {
    const problem = { code: 'a', message: 'A', sheet: 'survey', row: 1, column: 2 }
    const first = faultsByRow(
      'survey',
      [problem],
      [
        { ...problem, message: 'B' },
        { ...problem, row: 0, column: null },
      ],
      undefined,
    )
    expect(first.get(1)?.cells.get(2)).toEqual({ kind: 'fault', message: 'A\nB' })
    expect(first.get(0)?.cells.get(-1)?.kind).toBe('warn')
    expect(faultsByRow('survey', [problem], [{ ...problem, message: 'B' }], first).get(1)).toBe(first.get(1))
    expect(faultsByRow('choices', [problem], [], undefined).size).toBe(0)
  })
})
