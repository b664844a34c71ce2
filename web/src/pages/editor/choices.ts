// The choices of a question, edited beside it: rows of the sheet choices that its list has.
import { readTypeCell } from '@sheaf/xlsform/language'
import { addSheet, readHeader } from '@/parts/sheets/columns'
import { deleteRows, insertRowsOf, moveRows, setCells } from '@/parts/sheets/edits'
import { type Edit, inTurn } from '@/parts/sheets/steps'
import { type Sheet, sheetNamed, textOf, type Workbook } from '@/parts/sheets/workbook'
import { columnOf, fieldAt, setField } from './fields'
import { isMadeFrom, nameFor } from './naming'
import { hasRow, type LabelPlace } from './questions'

export interface Choice {
  /** On the sheet choices. */
  readonly row: number
  readonly id: number
  readonly name: string
  readonly label: string
}

const sheetOf = (book: Workbook): Sheet | undefined => sheetNamed(book, 'choices')

export const choicesIn = (book: Workbook, list: string, language: string | null = null): Choice[] => {
  const sheet = sheetOf(book)
  if (sheet === undefined || list === '') return []
  return sheet.rows.flatMap(({ id }, row) =>
    fieldAt(sheet, row, 'list_name').trim() === list
      ? [{ row, id, name: fieldAt(sheet, row, 'name'), label: fieldAt(sheet, row, 'label', language) }]
      : [],
  )
}

/** The first label that two choices of a list have. */
export const labelTwice = (all: readonly Choice[]): string | undefined => {
  const seen = new Set<string>()
  return all.find(({ label }) => {
    const words = label.trim().toLowerCase()
    const isSeen = words !== '' && seen.has(words)
    seen.add(words)
    return isSeen
  })?.label
}

const namesOf = (book: Workbook, list: string, but?: number): Set<string> =>
  new Set(choicesIn(book, list).flatMap(({ row, name }) => (row === but ? [] : [name])))

/** Behind the last choice of the list. */
export const addChoice = (book: Workbook, list: string, label: string, language: string | null): Edit | null => {
  const at = (choicesIn(book, list).at(-1)?.row ?? (sheetOf(book)?.rows.length ?? 0) - 1) + 1
  return inTurn(
    book,
    (now) => (sheetOf(now) === undefined ? addSheet(now, 'choices') : null),
    (now) => {
      const sheet = sheetOf(now)
      if (sheet === undefined) return null
      const header = (key: string) => sheet.columns[columnOf(sheet, key)]?.header ?? key
      const name = nameFor(label, `choice_${choicesIn(now, list).length + 1}`, namesOf(now, list))
      return insertRowsOf(now, 'choices', at, [{ [header('list_name')]: list, [header('name')]: name }])
    },
    (now) => setField(now, 'choices', { row: at, key: 'label', language }, label),
  )
}

/** Several at once, such as lines that somebody pasted. */
export const addChoices = (
  book: Workbook,
  list: string,
  labels: readonly string[],
  language: string | null,
): Edit | null => inTurn(book, ...labels.map((label) => (now: Workbook) => addChoice(now, list, label, language)))

/** Columns whose cells hold words for people, or what the list itself is. */
const noValues = new Set(['list_name', 'name', 'label', 'image', 'audio', 'video', 'big-image', 'media'])

/** Whether something else says this value: a comparison with a question of the list, a default, a column that choices are filtered by. */
const isUsed = (book: Workbook, list: string, value: string): boolean => {
  const survey = sheetNamed(book, 'survey')
  const own = (survey?.rows ?? []).flatMap((_, row) =>
    readTypeCell(fieldAt(survey, row, 'type'))?.list === list ? [{ row, name: fieldAt(survey, row, 'name') }] : [],
  )
  const names = own.flatMap(({ name }) => [`\${${name}}`, `/${name}`])
  const rows = new Set(own.map(({ row }) => row))
  const inSurvey = (survey?.rows ?? []).some((line, row) =>
    line.cells.some(
      (text) =>
        (text.includes(`'${value}'`) || text.includes(`"${value}"`)) &&
        (rows.has(row) || names.some((name) => text.includes(name))),
    ),
  )
  const isDefault = own.some(({ row }) => fieldAt(survey, row, 'default').trim().split(/\s+/).includes(value))
  const choices = sheetOf(book)
  const others = (choices?.columns ?? []).filter(({ header }) => !noValues.has(readHeader(header).base.toLowerCase()))
  return inSurvey || isDefault || choices?.rows.some((row) => others.some((one) => textOf(row, one) === value)) === true
}

/**
 * The value follows where it was made from the label, unless it is in the workbook that was saved (there may be answers that have
 * it) or something compares with it.
 */
export const labelChoice = (
  book: Workbook,
  list: string,
  { row, language, isFirst, saved }: LabelPlace,
  text: string,
): Edit | null => {
  const former = fieldAt(sheetOf(book), row, 'label', language)
  return inTurn(
    book,
    (now) => setField(now, 'choices', { row, key: 'label', language }, text),
    (now) => {
      const sheet = sheetOf(now)
      const name = fieldAt(sheet, row, 'name')
      if (!isFirst || text.trim() === '' || sheet === undefined || !isMadeFrom(name, former, 'choice')) return null
      const isSaved = namesOf(saved, list).has(name) || hasRow(sheetOf(saved), sheet.rows[row]?.id)
      if (name !== '' && (isSaved || isUsed(now, list, name))) return null
      const column = columnOf(sheet, 'name')
      return setCells(now, 'choices', [{ row, column, text: nameFor(text, 'choice', namesOf(now, list, row)) }])
    },
  )
}

export const nameChoice = (book: Workbook, row: number, text: string): Edit | null =>
  setField(book, 'choices', { row, key: 'name' }, text)

export const removeChoice = (book: Workbook, row: number): Edit | null => deleteRows(book, 'choices', row, row)

/** One step up or down within its list. */
export const moveChoice = (book: Workbook, list: string, row: number, step: -1 | 1): Edit | null => {
  const all = choicesIn(book, list)
  const at = all.findIndex((one) => one.row === row)
  const other = all[at + step]
  if (at < 0 || other === undefined) return null
  return moveRows(book, 'choices', row, row, step < 0 ? other.row : other.row + 1)
}

/** Another list for the question; what stands behind the list, such as or_other, stays. */
export const chooseList = (book: Workbook, row: number, list: string): Edit | null => {
  const survey = sheetNamed(book, 'survey')
  const type = fieldAt(survey, row, 'type')
  const read = readTypeCell(type)
  if (read?.type === null || read?.type === undefined) return null
  const other = read.hasOther ? ' or_other' : ''
  return setField(book, 'survey', { row, key: 'type' }, `${read.type.name} ${list}${other}`)
}
