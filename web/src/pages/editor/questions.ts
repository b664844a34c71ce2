// Adding questions by what people want to know, and names that follow their labels.
import { readTypeCell } from '@sheaf/xlsform/language'
import { addSheet } from '@/parts/sheets/columns'
import { deleteRows, insertRowsOf } from '@/parts/sheets/edits'
import { renameAt } from '@/parts/sheets/rename'
import { type Edit, inTurn } from '@/parts/sheets/steps'
import { shapesOf } from '@/parts/sheets/structure'
import { isEmptyRow, type Sheet, sheetNamed, type Workbook } from '@/parts/sheets/workbook'
import type { Translate } from '@/texts'
import type en from '@/texts/en/editor'
import { columnOf, fieldAt, setField } from './fields'
import { freeName, isMadeFrom, nameFor } from './naming'

/** What the menu offers, group by group, the most asked for first. */
export const offered = [
  { group: 'most', types: ['text', 'integer', 'select_one', 'select_multiple', 'date', 'geopoint', 'image'] },
  { group: 'structure', types: ['begin_group', 'begin_repeat', 'note', 'calculate'] },
  {
    group: 'more',
    types: [
      'decimal',
      'range',
      'rank',
      'time',
      'dateTime',
      'geotrace',
      'geoshape',
      'barcode',
      'acknowledge',
      'audio',
      'video',
      'file',
    ],
  },
] as const

/** A label, and what is on the server or came from a file. */
export interface LabelPlace {
  readonly row: number
  readonly language: string | null
  /** That of the first language is what names are made from. */
  readonly isFirst: boolean
  readonly saved: Workbook
}

export const hasRow = (sheet: Sheet | undefined, id: number | undefined): boolean =>
  sheet?.rows.some((row) => row.id === id) === true

const surveyOf = (book: Workbook): Sheet | undefined => sheetNamed(book, 'survey')

export const namesIn = (book: Workbook, but?: number): Set<string> => {
  const survey = surveyOf(book)
  const rows = survey?.rows ?? []
  return new Set(
    rows.flatMap((_, row) => (row === but ? [] : [fieldAt(survey, row, 'name')])).filter((name) => name !== ''),
  )
}

export const listNamesIn = (book: Workbook): Set<string> => {
  const choices = sheetNamed(book, 'choices')
  return new Set(
    (choices?.rows ?? []).map((_, row) => fieldAt(choices, row, 'list_name')).filter((name) => name !== ''),
  )
}

/** Behind the row of the cursor; behind the last one where the cursor stands below all rows. */
export const placeBehind = (book: Workbook, row: number): number => {
  const survey = surveyOf(book)
  if (survey === undefined) return 0
  const last = survey.rows.findLastIndex((one) => !isEmptyRow(survey, one))
  return Math.min(row, last) + 1
}

/** The group or repeat that the cursor stands in or at, and the rows behind which a question is inside and after it. */
export interface GroupAround {
  readonly id: number
  readonly name: string
  readonly inside: number
  readonly after: number
  /** The cursor is at its end: what is added there comes after it. */
  readonly isAtEnd: boolean
}

export const groupAround = (book: Workbook, row: number): GroupAround | undefined => {
  const survey = surveyOf(book)
  const all = survey === undefined ? [] : shapesOf(survey)
  const begin =
    all[row]?.kind === 'end'
      ? all[row]?.counterpart
      : all.findLastIndex((shape, at) => at <= row && shape.kind === 'begin' && shape.counterpart >= row)
  const line = survey?.rows[begin ?? -1]
  const end = all[begin ?? -1]?.counterpart
  if (begin === undefined || line === undefined || end === undefined || end === begin) return undefined
  const name = fieldAt(survey, begin, 'label') || fieldAt(survey, begin, 'name')
  const isAtEnd = row === end
  return { id: line.id, name, inside: isAtEnd ? end - 1 : row, after: end, isAtEnd }
}

export interface Added {
  readonly edit: Edit | null
  /** Where the new question stands. */
  readonly row: number
}

interface NewRow {
  readonly [key: string]: string
}

/** Headers as this form writes them: `label::English (en)`. */
const asWritten = (sheet: Sheet, row: NewRow): NewRow =>
  Object.fromEntries(
    Object.entries(row).map(([key, text]) => [sheet.columns[columnOf(sheet, key)]?.header ?? key, text]),
  )

const inserted =
  (name: string, at: number, rows: readonly NewRow[]) =>
  (book: Workbook): Edit | null => {
    const sheet = sheetNamed(book, name)
    return sheet === undefined
      ? null
      : insertRowsOf(
          book,
          name,
          at,
          rows.map((row) => asWritten(sheet, row)),
        )
  }

type Words = Translate<(typeof en)['entries']>

/** Nobody takes yes and no at once. */
export const firstWords = (type: string, t: Words): string[] =>
  type.startsWith('select_one') ? [t('firstChoice'), t('secondChoice')] : [t('oneOfSeveral'), t('anotherOfSeveral')]

/** A list of its own for each question that needs one: two choices are there to be written over. */
const firstChoices = (list: string, words: readonly string[]): NewRow[] =>
  words.map((label, at) => ({ list_name: list, name: nameFor(label, `choice_${at + 1}`, new Set()), label }))

/** Photos in full size are what fills phones and lines. */
const parametersOf = (type: string): NewRow => {
  if (type === 'image') return { parameters: 'max-pixels=1600' }
  return type === 'range' ? { parameters: 'start=1 end=10 step=1' } : {}
}

const rowsFor = (type: string, name: string, list: string, book: Workbook): NewRow[] => {
  if (type === 'begin_group' || type === 'begin_repeat') {
    const inside = freeName('text', new Set([...namesIn(book), name]))
    const end = type.replace('begin', 'end')
    return [
      { type, name, label: '' },
      { type: 'text', name: inside, label: '' },
      { type: end, name: '', label: '' },
    ]
  }
  const cell = list === '' ? type : `${type} ${list}`
  return [{ type: cell, name, label: '', ...parametersOf(type) }]
}

/** The question that a group began with, where nobody has written anything into it and it is all that the group has. */
const placeholderAt = (book: Workbook, at: number): number | undefined => {
  const survey = surveyOf(book)
  const typeOf = (row: number) => fieldAt(survey, row, 'type')
  const isPlaceholder = (row: number): boolean => {
    const line = survey?.rows[row]
    const written = line?.cells.filter((text) => text !== '') ?? []
    const isUntouched =
      typeOf(row) === 'text' && /^text(?:_\d+)?$/.test(fieldAt(survey, row, 'name')) && written.length === 2
    return isUntouched && typeOf(row - 1).startsWith('begin_') && typeOf(row + 1).startsWith('end_')
  }
  return [at, at - 1].find(isPlaceholder)
}

/** `words`: the first choices of a list, in the language of the page. */
export const addQuestion = (book: Workbook, type: string, behind: number, words: readonly string[]): Added => {
  const place = placeBehind(book, behind)
  const placeholder = placeholderAt(book, place)
  const row = placeholder ?? place
  const kind = type.replace(/^begin_/, '').replace(/^select_/, 'choose_')
  const name = freeName(nameFor('', kind, new Set()), namesIn(book))
  const takesList = readTypeCell(`${type} x`)?.type?.takes === 'choices'
  const list = takesList ? freeName(`${name}_list`, listNamesIn(book)) : ''
  const choices = sheetNamed(book, 'choices')
  const edit = inTurn(
    book,
    ...(takesList && choices === undefined ? [(now: Workbook) => addSheet(now, 'choices')] : []),
    (now) => (placeholder === undefined ? null : deleteRows(now, 'survey', placeholder, placeholder)),
    inserted('survey', row, rowsFor(type, name, list, book)),
    ...(takesList ? [inserted('choices', choices?.rows.length ?? 0, firstChoices(list, words))] : []),
  )
  return { edit, row }
}

/** The kind of a row as a word for its name. */
const kindOf = (type: string): string =>
  (readTypeCell(type)?.type?.name ?? 'question').replace(/^begin_/, '').replace(/^select_/, 'choose_')

/**
 * A name that was made from the former label follows, with all that refers to it. One that somebody gave stays, and so does one that
 * was saved: there may be answers under it. Rows are known by their names as well, since those of kept work have new ids.
 */
const followed =
  (row: number, former: string, label: string, saved: Workbook) =>
  (book: Workbook): Edit | null => {
    const survey = surveyOf(book)
    const column = survey === undefined ? -1 : columnOf(survey, 'name')
    if (survey === undefined || column < 0) return null
    const [type, name] = [fieldAt(survey, row, 'type'), fieldAt(survey, row, 'name')]
    if (type === '' || !isMadeFrom(name, former, kindOf(type))) return null
    if (name !== '' && (namesIn(saved).has(name) || hasRow(surveyOf(saved), survey.rows[row]?.id))) return null
    const wanted = nameFor(label, kindOf(type), namesIn(book, row))
    return wanted === name ? null : renameAt(book, 'survey', { row, column }, wanted)
  }

/** The label in one language; the name follows the first one, unless it is in the workbook that was saved. */
export const setLabel = (book: Workbook, { row, language, isFirst, saved }: LabelPlace, text: string): Edit | null => {
  const former = fieldAt(surveyOf(book), row, 'label', language)
  const edit = inTurn(
    book,
    (now) => setField(now, 'survey', { row, key: 'label', language }, text),
    ...(isFirst ? [followed(row, former, text, saved)] : []),
  )
  // Names that follow are no news.
  return edit === null ? null : { steps: edit.steps }
}

/** Rows that were labelled just now and have no name yet get one. */
export const nameLabelled = (before: Workbook, book: Workbook): Edit | null => {
  const [former, survey] = [surveyOf(before), surveyOf(book)]
  if (survey === undefined || former === survey) return null
  const labels = new Map((former?.rows ?? []).map(({ id }, row) => [id, fieldAt(former, row, 'label')]))
  return inTurn(
    book,
    ...survey.rows.flatMap(({ id }, row) => {
      const [type = '', name = '', label = ''] = ['type', 'name', 'label'].map((key) => fieldAt(survey, row, key))
      const isUnnamed = name === '' && label !== '' && label !== labels.get(id)
      if (!isUnnamed || readTypeCell(type)?.type?.isShown !== true) return []
      return [
        (now: Workbook) => setField(now, 'survey', { row, key: 'name' }, nameFor(label, kindOf(type), namesIn(now))),
      ]
    }),
  )
}

/** Another type for a row. What takes a list keeps the one it has, or gets one of its own. */
export const changeType = (book: Workbook, row: number, type: string, words: readonly string[]): Edit | null => {
  const survey = surveyOf(book)
  const former = readTypeCell(fieldAt(survey, row, 'type'))
  const takesList = readTypeCell(`${type} x`)?.type?.takes === 'choices'
  if (!takesList) return setField(book, 'survey', { row, key: 'type' }, type)
  const isKept = former?.type?.takes === 'choices' && former.list !== null
  const list = isKept
    ? (former.list ?? '')
    : freeName(`${fieldAt(survey, row, 'name') || 'choices'}_list`, listNamesIn(book))
  return inTurn(
    book,
    (now) => setField(now, 'survey', { row, key: 'type' }, `${type} ${list}`),
    (now) => (isKept || sheetNamed(now, 'choices') !== undefined ? null : addSheet(now, 'choices')),
    (now) =>
      isKept ? null : inserted('choices', sheetNamed(now, 'choices')?.rows.length ?? 0, firstChoices(list, words))(now),
  )
}
