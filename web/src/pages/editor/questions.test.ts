import { checkSheets } from '@sheaf/xlsform/sheets'
import { describe, expect, it } from 'vitest'
import { applyEdit, type Edit } from '@/parts/sheets/steps'
import { emptyWorkbook, fromSheets, gridFrom, sheetNamed, toSheets, type Workbook } from '@/parts/sheets/workbook'
import { addChoice, choicesIn, labelChoice, labelTwice, moveChoice } from './choices'
import { fieldAt, setField } from './fields'
import { setTitle } from './form-title'
import { insertRows, takeRows } from './library'
import { addQuestion, changeType, groupAround, nameLabelled, offered, setLabel } from './questions'
import { changesBetween } from './row-changes'

const done = (book: Workbook, edit: Edit | null): Workbook => (edit === null ? book : applyEdit(book, edit))
const words = ['Yes', 'No']
const first = (row: number, saved: Workbook = emptyWorkbook()) => ({ row, language: null, isFirst: true, saved })
const added = (book: Workbook, type: string, label: string, behind = 999): Workbook => {
  const { edit, row } = addQuestion(book, type, behind, words)
  const next = done(book, edit)
  return done(next, setLabel(next, first(row), label))
}
const rows = (book: Workbook, sheet: string) => gridFrom(sheetNamed(book, sheet) as never).slice(1)
const field = (book: Workbook, row: number, key: string) => fieldAt(sheetNamed(book, 'survey'), row, key)

describe('adding questions', () => {
  it('inside or after the group or repeat that the cursor is in or at', () => {
    const book = added(added(added(emptyWorkbook(), 'text', 'Village'), 'begin_repeat', 'Members'), 'note', 'Bye')
    expect(rows(book, 'survey').map(([type]) => type)).toEqual(['text', 'begin_repeat', 'text', 'end_repeat', 'note'])
    expect([0, 4].map((row) => groupAround(book, row))).toEqual([undefined, undefined])
    const around = [1, 2, 3].map((row) => groupAround(book, row))
    expect(around).toMatchObject([
      { name: 'Members', inside: 1, after: 3, isAtEnd: false },
      { name: 'Members', inside: 2, after: 3, isAtEnd: false },
      { name: 'Members', inside: 2, after: 3, isAtEnd: true },
    ])
    const after = added(book, 'date', 'Day', around[1]?.after)
    expect(rows(after, 'survey').map(([type]) => type)[4]).toBe('date')
  })

  it('choices that read the same are told', () => {
    const choice = (label: string, row: number) => ({ row, id: row, name: `c${row}`, label })
    expect(labelTwice(['Yes', 'No', ' yes'].map(choice))).toBe(' yes')
    expect(labelTwice(['Yes', '', ''].map(choice))).toBeUndefined()
  })

  it('every kind that is offered compiles as soon as it has a label', () => {
    for (const type of offered.flatMap((group) => [...group.types])) {
      let book = added(done(emptyWorkbook(), setTitle(emptyWorkbook(), 'Form', true)), type, 'Label')
      if (type.startsWith('begin_')) book = done(book, setLabel(book, first(1), 'Inside'))
      if (type === 'calculate') book = done(book, setField(book, 'survey', { row: 0, key: 'calculation' }, '1 + 1'))
      const { problems } = checkSheets(toSheets(book))
      expect([type, problems.map(({ message }) => message)]).toEqual([type, []])
    }
  })

  it('names follow labels, with what refers to them, until somebody gives one', () => {
    let book = added(emptyWorkbook(), 'integer', 'Age')
    book = added(book, 'text', 'Why')
    book = done(book, setField(book, 'survey', { row: 1, key: 'relevant' }, '${age} > 5'))
    book = done(book, setLabel(book, first(0), 'Age in years'))
    expect([field(book, 0, 'name'), field(book, 1, 'relevant')]).toEqual(['age_in_years', '${age_in_years} > 5'])
    book = done(book, setField(book, 'survey', { row: 0, key: 'name' }, 'years'))
    book = done(book, setLabel(book, first(0), 'How old?'))
    expect(field(book, 0, 'name')).toBe('years')
  })

  it('a name that was saved stays whatever its label becomes, also in work that this browser kept', () => {
    const saved = added(emptyWorkbook(), 'integer', 'Age')
    const again = fromSheets(toSheets(saved))
    for (const book of [saved, again])
      expect(field(done(book, setLabel(book, first(0, saved), 'Age in years')), 0, 'name')).toBe('age')
    const given = done(saved, setField(saved, 'survey', { row: 0, key: 'name' }, 'age_2'))
    expect(field(done(given, setLabel(given, first(0, saved), 'Years')), 0, 'name')).toBe('age_2')
    const more = added(saved, 'text', 'Why')
    expect(field(done(more, setLabel(more, first(1, saved), 'What for')), 1, 'name')).toBe('what_for')
  })

  it('the second question of one label has a name of its own', () => {
    const book = added(added(emptyWorkbook(), 'text', 'Name'), 'text', 'Name')
    expect([field(book, 0, 'name'), field(book, 1, 'name')]).toEqual(['name', 'name_2'])
  })

  it('behind the cursor; within a group where the cursor stands on its beginning', () => {
    let book = added(emptyWorkbook(), 'begin_repeat', 'Members')
    book = done(book, setLabel(book, first(1), 'Inside'))
    book = added(book, 'image', 'Photo', 1)
    expect(rows(book, 'survey').map(([type]) => type)).toEqual(['begin_repeat', 'text', 'image', 'end_repeat'])
  })

  it('the first question of a group takes the place of the empty one that it began with', () => {
    const group = added(emptyWorkbook(), 'begin_group', 'House')
    for (const behind of [0, 1])
      expect(rows(added(group, 'image', 'Photo', behind), 'survey').map(([type]) => type)).toEqual([
        'begin_group',
        'image',
        'end_group',
      ])
    const asked = done(group, setField(group, 'survey', { row: 1, key: 'hint' }, 'Which?'))
    expect(rows(added(asked, 'image', 'Photo', 1), 'survey')).toHaveLength(4)
  })

  it('rows that are labelled in the grid get names, others stay as they are', () => {
    const before = added(emptyWorkbook(), 'text', '')
    const unnamed = done(before, setField(before, 'survey', { row: 0, key: 'name' }, ''))
    const now = done(unnamed, setField(unnamed, 'survey', { row: 0, key: 'label' }, 'Village'))
    expect(field(done(now, nameLabelled(unnamed, now)), 0, 'name')).toBe('village')
    expect(nameLabelled(now, now)).toBeNull()
  })

  it('another kind keeps the list where it has one, and gets one where it needs one', () => {
    let book = added(emptyWorkbook(), 'text', 'Roof')
    book = done(book, changeType(book, 0, 'select_one', words))
    expect(field(book, 0, 'type')).toBe('select_one roof_list')
    book = done(book, changeType(book, 0, 'select_multiple', words))
    expect(field(book, 0, 'type')).toBe('select_multiple roof_list')
    expect(rows(book, 'choices').map(([, name]) => name)).toEqual(['yes', 'no'])
  })
})

describe('choices beside their question', () => {
  it('are added behind the last of their list, with names that follow', () => {
    let book = added(added(emptyWorkbook(), 'select_one', 'Roof'), 'select_one', 'Wall')
    const list = field(book, 0, 'type').split(' ')[1] ?? ''
    book = done(book, addChoice(book, list, 'Tin sheets', null))
    expect(choicesIn(book, list).map(({ name }) => name)).toEqual(['yes', 'no', 'tin_sheets'])
    book = done(book, labelChoice(book, list, first(0), 'Grass'))
    expect(choicesIn(book, list)[0]).toMatchObject({ name: 'grass', label: 'Grass' })
    book = done(book, moveChoice(book, list, 2, -1))
    expect(choicesIn(book, list).map(({ name }) => name)).toEqual(['grass', 'tin_sheets', 'no'])
    expect(rows(book, 'choices')).toHaveLength(5)
  })

  it('a value that was saved, or that something compares with, stays whatever its label becomes', () => {
    const book = added(added(emptyWorkbook(), 'select_one', 'Roof'), 'text', 'Why')
    const list = field(book, 0, 'type').split(' ')[1] ?? ''
    const labelled = (now: Workbook, saved?: Workbook) =>
      choicesIn(done(now, labelChoice(now, list, first(0, saved), 'Grass')), list)[0]?.name
    expect([labelled(book), labelled(book, book)]).toEqual(['grass', 'yes'])
    expect(labelled(fromSheets(toSheets(book)), book)).toBe('yes')
    const set = (row: number, key: string, text: string) =>
      labelled(done(book, setField(book, 'survey', { row, key }, text)))
    expect(set(1, 'relevant', "selected(${roof}, 'yes')")).toBe('yes')
    expect(set(0, 'constraint', '. != "yes"')).toBe('yes')
    expect(set(0, 'default', 'no yes')).toBe('yes')
    expect(set(1, 'relevant', "${why} = 'yes'")).toBe('grass')
    const filtered = done(book, setField(book, 'choices', { row: 1, key: 'kind' }, 'yes'))
    expect(labelled(filtered)).toBe('yes')
  })
})

describe('the question library', () => {
  it('rows go into another form with their lists, under free names', () => {
    let from = added(emptyWorkbook(), 'select_one', 'Sex')
    from = added(from, 'text', 'Why')
    from = done(from, setField(from, 'survey', { row: 1, key: 'relevant' }, "${sex} = 'yes'"))
    const kept = takeRows(from, new Set([0, 1]))
    expect(kept.survey).toHaveLength(3)
    expect(kept.choices).toHaveLength(3)
    const into = added(emptyWorkbook(), 'text', 'Sex')
    const { edit, row } = insertRows(into, 0, kept)
    const book = done(into, edit)
    expect([row, field(book, 1, 'name'), field(book, 2, 'relevant')]).toEqual([1, 'sex_2', "${sex_2} = 'yes'"])
    expect(checkSheets(toSheets(done(book, setTitle(book, 'Two', true)))).problems).toEqual([])
  })

  it('a list that is there with the same choices is used, one with others is not', () => {
    const from = added(emptyWorkbook(), 'select_one', 'Sex')
    const kept = takeRows(from, new Set([0]))
    const same = done(from, insertRows(from, 0, kept).edit)
    expect(rows(same, 'choices')).toHaveLength(2)
    const list = field(from, 0, 'type').split(' ')[1] ?? ''
    const other = done(from, addChoice(from, list, 'Other', null))
    expect(field(done(other, insertRows(other, 0, kept).edit), 1, 'type')).toBe(`select_one ${list}_2`)
  })

  it('a chosen group brings along what is in it', () => {
    const book = added(emptyWorkbook(), 'begin_repeat', 'Members')
    expect(takeRows(book, new Set([0])).survey.map(([type]) => type)).toEqual([
      'type',
      'begin_repeat',
      'text',
      'end_repeat',
    ])
  })
})

describe('what somebody else changed', () => {
  it('row by row, with the columns', () => {
    const base = added(added(emptyWorkbook(), 'text', 'Name'), 'integer', 'Age')
    let other = done(base, setField(base, 'survey', { row: 1, key: 'hint' }, 'In years'))
    other = added(other, 'date', 'Day')
    expect(changesBetween(base, other)).toEqual([
      { sheet: 'survey', kind: 'changed', row: 'Age', columns: ['hint'] },
      { sheet: 'survey', kind: 'added', row: 'Day', columns: [] },
    ])
  })

  it('a row that was only moved is one change', () => {
    const base = ['Name', 'Age', 'Day', 'Place'].reduce((book, label) => added(book, 'text', label), emptyWorkbook())
    const survey = sheetNamed(base, 'survey') as NonNullable<ReturnType<typeof sheetNamed>>
    const [first, ...others] = survey.rows
    const turned = { ...survey, rows: [...others, first as (typeof others)[number]] }
    const other = { sheets: base.sheets.map((one) => (one === survey ? turned : one)) }
    expect(changesBetween(base, other)).toEqual([{ sheet: 'survey', kind: 'moved', row: 'Name', columns: [] }])
    expect(changesBetween(base, base)).toEqual([])
  })
})
